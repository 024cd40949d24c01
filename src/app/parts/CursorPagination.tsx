import { useState } from 'react';
import { Button } from '../ui/Button';

export interface Cursors {
  /** The cursor of the page to show; undefined for the newest. */
  cursor: number | undefined;
  newer: (() => void) | undefined;
  older: (next: number) => void;
}

/** The pages of a list that is newest first. A change of `filter` goes back to the newest page. */
export function useCursors(filter = ''): Cursors {
  const [state, setState] = useState<{ filter: string; cursors: readonly number[] }>({ filter, cursors: [] });
  const cursors = state.filter === filter ? state.cursors : [];
  const goTo = (to: readonly number[]) => setState({ filter, cursors: to });
  return {
    cursor: cursors.at(-1),
    newer: cursors.length ? () => goTo(cursors.slice(0, -1)) : undefined,
    older: (next) => goTo([...cursors, next]),
  };
}

type Props = { cursors: Cursors; page: { busy: boolean; data: { next_cursor: number | null } | undefined } };
/** The buttons that go to the newer and the older page. */
export function CursorPagination({ cursors, page }: Props) {
  const next = page.data?.next_cursor;
  if (!cursors.newer && next == null) return null;
  return (
    <>
      <Button disabled={!cursors.newer || page.busy} onClick={cursors.newer}>
        Newer
      </Button>
      <Button disabled={next == null || page.busy} onClick={() => next != null && cursors.older(next)}>
        Older
      </Button>
    </>
  );
}
