/** Parses what any server that offers these calls may send (docs/product.md, "Other servers"). No shape is trusted. */
import type { CallSpec } from '../../contract/calls';
import type { Feature } from '../../contract/constants';
import type { SessionUser } from '../../contract/entities';
import type { Permission } from '../../contract/permissions';
import { toAmount } from './amount';

export type Json = Record<string, unknown>;
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text parsed as JSON; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The `detail` of a refusal, a text or a list of `{ loc, msg }`, and its `code`; undefined for anything else. */
export function parseRefusal(text: string): { detail: string | undefined; code: string | undefined } {
  const body = parseJson(text);
  const { detail, code } = isObject(body) ? body : {};
  const words = Array.isArray(detail)
    ? detail
        .map((item: unknown) => (isObject(item) ? item.msg : item))
        .filter((word) => typeof word === 'string')
        .join('; ')
    : detail;
  return { detail: toText(words).trim().slice(0, 500) || undefined, code: toText(code) || undefined };
}

/** A 2xx answer that is not what the call should return. */
export class UnreadableAnswer extends Error {
  override name = 'UnreadableAnswer';
}

/** A 2xx answer: its text, or its file. */
export interface Answered {
  status: number;
  text: string;
  file?: Blob | undefined;
}

/** The body as JSON, or undefined. Throws `UnreadableAnswer` for an HTML page, which some servers label as JSON. */
export function parseBody({ status, text }: Answered): unknown {
  if (/^\s*</.test(text)) throw new UnreadableAnswer('a page instead of an answer');
  return status === 204 ? null : parseJson(text);
}

/** The signed-in user as stored (docs/product.md, "Records"), with the features that the server offered at login. */
export interface StoredUser extends SessionUser {
  features?: Feature[];
  /** The rest is of the person, from a server that sends it. */
  email?: string;
  tenant_name?: string;
  /** IANA name of the zone of the tenant's business days. */
  time_zone?: string;
  /** 'sso': an identity provider vouches for the person. */
  signed_in_by?: string;
}
/** An unknown name does no harm, so the lists of features and permissions are not needed in the first script. */
const isName = <T extends string>(name: unknown): name is T => typeof name === 'string';

/** Role and tenant from a login answer or the storage; null if there are none. */
export function parseStaff(value: unknown): SessionUser | null {
  const { role, tenant_id } = isObject(value) ? value : {};
  if (!isObject(role)) return null;
  const { name, is_super_admin } = role;
  return {
    role: { name: toText(name), is_super_admin: is_super_admin === true || is_super_admin === 1 },
    tenant_id: toAmount(tenant_id),
  };
}

/** What a server may say of the user beyond the role and the tenant. */
const extras = ['email', 'tenant_name', 'time_zone', 'signed_in_by'] as const;

/** The same, with the features and extras. Without features, permissions are those of something else. */
export function parseUser(value: unknown): StoredUser | null {
  const staff = parseStaff(value),
    { features, permissions } = isObject(value) ? value : {};
  return (
    staff && {
      ...staff,
      ...(Array.isArray(features) && {
        features: features.filter(isName<Feature>),
        ...(Array.isArray(permissions) && { permissions: permissions.filter(isName<Permission>) }),
      }),
      ...(isObject(value) &&
        Object.fromEntries(extras.filter((name) => value[name]).map((name) => [name, toText(value[name])]))),
    }
  );
}

/** Token and user from a login answer; null if it has no session. */
export function parseLogin(answer: unknown): { token: string; user: StoredUser } | null {
  if (!isObject(answer) || typeof answer.access_token !== 'string' || answer.access_token === '') return null;
  const user = parseUser(isObject(answer.user) ? { features: answer.features, ...answer.user } : null);
  return user && { token: answer.access_token, user };
}

/** A count, which may be sent as text; 0 if there is none. */
const toCount = (value: unknown): number => Math.max(0, Math.trunc(toAmount(value) ?? 0));

/** A timestamp: without a zone UTC; a date alone is that day in the user's time zone. Null if it is not a date. */
export function parseTimestamp(value: unknown): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return null;
  const text = value.trim().replace(' ', 'T');
  const moment = new Date(
    !/T\d/.test(text)
      ? `${text}T00:00`
      : /(z|[+-]\d\d:?\d\d)$/i.test(text)
        ? text
        : /[+-]\d\d$/.test(text)
          ? `${text}:00`
          : `${text}Z`,
  );
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** A string as it is; '' for anything else. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The value of a field: a string as it is, a number as text; '' for anything else. */
export const toFieldText = (value: unknown): string => (typeof value === 'number' ? String(value) : toText(value));

/** No, as a boolean or as a number. What is missing is not no. */
export const isNo = (value: unknown): boolean => value === false || value === 0;

/** The text of a cell: strings and numbers; a dash for anything else. */
export const orDash = (value: unknown): string =>
  (typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && Number.isFinite(value))
    ? String(value)
    : '-';

/** The deposit type; LOYALTY is FREE PLAY, a missing one a dash (docs/product.md, "Purchases and deposits"). */
export function depositType(metadata: unknown): string {
  const given = typeof metadata === 'string' ? parseJson(metadata) : metadata;
  const type = isObject(given) ? given.type : null;
  return type === 'LOYALTY' ? 'FREE PLAY' : orDash(type);
}

/** What a call returns for a 2xx answer. Throws `UnreadableAnswer` if a read did not get its data. */
export function parseAnswer({ answer }: CallSpec, answered: Answered): unknown {
  if (answered.file) return checkCsv(answered.file);
  const body = parseBody(answered);
  if (answer === undefined) return body; // what a write answers is not specified
  if (body === undefined) throw new UnreadableAnswer('not JSON');
  if (answer === 'list') return parseList(body);
  if (answer === 'platforms') return parsePlatforms(body);
  if (answer === 'playerPage') return parsePlayerPage(body);
  if (answer === 'recordOrNull' && body === null) return undefined; // 'No data available'
  if (!isObject(body)) throw new UnreadableAnswer('not an object');
  return body;
}

/** The fields that hold an object (docs/product.md, "Records"); `payment_metadata` may hold anything. */
const nested = ['credentials', 'user'];
/** A row whose fields can be shown: an object in any other field counts as not set. */
const toRow = (row: Json): Json =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => {
      if (!isObject(value) || key === 'payment_metadata') return [key, value];
      return [key, nested.includes(key) ? toRow(value) : null];
    }),
  );

/** The file, unless a proxy sent a page in its place. */
function checkCsv(file: Blob): Blob {
  if (!/^text\/csv\b/i.test(file.type)) throw new UnreadableAnswer('not a file');
  return file;
}

const parseList = (body: unknown): Json[] => toItems(body).filter(isObject).map(toRow);

/** Some servers send platforms as bare names. */
const parsePlatforms = (body: unknown): Json[] =>
  parseList(toItems(body).map((item) => (typeof item === 'string' ? { name: item } : item)));

/** The fields in which servers wrap a list. */
const wrappers = ['items', 'data', 'results'];

function toItems(body: unknown): unknown[] {
  if (body === null) return [];
  const items = Array.isArray(body) ? body : unwrap(body);
  if (!items) throw new UnreadableAnswer('not a list');
  return items;
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

function parsePlayerPage(body: unknown) {
  const page = isObject(body) ? body : {};
  const given = isObject(page.pagination) ? page.pagination : page;
  const users = parseList(Array.isArray(page.users) || page.users === null ? page.users : body);
  const total = toAmount(given.total_users) ?? toAmount(given.total) ?? users.length;
  return {
    users,
    pagination: {
      total_users: toCount(total),
      total_pages: toCount(given.total_pages ?? 1),
      has_next: given.has_next === true,
      has_previous: given.has_previous === true,
    },
  };
}
