/** What signing in reads of an answer and of the storage, apart from the rest in read.ts so that it alone comes with the login. */
import type { SessionUser } from '../contract/entities';
import type { Feature } from '../contract/constants';
import { toAmount } from './amount';

export type Json = Record<string, unknown>;
export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a text says as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The server's own words for a failure: `detail` as text or as a list of `{loc, msg}`; undefined for HTML, nothing or anything else. */
export function detailOf(text: string): string | undefined {
  const body = parseJson(text);
  const detail = isObject(body) ? body.detail : undefined;
  const words = Array.isArray(detail)
    ? detail.map((item: unknown) => (isObject(item) ? item.msg : item)).filter((word) => typeof word === 'string').join('; ')
    : detail;
  return typeof words === 'string' && words.trim() !== '' ? words.trim().slice(0, 500) : undefined;
}

/** A good answer that cannot be what was asked for. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

/** A 2xx answer as it came: its text, or the file that was asked for. */
export interface Answered { status: number; text: string; file?: Blob | undefined }

/** What an answer says; undefined when that is not JSON. Throws `Unreadable` for a page: some servers label all they say, or nothing, as HTML. */
export function bodyOf({ status, text }: Answered): unknown {
  if (/^\s*</.test(text)) throw new Unreadable('a page instead of an answer');
  return status === 204 ? null : parseJson(text);
}

/** The signed-in person as stored: section 3's user, and what the server said it can do beyond the specification. */
export interface StoredUser extends SessionUser { features?: Feature[] }

/** Role and tenant out of a login answer or the storage; null when there is no such thing in it. */
export function readStaff(value: unknown): SessionUser | null {
  if (!isObject(value) || !isObject(value.role)) return null;
  const { role: { name, is_super_admin }, tenant_id } = value;
  return { role: { name: typeof name === 'string' ? name : '', is_super_admin: is_super_admin === true }, tenant_id: toAmount(tenant_id) };
}

/** A name that we do not know may stay: nobody asks for it. So the list of all names need not be fetched. */
const isFeature = (name: unknown): name is Feature => typeof name === 'string';

/** The same with what the server offers. */
export function readUser(value: unknown): StoredUser | null {
  const staff = readStaff(value), offered = isObject(value) && Array.isArray(value.features) ? value.features : null;
  return staff && { ...staff, ...(offered ? { features: offered.filter(isFeature) } : {}) };
}

/** Token and user of a login answer; null when it carries no session. */
export function readLogin(answer: unknown): { token: string; user: StoredUser } | null {
  if (!isObject(answer) || typeof answer.access_token !== 'string' || answer.access_token === '') return null;
  const user = readUser(isObject(answer.user) ? { features: answer.features, ...answer.user } : null);
  return user && { token: answer.access_token, user };
}
