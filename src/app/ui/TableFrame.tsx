import type { ReactNode } from 'react';

type Props = { label: string; isLong?: boolean; children: ReactNode };
/** A frame in which a wide table scrolls, also with the keyboard. `isLong`: it takes what the window has left. */
export const TableFrame = ({ label, isLong = false, children }: Props) => (
  <div className={isLong ? 'frame long' : 'frame'} role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);
