/** The kinds of settings: how each is parsed, and the sentence when it is wrong. */
import { isIP } from 'node:net';

/** A wrong setting or argument. The message is the one line that the operator reads. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

export interface Setting<T> {
  /** The default in words; undefined when there is none. */
  defaultValue?: string | undefined;
  about: string;
  /** Parses the text, which is undefined when the setting is not set. Throws when it is invalid. */
  read(text: string | undefined): T;
}

export const invalid = (what: string) => new SettingsError(what);

export const integer = (defaultValue: number, least: number, most: number, about: string): Setting<number> => ({
  defaultValue: String(defaultValue),
  about,
  read(text) {
    const value = text === undefined ? defaultValue : /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(value >= least && value <= most)) throw invalid(`must be a whole number from ${least} to ${most}`);
    return value;
  },
});

export const flag = (about: string): Setting<boolean> => ({
  defaultValue: 'false',
  about,
  read(text) {
    if (text !== undefined && text !== 'true' && text !== 'false') throw invalid('must be true or false');
    return text === 'true';
  },
});

export const oneOf = <T extends string>(values: readonly T[], defaultValue: T, about: string): Setting<T> => ({
  defaultValue,
  about,
  read(text) {
    const value = text === undefined ? defaultValue : values.find((known) => known === text);
    if (value === undefined) throw invalid(`must be one of ${values.join(', ')}`);
    return value;
  },
});

/** Free text. `problem` returns what is wrong with it, or nothing. */
export const text = (
  about: string,
  problem: (value: string) => string | undefined,
  defaultValue?: string,
): Setting<string | undefined> => ({
  about,
  defaultValue,
  read(value) {
    const found = value === undefined ? undefined : problem(value);
    if (found) throw invalid(found);
    return value;
  },
});

export const secretKey = (about: string): Setting<Buffer | undefined> => ({
  about,
  read(value) {
    if (value === undefined) return undefined;
    const key = /^[0-9a-f]{64}$/i.test(value)
      ? Buffer.from(value, 'hex')
      : /^[A-Za-z0-9+/_-]{43}=?$/.test(value)
        ? Buffer.from(value, 'base64')
        : undefined;
    if (key?.length !== 32)
      throw invalid(
        'must be 32 bytes as base64 (44 characters) or hexadecimal (64); create one with: openssl rand -base64 32',
      );
    return key;
  },
});

export const host = (defaultValue: string, about: string): Setting<string> => ({
  defaultValue,
  about,
  read(value = defaultValue) {
    if (isIP(value) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value))
      throw invalid('must be an IP address or a host name');
    return value;
  },
});
