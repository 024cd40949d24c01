import type { ReactNode } from 'react';

/**
 * A frame in which a wide or long table scrolls, also with the keyboard; its head and its first column stay in sight.
 * The label is the table's name. `isLong`: it takes what the window has left.
 */
export const TableFrame = ({
  label,
  isLong = false,
  children,
}: {
  label: string;
  isLong?: boolean;
  children: ReactNode;
}) => (
  <div className={isLong ? 'frame long' : 'frame'} role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);
