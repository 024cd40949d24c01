import { useRef, useState } from 'react';
import { UNDO_MS } from '../../../contract/constants';
import { useFeature } from '../../state/session';
import { hasUndo, saveUndo } from '../../state/undo';

interface UndoClock {
  /** Whether a decision waits five seconds before it is sent; undefined if the server offers no work queue. */
  waits: boolean | undefined;
  setWaits: (waits: boolean) => void;
  /** Calls it when the decision of this key can no longer be undone: in five seconds, or at once if nothing waits. */
  start: (key: number, send: () => void) => void;
  stop: (key: number) => void;
}

/** How long decisions can be undone. */
export function useUndoClock(): UndoClock {
  const isQueue = useFeature('queue');
  const [waits, setWaits] = useState(() => (isQueue ? hasUndo() : undefined));
  const timers = useRef(new Map<number, ReturnType<typeof setTimeout>>());
  return {
    waits,
    setWaits: (next) => {
      saveUndo(next);
      setWaits(next);
    },
    start: (key, send) => {
      if (waits) timers.current.set(key, setTimeout(send, UNDO_MS));
      else send();
    },
    stop: (key) => clearTimeout(timers.current.get(key)),
  };
}
