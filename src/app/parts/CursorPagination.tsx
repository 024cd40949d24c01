import { useState } from 'react';

export interface Cursors {
  /** The cursor of the page to show; undefined for the newest. */
  cursor: number | undefined;
  newer: (() => void) | undefined;
  older: (next: number) => void;
}

/** The pages of a list that is newest first. A change of `asked`, the filter, goes back to the newest page. */
export function useCursors(asked = ''): Cursors {
  const [turned, setTurned] = useState<{ asked: string; cursors: readonly number[] }>({ asked, cursors: [] });
  const cursors = turned.asked === asked ? turned.cursors : [];
  const turnTo = (to: readonly number[]) => setTurned({ asked, cursors: to });
  return { cursor: cursors.at(-1), newer: cursors.length ? () => turnTo(cursors.slice(0, -1)) : undefined, older: (next) => turnTo([...cursors, next]) };
}

/** The buttons that go to the newer and the older page. */
export function CursorPagination({ cursors, page }: { cursors: Cursors; page: { busy: boolean; data: { next_cursor: number | null } | undefined } }) {
  const next = page.data?.next_cursor;
  return (
    <>
      <button type="button" className="secondary" disabled={!cursors.newer || page.busy} onClick={cursors.newer}>Newer</button>
      <button type="button" className="secondary" disabled={next == null || page.busy} onClick={() => next != null && cursors.older(next)}>Older</button>
    </>
  );
}
