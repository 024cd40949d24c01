import * as v from 'valibot';
import { Problem } from '../problem';

/** Parses input with its schema. The refusal names the field and never repeats its value. */
export function parseInput<T>(shape: v.GenericSchema<unknown, T>, value: unknown, at: string): T {
  const result = v.safeParse(shape, value, { abortPipeEarly: true, message: genericMessage });
  if (result.success) return result.output;
  const issue = result.issues[0];
  const where = [at, ...(issue.path ?? []).map((step) => String(step.key).slice(0, 40))].join('.');
  const message =
    issue.received === 'undefined'
      ? 'is required'
      : issue.type === 'object'
        ? 'expected an object'
        : describeIssue(issue);
  throw new Problem(422, `${where}: ${message}`);
}

/** Decodes a body. Any other encoding would be stored as different letters. */
export function decodeUtf8(body: ArrayBuffer | Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new Problem(422, 'body: not UTF-8');
  }
}

/** Parses a body as JSON; undefined for an empty body. */
export function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new Problem(422, 'body: not JSON');
  }
}

/**
 * Serializes an answer with its schema. A mismatch is a bug; the error does not contain the value, which must not be
 * logged.
 */
export function serializeAnswer(shape: v.GenericSchema, out: unknown): unknown {
  const result = v.safeParse(shape, out, { abortEarly: true, message: genericMessage });
  if (result.success) return result.output;
  const path = (result.issues[0].path ?? []).map((step) => String(step.key)).join('.');
  throw new TypeError(`the answer does not match its schema at ${path || 'the top level'}`);
}

/** Replaces the library's own messages, which repeat the value. */
const genericMessage = () => 'has the wrong type';
/** Of several alternatives, the last one describes what is expected. */
const describeIssue = ({ message, issues }: v.BaseIssue<unknown>): string =>
  message === genericMessage() && issues ? describeIssue(issues.at(-1) ?? issues[0]) : message;
