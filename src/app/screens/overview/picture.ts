/** What a picture shows, whatever its form: its table, its file and its bars are made of the same rows. */
import type { RefObject } from 'react';
import { formatCount } from '../../ui/formatCount';
import { usd } from '../../ui/Money';

/** `in` is drawn up, `out` down, `net` as a line. */
export type Tone = 'in' | 'out' | 'net';
export interface Column {
  name: string;
  /** What is drawn in one picture has one unit, because it has one axis. */
  unit: 'usd' | 'count' | 'percent';
  /** Without one it is shown in the table and under the mouse alone. */
  tone?: Tone;
  /** Drawn pale behind the column at this index. */
  behind?: number;
  /** The share of the column at this index, beside its bar. */
  shareOf?: number;
  /** What the list behind it holds, if not what it is called. */
  behindIt?: string;
}
export interface Row {
  /** In full, as in the table. */
  label: string;
  /** Below its column, if that is not the whole. */
  short?: string;
  /** Null: there is none yet. */
  values: readonly (number | null)[];
  /** The list behind each value, and how many it holds. */
  links?: readonly (string | undefined)[];
  counts?: readonly number[];
  /** Has no bar: its amounts are of another kind. */
  isApart?: boolean;
}
export interface Picture {
  id: string;
  title: string;
  /** What is drawn, in a sentence. */
  note: string;
  /** The name of the column of labels. */
  by: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** What is behind is cut where it is higher. */
  most?: number;
}

/** What every drawing is made of. */
export interface Drawn {
  picture: Picture;
  width: number;
  svg: RefObject<SVGSVGElement | null>;
}

/** The list behind a value. There is none behind nothing. */
export const linkOf = ({ links, values }: Row, n: number): string | undefined => (values[n] ? links?.[n] : undefined);

/** 'Show 948 purchases'. */
export function nameLink({ name, unit, behindIt = name.toLowerCase() }: Column, row: Row, n: number): string {
  const count = row.counts?.[n] ?? (unit === 'count' ? row.values[n] : undefined);
  return count ? `Show ${formatCount(count)} ${behindIt}` : `Show ${behindIt}`;
}

export const formatValue = (value: number | null | undefined, unit: Column['unit']): string =>
  value === null || value === undefined
    ? '–'
    : unit === 'usd'
      ? usd(value)
      : unit === 'percent'
        ? `${value.toFixed(1)}%`
        : formatCount(value);

/** A row in words: for screen readers. */
export const describeRow = ({ columns }: Picture, row: Row): string =>
  `${row.label}: ${columns.map(({ name, unit }, n) => `${name} ${formatValue(row.values[n], unit)}`).join(', ')}`;

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
/** A number of the axis: '$1.5K'. */
export const formatTick = (value: number, unit: Column['unit']): string =>
  `${value < 0 ? '−' : ''}${unit === 'usd' ? '$' : ''}${compact.format(Math.abs(value))}`;

/** About `count` round numbers around `low` and `high`, with zero among them. */
export function findTicks(low: number, high: number, count: number, isWhole: boolean): number[] {
  const rough = Math.max((high - low) / count, isWhole ? 1 : 0.01);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    power *
    ([1, 2, 2.5, 5, 10].find(
      (one) => one * power >= rough && (!isWhole || (one * power >= 1 && (one * power) % 1 === 0)),
    ) ?? 10);
  const [from, to] = [Math.floor(low / step), Math.ceil(high / step)];
  return Array.from({ length: Math.max(1, to - from) + 1 }, (_, n) => (from + n) * step);
}
