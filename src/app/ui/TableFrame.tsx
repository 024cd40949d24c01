import type { ReactNode } from 'react';

/** A frame in which a wide or long table scrolls, also with the keyboard. The label is the table's name. */
export const TableFrame = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="frame" role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);
