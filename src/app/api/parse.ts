/** Reads what any server of these calls may send: the app never trusts a shape. */
import type { CallName, CallSpec } from '../../contract/calls';
import type { Feature } from '../../contract/constants';
import type { SessionUser } from '../../contract/entities';
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

/** A count that may have arrived as text; 0 when there is none. */
const toCount = (value: unknown): number => Math.max(0, Math.trunc(toAmount(value) ?? 0));

/** The moment a server meant; one without a zone is UTC, as ours are, and a day alone is that day here. null: none, or not a date. */
export function toMoment(value: unknown): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return null;
  const text = value.trim().replace(' ', 'T');
  const moment = new Date(!/T\d/.test(text) ? `${text}T00:00` : /(z|[+-]\d\d:?\d\d)$/i.test(text) ? text : /[+-]\d\d$/.test(text) ? `${text}:00` : `${text}Z`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** Text as it is, '' for anything else. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The words of a cell: text as it is, numbers as text, a dash for nothing. */
export const orDash = (value: unknown): string =>
  (typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && Number.isFinite(value)) ? String(value) : '-';

/** Deposit Type of a purchase: `payment_metadata.type` of an object or a JSON string, LOYALTY as FREE PLAY, a dash when missing (spec 2). */
export function depositType(metadata: unknown): string {
  const type = isObject(metadata) ? metadata.type : typeof metadata === 'string' ? depositTypeOf(metadata) : null;
  return type === 'LOYALTY' ? 'FREE PLAY' : orDash(type);
}

function depositTypeOf(text: string): unknown {
  const parsed = parseJson(text);
  return isObject(parsed) ? parsed.type : null;
}

/** What a call resolves to, from a 2xx answer. Throws `Unreadable` when a read did not get its data. */
export function readAnswer(name: CallName, { method }: CallSpec, answered: Answered): unknown {
  if (answered.file) return csvFile(answered.file);
  const body = bodyOf(answered);
  if (method !== 'GET') return body; // what writes answer is not specified
  if (body === undefined) throw new Unreadable('not JSON');
  if (name === 'listPlayers') return playerPage(body);
  if (/^(list|search)/.test(name)) return listOf(body, name);
  if (name === 'getDashboardMetrics' && body === null) return undefined; // 'No data available'
  if (!isObject(body)) throw new Unreadable('not an object');
  return body;
}

/** The fields that hold an object by their nature (spec 3), beside `payment_metadata`, which holds whatever its processor sent. */
const nested = ['credentials', 'user'];
/** A row in which an object stands only where one belongs: anywhere else it cannot be shown, and counts as not set. */
const plain = (row: Json): Json => Object.fromEntries(Object.entries(row).map(([key, value]) =>
  [key, !isObject(value) || key === 'payment_metadata' ? value : nested.includes(key) ? plain(value) : null]));

/** A file as it is; a proxy's page in its place is none. */
function csvFile(file: Blob): Blob {
  if (!/^text\/csv\b/i.test(file.type)) throw new Unreadable('not a file');
  return file;
}

const wrappers = ['items', 'data', 'results'];

function listOf(body: unknown, name: string): unknown[] {
  if (body === null) return [];
  const list = Array.isArray(body) ? body : unwrap(body);
  if (!list) throw new Unreadable('not a list');
  const rows = /^list(Available)?Platform/.test(name) ? list.map((item: unknown) => (typeof item === 'string' ? { name: item } : item)) : list;
  return rows.filter(isObject).map(plain);
}

function unwrap(body: unknown): unknown[] | undefined {
  if (!isObject(body)) return undefined;
  const named = wrappers.map((key) => body[key]).find(Array.isArray);
  if (named) return named;
  const arrays = Object.values(body).filter(Array.isArray);
  if (arrays.length === 1) return arrays[0];
  const inner = wrappers.map((key) => body[key]).find(isObject);
  return inner ? unwrap(inner) : wrappers.some((key) => body[key] === null) ? [] : undefined;
}

function playerPage(body: unknown) {
  const users = isObject(body) && Array.isArray(body.users) ? body.users.filter(isObject).map(plain) : isObject(body) && body.users === null ? [] : listOf(body, 'listPlayers');
  const told = isObject(body) && isObject(body.pagination) ? body.pagination : isObject(body) ? body : {};
  const total = toAmount(told.total_users) ?? toAmount(told.total) ?? users.length;
  return {
    users,
    pagination: {
      total_users: toCount(total), total_pages: toCount(told.total_pages ?? 1),
      has_next: told.has_next === true, has_previous: told.has_previous === true,
    },
  };
}
