/** Which columns of a list are shown, in which order, and how close the rows are: in the address, and as styles. */
import type { CSSProperties } from 'react';
import type { SavedList } from '../../../contract/constants';
import { columns } from './columns';

export interface Layout {
  /** All columns, the hidden ones too. */
  order: readonly string[];
  hidden: readonly string[];
  isCompact: boolean;
}

/** As query parameters. These are the defaults, which the address leaves out. */
export const layoutAddress = { hide: '', columns: '', density: '' };
export type LayoutAddress = Record<keyof typeof layoutAddress, string>;
/** As `hide`: none is hidden. A link says so, lest the choice of whoever opens it counts. */
const NONE = 'none';
const COMPACT = 'compact';

const namesOf = (list: SavedList) => columns[list].map(({ name }) => name);
const pick = (list: SavedList, names: readonly unknown[]): string[] => {
  const known = namesOf(list);
  return [...new Set(names)].filter((name): name is string => known.some((one) => one === name));
};

/** Unknown columns are ignored, and missing ones follow in their usual order. */
export function toLayout(list: SavedList, order: readonly unknown[], hidden: readonly unknown[], isCompact: boolean) {
  const first = pick(list, order);
  return {
    order: [...first, ...namesOf(list).filter((name) => !first.includes(name))],
    hidden: namesOf(list).filter((name) => hidden.includes(name)),
    isCompact,
  } satisfies Layout;
}
export const usualLayout = (list: SavedList): Layout => toLayout(list, [], [], false);

/** Null if the address says nothing of it. */
export const parseLayout = (list: SavedList, { hide, columns, density }: LayoutAddress): Layout | null =>
  hide || columns || density ? toLayout(list, columns.split('.'), hide.split('.'), density === COMPACT) : null;

export const isInUsualOrder = (list: SavedList, { order }: Layout): boolean => order.join() === namesOf(list).join();

/** `isFull`: also says that nothing is hidden. */
export const formatLayout = (list: SavedList, layout: Layout, { isFull = false } = {}): LayoutAddress => ({
  hide: layout.hidden.join('.') || (isFull ? NONE : ''),
  columns: isInUsualOrder(list, layout) ? '' : layout.order.join('.'),
  density: layout.isCompact ? COMPACT : '',
});

/** The classes of a table: those of hidden columns hide their cells (screens.css). */
export const layoutClass = (base: string, list: SavedList, layout: Layout | undefined): string =>
  layout
    ? [
        base,
        ...(isOwnGrid(list, layout) ? ['own-grid'] : []),
        ...(layout.isCompact ? [COMPACT] : []),
        ...layout.hidden.map((name) => `no-${name}`),
      ].join(' ')
    : base;

/** Users have no places that two columns share, so any change makes a grid of its own. */
const isOwnGrid = (list: SavedList, layout: Layout): boolean =>
  !isInUsualOrder(list, layout) || (list === 'users' && layout.hidden.length > 0);

/** Widths of columns: at least that wide, and wider where there is room. */
interface Width {
  min: string;
  grows?: boolean;
}
const widths: Record<string, Width> = {
  name: { min: '11ch', grows: true },
  phone: { min: '16.5ch' },
  affiliate: { min: '9.5ch', grows: true },
  referral: { min: '9.5ch', grows: true },
  ggr: { min: 'var(--ggr, 10.5ch)' },
  credit: { min: 'var(--ggr, 10.5ch)' },
  balances: { min: 'var(--balances, 21ch)' },
  state: { min: '7.5rem' },
  started: { min: 'var(--when)' },
  ended: { min: 'var(--when)' },
  about: { min: '10.5ch', grows: true },
  reference: { min: '12ch', grows: true },
  address: { min: '21ch', grows: true },
  platform: { min: '14.5ch' },
};
const usualWidth: Width = { min: '12ch' };
const ends: Record<SavedList, { email: string; actions: string }> = {
  users: { email: '17.5ch', actions: '13.2rem' },
  purchases: { email: '14ch', actions: '5.25rem' },
  deposits: { email: '14ch', actions: '5.25rem' },
  redeems: { email: '14ch', actions: '11.5rem' },
};
const toTrack = (of: readonly Width[]): string => {
  const mins = of.map(({ min }) => min);
  const min = mins.length > 1 ? `max(${mins.join(', ')})` : mins[0];
  return of.some(({ grows }) => grows) ? `minmax(${min}, 1fr)` : `${min}`;
};

/** The two grids of a table in an order of its own: side by side, and two columns in one place. */
export function layoutStyle(list: SavedList, layout: Layout | undefined): CSSProperties | undefined {
  if (!layout || !isOwnGrid(list, layout)) return undefined;
  const shown = layout.order.filter((name) => !layout.hidden.includes(name));
  const widthOf = (name: string) => widths[name] ?? usualWidth;
  const { email, actions } = ends[list];
  const places = shown.flatMap((name, n) => (n % 2 ? [] : [[name, shown[n + 1] ?? name] as const]));
  const line = (names: readonly string[]) => `"${names.join(' ')}"`;
  const style = {
    '--own-grid': `${line(['email', 'tenant', ...shown, 'actions'])} / minmax(${email}, 1.5fr) var(--tenant) ${shown
      .map((name) => toTrack([widthOf(name)]))
      .join(' ')} ${actions}`,
    '--own-pairs': `${line(['email', ...places.map(([above]) => above), 'actions'])} ${line([
      'tenant',
      ...places.map(([, below]) => below),
      'actions',
    ])} / minmax(${email}, 1.5fr) ${places
      .map(([above, below]) => toTrack([...new Set([above, below])].map(widthOf)))
      .join(' ')} ${actions}`,
  };
  return style as CSSProperties;
}
