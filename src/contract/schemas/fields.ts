/** What fields of records and forms are made of. */
import * as v from 'valibot';
import { mixesAlphabets } from '../alphabets';
import { NOTE_MAX, reasons, SEARCH_MAX, statuses } from '../constants';
import { isStrictEmail } from '../emails';

/** What our server answers whole, and other servers may leave out: the app must do without these fields. */
export const optionalElsewhere = <T extends v.ObjectEntries, const K extends keyof T>(_fields: K[], entries: T) =>
  v.object(entries) as unknown as WithOptional<v.ObjectSchema<T, undefined>, K>;
type WithOptional<S extends v.GenericSchema, K> = Omit<S, '~types'> & {
  readonly '~types'?: {
    input: v.InferInput<S>;
    output: Optional<v.InferOutput<S>, K>;
    issue: v.InferIssue<S>;
  };
};
type Optional<T, K> = Omit<T, K & keyof T> & Partial<Pick<T, K & keyof T>>;

// ---- values that are sent

/** PostgreSQL cannot store a NUL character, and a lone surrogate would be stored as another character. */
export const plainText = v.pipe(
  v.string('expected text'),
  v.check((text) => !/\0|\p{Surrogate}/u.test(text), 'contains an invalid character'),
);
/** More accents on one letter than any language has: the time to normalize grows with the square of their number. */
const tooManyAccents = /\p{M}{31}/u;
/** Normalized, so that accents sent apart match composed letters; no control characters but tabs and line breaks. */
export const text = (max: number) =>
  v.pipe(
    plainText,
    v.trim(),
    v.check((text) => !tooManyAccents.test(text), 'contains an invalid character'),
    v.normalize('NFC'),
    v.maxLength(max, `at most ${max} characters`),
    v.check((text) => !/[^\P{Cc}\t\n\r]/u.test(text), 'contains an invalid character'),
  );
/** Text in which something can be seen. */
export const filled = (max: number) =>
  v.pipe(
    text(max),
    v.check((text) => /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(text), 'must not be empty'),
  );
const hasInvisible = (text: string): boolean => /[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(text);
/** For what is compared by eye or by a machine: references, ids of other systems, addresses of payouts. */
export const visible = v.check<string, string>((text) => !hasInvisible(text), 'contains an invisible character');
export const reference = (max: number) => v.pipe(filled(max), visible);
/** Text that is kept as it was sent, with its spaces. */
export const chars = (max: number) => v.pipe(plainText, v.maxLength(max, `at most ${max} characters`));
export const secret = (min: number) =>
  v.pipe(
    plainText,
    v.minLength(min, min > 1 ? `at least ${min} characters` : 'must not be empty'),
    v.maxLength(1000, 'at most 1000 characters'),
  );
const notBlank = v.check<string, string>((password) => password.trim() !== '', 'must not be blank');
/** A password that somebody will sign in with. */
export const newSecret = v.pipe(secret(8), notBlank);
const noText = () => '';
/** A blank password keeps the current one. */
export const newSecretOrBlank = v.union(
  [v.pipe(v.string(), v.regex(/^\s*$/), v.transform(noText)), newSecret],
  'at least 8 characters, or blank to keep the current one',
);

const EMAIL_MAX = 254;
const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+$/;
/** What is searched for: a few words, or one e-mail, which may be longer. */
export const searchText = v.pipe(
  text(EMAIL_MAX),
  v.check((words) => words.length <= SEARCH_MAX || EMAIL.test(words), `at most ${SEARCH_MAX} characters`),
);
/** Invisible characters, and variants of letters such as full-width ones: two e-mails would look the same. */
const isDisguised = (address: string): boolean => hasInvisible(address) || address.normalize('NFKC') !== address;
export const email = v.pipe(
  filled(EMAIL_MAX),
  v.regex(EMAIL, 'expected an email address'),
  v.check((address) => !isDisguised(address), 'contains an invisible character or a variant of a letter'),
  v.check((address) => !address.split(/[@.]/).some(mixesAlphabets), 'mixes letters of different alphabets'),
);
/** One that nobody has yet. Records from before may have others, which a form sends back as they are. */
export const newEmail = v.pipe(email, v.check(isStrictEmail, 'expected an email address'));
/** A number, or its digits as text: every value of a query is text. */
export const id = v.pipe(
  v.union([v.number(), v.string()], 'expected a whole number'),
  v.transform(String),
  v.regex(/^\d{1,15}$/, 'expected a whole number'),
  v.transform(Number),
);
/** USD as a number or decimal text, at most two decimals, no sign or exponent. Handlers receive the exact text. */
export const money = v.pipe(
  v.union([v.number(), v.string()], 'expected an amount with at most 2 decimals'),
  v.transform((value) => String(value).trim()),
  v.check((amount) => !/^-\s*\d/.test(amount), 'must not be negative'),
  v.check((amount) => !/^\d{12,}(\.\d*)?$/.test(amount), 'at most 99999999999.99'),
  v.regex(/^\d{1,11}(\.\d{1,2})?$/, 'expected an amount with at most 2 decimals'),
);
const aboveZero = v.check<string, string>((amount) => Number(amount) > 0, 'must be above 0');
export const positive = v.pipe(money, aboveZero);
/** `money` and `positive` in a form. The types allow a number too, because that is what may be sent. */
export const sentMoney: v.GenericSchema<number | string> = money;
export const sentPositive: v.GenericSchema<number | string> = positive;
/** A whole number of a form. */
export const whole = (least: number, most: number) =>
  v.pipe(
    v.number('expected a whole number'),
    v.integer('expected a whole number'),
    v.minValue(least, `from ${least} to ${most}`),
    v.maxValue(most, `from ${least} to ${most}`),
  );
/** A day as YYYY-MM-DD. */
export const date = v.pipe(
  v.string('expected a date'),
  v.isoDate('expected a date as YYYY-MM-DD'),
  v.check((day) => new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true, 'there is no such day'),
  v.check((day) => day >= '1900-01-01' && day <= '2099-12-31', 'expected a date from 1900-01-01 to 2099-12-31'),
);
/** A list of so many at most; `noun` is the plural of what is in it. */
export const listOf = <T extends v.GenericSchema>(of: T, noun: string, most: number) =>
  v.pipe(v.array(of, `expected a list of ${noun}`), v.maxLength(most, `at most ${most} ${noun}`));
export const trueOrFalse = v.boolean('expected true or false');
export const httpsUrl = v.pipe(
  text(2000),
  visible,
  v.check(
    (url) => url === '' || (URL.canParse(url) && new URL(url).protocol === 'https:'),
    'expected an https address',
  ),
);
/** One of these values; the refusal lists them. */
export const oneOf = <const T extends readonly string[]>(values: T) =>
  v.picklist(values, `expected one of ${values.join(', ')}`);
export const status = oneOf(statuses);
export const sortOrder = v.picklist(['asc', 'desc'], 'expected asc or desc');

// ---- values that may be left out

const leftOut = (): undefined => undefined;
const blank = v.pipe(v.literal(''), v.transform(leftOut));
const toNull = v.transform((value: string) => value || null);
/** In a body: blank text and null both clear the field. */
export const blankToNull = (of: v.GenericSchema<string, string>) => v.optional(v.nullable(v.pipe(of, toNull)));
const toBlank = v.transform((value: string | null) => value ?? '');
/** In a body, null means the same as blank. */
export const nullAsBlank = <T extends v.GenericSchema<string, string>>(of: T) =>
  v.optional(v.pipe(v.nullable(v.string('expected text')), toBlank, of));
/**
 * In a body, null means "none", like a value that is left out. Only where leaving it out means "none" as well: where it
 * means "unchanged" or a default, null could mean something else and is refused. `unlessBlank` treats blank text alike.
 */
export const unlessNull = <T extends v.GenericSchema>(of: T) =>
  v.optional(v.union([v.pipe(v.null(), v.transform(leftOut)), of]));
export const unlessBlank = <T extends v.GenericSchema>(of: T) => unlessNull(v.union([blank, of]));
/** In a query, a blank value means that the value is left out. */
export const given = <T extends v.GenericSchema>(of: T) => v.optional(v.union([blank, of]));
export const limit = (most: number) =>
  given(v.pipe(id, v.minValue(1, `from 1 to ${most}`), v.maxValue(most, `from 1 to ${most}`)));

/** The reason of a change: in the query of a delete, in the body of any other call. Needs the feature `reasons`. */
export const reasonInQuery = { reason: given(oneOf(reasons)), note: given(text(NOTE_MAX)) };
export const reasonInBody = { reason: unlessBlank(oneOf(reasons)), note: unlessBlank(text(NOTE_MAX)) };
const isTrue = (word: 'true' | 'false'): boolean => word === 'true';
/** In the query of a delete: 'true' or 'false'. */
export const keepsKeysInQuery = given(v.pipe(oneOf(['true', 'false']), v.transform(isTrue)));
export const ChangeReason = v.object(reasonInQuery);
export type ChangeReason = v.InferOutput<typeof ChangeReason>;

/** A super admin may name a tenant or mean all; an admin's is always their own. */
export const TenantQuery = v.object({ tenant_id: given(id) });
export type TenantQuery = v.InferOutput<typeof TenantQuery>;
/** A tenant that must be named. */
export const TenantNamed = v.object({ tenant_id: id });

// ---- values that are answered

export const number = v.number();
export const string = v.string();
export const boolean = v.boolean();
const toIso = v.transform((value: Date | string) => new Date(value).toISOString());
/** A timestamp: the database's date becomes ISO 8601 in UTC. */
export const instant = v.pipe(v.union([v.date(), v.string()]), toIso);
/** Null means "not set". */
export const maybe = <T extends v.GenericSchema>(of: T) => v.nullable(of);
/** The player of a row; null once the player was deleted. The app needs it to open the player view. */
export const playerId = maybe(number);
/** Why something was changed, as it is answered. */
export const givenReason = { reason: maybe(string), note: maybe(string) };

export const Ok = v.object({ ok: v.literal(true) });
