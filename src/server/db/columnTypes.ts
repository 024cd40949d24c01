/** What a column becomes in JavaScript. Everything that is not listed stays text. */
import { types } from 'pg';

type Parse = (text: string) => unknown;

const parseWhole = (text: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError('a number from the database is too large to be exact');
  return value;
};
const parseText: Parse = (text) => text;
const parseDate: Parse = (text) => new Date(text);
const parseJson: Parse = (text) => JSON.parse(text);
const parseBytes: Parse = (text) => Buffer.from(text.slice(2), 'hex');

/** The ids of a type and of its arrays. A calendar day stays text: as a Date it would shift with the time zone. */
const known: readonly (readonly [name: string, id: number, arrayId: number, parse: Parse])[] = [
  ['boolean', 16, 1000, (text) => text === 't'],
  ['bytea', 17, 1001, parseBytes],
  ['char', 18, 1002, parseText],
  ['name', 19, 1003, parseText],
  ['bigint', 20, 1016, parseWhole],
  ['smallint', 21, 1005, Number],
  ['integer', 23, 1007, Number],
  ['text', 25, 1009, parseText],
  ['oid', 26, 1028, Number],
  ['json', 114, 199, parseJson],
  ['real', 700, 1021, Number],
  ['double precision', 701, 1022, Number],
  ['varchar', 1043, 1015, parseText],
  ['date', 1082, 1182, parseText],
  ['timestamp', 1114, 1115, parseDate],
  ['timestamptz', 1184, 1185, parseDate],
  // Sums have no limit. From 90 trillion on the answer of a call cannot hold the cents: it has the nearest number.
  ['numeric', 1700, 1231, Number],
  ['uuid', 2950, 2951, parseText],
  ['jsonb', 3802, 3807, parseJson],
];

/** Arrays of any type are written like those of text; the driver's types do not list this id. */
const TEXT_ARRAY: number = 1009;
const splitArray = types.getTypeParser(TEXT_ARRAY) as (text: string) => unknown;
const parseItems = (items: unknown, parse: Parse): unknown =>
  Array.isArray(items) ? items.map((item) => parseItems(item, parse)) : typeof items === 'string' ? parse(items) : null;

const parsers = new Map<number, Parse>(
  known.flatMap(([, id, arrayId, parse]) => [
    [id, parse],
    [arrayId, (text: string) => parseItems(splitArray(text), parse)],
  ]),
);

export const columnTypes = { getTypeParser: (id: number): Parse => parsers.get(id) ?? parseText };
