import { MASK } from '../../contract/constants';

export type Fields = Record<string, unknown>;

/** Maintained by the database itself, or contained elsewhere in the entry. */
const ignored: readonly string[] = ['id', 'updated_at', 'created_at', 'search_text', 'sign_in_set_by', 'email_set_by'];
const isSecret = (name: string): boolean => /password|secret|token|hash|_key$/.test(name);
/** A password is stored as 'password_hash' or 'password_secret'. */
const toShownName = (name: string): string => name.replace(/^(password)_(hash|secret)$/, '$1');

/** What differs between an object before and after; of a new or deleted one all fields. Of a secret: it is there. */
export function changesBetween(before: object | null, after: object | null) {
  const old = toPlainObject(before),
    now = toPlainObject(after);
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => !ignored.includes(name));
  const changed = names.filter((name) => JSON.stringify(old[name] ?? null) !== JSON.stringify(now[name] ?? null));
  const pick = (fields: Fields) =>
    Object.fromEntries(
      changed
        .map((name) => [toShownName(name), isSecret(name) ? fields[name] && MASK : fields[name]])
        .filter(([, value]) => value !== undefined && ((before !== null && after !== null) || value !== null)),
    );
  return { before: changed.length && before ? pick(old) : null, after: changed.length && after ? pick(now) : null };
}

/** As JSON has it, with timestamps as text. */
const toPlainObject = (object: object | null): Fields => JSON.parse(JSON.stringify(object ?? {}));
