import { Children, isValidElement, type ReactNode } from 'react';

/** The column of a cell is one of its classes. */
const classesOf = (cell: ReactNode): string[] =>
  isValidElement<{ className?: string }>(cell) ? (cell.props.className ?? '').split(' ') : [];

/**
 * The cells of a row in an order of their own. Those that no order names stay at its two ends: whose row it is at the
 * beginning, the actions at the end.
 */
export function Cells({ order, children }: { order: readonly string[] | undefined; children: ReactNode }) {
  // As a list in any case: else each cell would be made anew, and lose the focus, when the order arrives.
  const cells = Children.toArray(children);
  if (!order) return cells;
  const placeOf = (cell: ReactNode) => {
    const classes = classesOf(cell);
    return classes.includes('actions') ? order.length : order.findIndex((name) => classes.includes(name));
  };
  return cells.sort((a, b) => placeOf(a) - placeOf(b));
}
