import type { ReactNode } from 'react';

/** The frame in which a wide or long table scrolls by itself, by keyboard too. The label names the table. */
export const TableFrame = ({ label, children }: { label: string; children: ReactNode }) =>
  <div className="frame" role="region" aria-label={label} tabIndex={0}>{children}</div>;
