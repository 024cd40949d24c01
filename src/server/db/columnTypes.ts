/** What a column becomes in JavaScript, where the driver's own choice is not ours. */
import { types } from 'pg';

type Parse = (text: string) => unknown;

const parseWhole = (text: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError('a number from the database is too large to be exact');
  return value;
};
const keepText: Parse = (text) => text;

/** The ids of a type and of its arrays. */
const ours: readonly (readonly [id: number, arrayId: number, parse: Parse])[] = [
  [types.builtins.INT8, 1016, parseWhole],
  // Sums have no limit. From 90 trillion on the answer of a call cannot hold the cents: it has the nearest number.
  [types.builtins.NUMERIC, 1231, Number],
  // As a Date a calendar day would shift with the time zone.
  [types.builtins.DATE, 1182, keepText],
  [types.builtins.INTERVAL, 1187, keepText],
];

/** Arrays of any type are written like those of text; the driver's types do not list this id. */
const TEXT_ARRAY: number = 1009;
const splitArray = types.getTypeParser(TEXT_ARRAY) as (text: string) => unknown;
const parseItems = (items: unknown, parse: Parse): unknown =>
  Array.isArray(items) ? items.map((item) => parseItems(item, parse)) : typeof items === 'string' ? parse(items) : null;

const parsers = new Map<number, Parse>(
  ours.flatMap(([id, arrayId, parse]) => [
    [id, parse],
    [arrayId, (text: string) => parseItems(splitArray(text), parse)],
  ]),
);

export const columnTypes = { getTypeParser: (id: number): Parse => parsers.get(id) ?? types.getTypeParser(id, 'text') };
