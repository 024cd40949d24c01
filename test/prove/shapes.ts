/** Values made from the contract's shapes: what fits one, found by asking the shape itself, and what fits nothing. */
import * as v from 'valibot';
import { paymentPlatforms } from '../../src/contract/platforms';
import type { Random } from './random';

export type Shape = v.GenericSchema;

const part = (shape: Shape, key: string): unknown => Reflect.get(shape, key);
const isShape = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
const listIn = (shape: Shape, key: string): unknown[] => {
  const list = part(shape, key);
  return Array.isArray(list) ? list : [];
};

/** The named parts of an object's shape; none for any other. */
export function entriesOf(shape: Shape | undefined): [string, Shape][] {
  const entries = shape ? part(shape, 'entries') : undefined;
  return typeof entries === 'object' && entries !== null
    ? Object.entries(entries).filter((entry): entry is [string, Shape] => isShape(entry[1]))
    : [];
}
export const accepts = (shape: Shape, value: unknown): boolean => v.safeParse(shape, value).success;
/** Whether a part holds a number that names something: it takes '7001' and 7001, and no word. */
export const isNumberedId = ([name, shape]: [string, Shape]): boolean =>
  /(^|_)id$/.test(name) && accepts(shape, 7001) && accepts(shape, '7001') && !accepts(shape, 'word');

/** Makes values that fit a shape out of a pool of candidates. */
export class Maker {
  readonly #pool: readonly unknown[];
  readonly #fits = new Map<Shape, unknown[]>();
  readonly #likely: Readonly<Record<string, unknown>>;
  /** `likely`: values by the name of their part that get further than the shape; every other time they are used. */
  constructor(pool: readonly unknown[], likely: Readonly<Record<string, unknown>> = {}) {
    this.#pool = pool;
    this.#likely = likely;
  }

  /** A value for a named part. */
  makeNamed(name: string, shape: Shape, random: Random): unknown {
    return name in this.#likely && random.from(0, 1) === 1 && accepts(shape, this.#likely[name])
      ? this.#likely[name]
      : this.make(shape, random);
  }

  /** A value for the shape; undefined where it may be left out, and where nothing of the pool fits. */
  make(shape: Shape, random: Random): unknown {
    const inner = part(shape, 'wrapped');
    if (isShape(inner)) return random.from(1, 3) === 1 ? undefined : this.make(inner, random);
    const entries = entriesOf(shape);
    if (entries.length)
      return Object.fromEntries(
        entries
          .map(([name, entry]): [string, unknown] => [name, this.makeNamed(name, entry, random)])
          .filter(([, value]) => value !== undefined),
      );
    // What a pipe asks beyond the type is found by trying; of a list it is only how long it may be.
    const isLeaf = part(shape, 'pipe') !== undefined && shape.type !== 'array';
    switch (isLeaf ? 'leaf' : shape.type) {
      case 'literal':
        return part(shape, 'literal');
      case 'boolean':
        return random.from(0, 1) === 1;
      case 'picklist':
        return random.pick(listIn(shape, 'options'));
      case 'union': {
        const options = listIn(shape, 'options').filter(isShape);
        return this.make(random.pick(options), random);
      }
      case 'array': {
        const item = part(shape, 'item');
        return isShape(item) ? Array.from({ length: random.from(0, 3) }, () => this.make(item, random)) : [];
      }
      case 'record': {
        const value = part(shape, 'value');
        return isShape(value)
          ? Object.fromEntries(random.pick(recordKeys).map((key) => [key, this.make(value, random) ?? '']))
          : {};
      }
      default: {
        const fits = this.#fits.get(shape) ?? this.#pool.filter((value) => accepts(shape, value));
        this.#fits.set(shape, fits);
        return fits.length ? random.pick(fits) : undefined;
      }
    }
  }
}
const recordKeys = [
  ...Object.values(paymentPlatforms).map(({ fields }) => fields),
  ['api_key', 'other'],
  ['api_key'],
  [],
];

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let n = 0; n < levels; n++) value = [value];
  return value;
};

/** Values at which parsers, arithmetic and databases have failed before. */
export const nasty: readonly unknown[] = [
  ...['', ' ', '\0', 'a\0b', '\ud800', 'x\udfffy', '\u202e\u200b\ufeff', '👩‍👩‍👧‍👦', 'İıſßΣς', 'a'.repeat(101)],
  ...['b'.repeat(5000), '\t\r\n', '\u0001\u001f\u007f', "'; drop table players; --", '"', '\\', '\\x00', '%', '_'],
  ...['%_%', '${x}', '{{7*7}}', '<script>alert(1)</script>', '../../etc/passwd', '__proto__', 'constructor'],
  ...['null', 'undefined', 'NaN', 'Infinity', 'true', 0, -0, -1, 1.5, 0.1 + 0.2, 0.001, 1e-7, 1e21, 1e308, -1e308],
  ...[2 ** 31, 2 ** 53, 2 ** 63, '0', '-1', '+1', '1e3', '0x10', '1_000', '1,000.00', '٣', '１'],
  ...['00000000000000000001', '9'.repeat(15), '9'.repeat(16), '9'.repeat(40), '99999999999.99', '0.00', '0.001'],
  ...['.5', '5.', ' 5 ', '2026-02-30', '2026-13-01', '0000-00-00', '99999-01-01', '2026-01-01T00:00:00Z'],
  ...['1899-12-31', '2100-01-01', true, false, null, [], {}, [[]], ['a'], [1, 2], { id: 1 }, { toString: 1 }],
  ...[{ length: 1 }, JSON.parse('{"__proto__":{"is_super_admin":true}}'), deep(60), 'a@b', '@', 'a@b@c'],
  ...['A@B.test'.repeat(40), 'https://', 'http://plain.test', 'javascript:alert(1)'],
  ...['https://x.test/'.padEnd(2001, 'a'), 'https://x.test/\u0000', '••••••••'],
];
