import * as v from 'valibot';
import { Problem } from '../core/problem';
import { attempt } from '../db/attempt';

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

/** Refuses a name that is there twice, and an escape that is not UTF-8: %ff would be taken for these three characters. */
export function refuseAmbiguousUrl(url: string): void {
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2);
  for (const [at, text] of Object.entries({ path, query })) {
    if (text.includes('%') && attempt(() => decodeURIComponent(text)) === undefined)
      throw new Problem(422, `${at}: contains an escape that is not UTF-8`);
  }
  const names = new Set<string>();
  for (const name of new URLSearchParams(query).keys()) {
    if (names.has(name)) throw new Problem(422, `query.${name.slice(0, 40)}: is there twice`);
    names.add(name);
  }
}

/** Decodes a body. Any other encoding would be stored as different letters. */
export function decodeUtf8(body: ArrayBuffer | Uint8Array): string {
  const text = attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(body));
  if (text === undefined) throw new Problem(422, 'body: not UTF-8');
  return text;
}

/** Parses a body with its schema. Every body of the contract is an object; the library takes an array for one. */
export function parseBody<T>(shape: v.GenericSchema<unknown, T>, body: unknown): T {
  return parseInput(shape, requireObject(body), 'body');
}

/** The body, if it is a JSON object or was left out; anything else is a 422. */
export function requireObject(body: unknown): unknown {
  if (body === undefined || (typeof body === 'object' && body !== null && !Array.isArray(body))) return body;
  throw new Problem(422, 'body: expected an object');
}

/**
 * Parses a body as JSON; undefined for an empty body. A name that occurs twice is a 422, because only one of its values
 * would count. A number that is neither an id nor an amount becomes a value that no schema accepts: once it is read,
 * 1e0 and 1.000000000000000000001 can no longer be told from 1.
 */
export function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    const body: unknown = JSON.parse(text);
    return hasOtherNumbers(text) ? JSON.parse(text.replace(token, (part) => (isOther(part) ? '{}' : part))) : body;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(422, 'body: not JSON');
  }
}

/** The parts of valid JSON that matter here: strings, with the colon after a name, numbers and braces. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|-?\d[\d.eE+-]*|[{}]/g;
/** Far more than any call or webhook has; reading more would take long. */
const MAX_PARTS = 5000;
/** A number with a sign, an exponent, a third decimal, or more digits than JavaScript keeps. */
const isOther = (part: string): boolean =>
  /^[-\d]/.test(part) && !(/^\d+(\.\d{1,2})?$/.test(part) && part.length <= 16);

/** Also refuses names that are there twice in the outermost object: no body of the contract has another one in it. */
function hasOtherNumbers(text: string): boolean {
  const names = new Set<string>();
  let depth = 0,
    parts = 0,
    found = false;
  for (const [part] of text.matchAll(token)) {
    if (++parts > MAX_PARTS) throw new Problem(422, 'body: has too many parts');
    if (part === '{') depth++;
    else if (part === '}') depth--;
    else if (depth === 1 && part.endsWith(':')) {
      const name: string = JSON.parse(part.slice(0, -1));
      if (names.has(name)) throw new Problem(422, `body.${name.slice(0, 40)}: is there twice`);
      names.add(name);
    }
    found ||= isOther(part);
  }
  return found;
}

/** Serializes an answer. A mismatch is a bug, whose error does not contain the value: it must not be logged. */
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
