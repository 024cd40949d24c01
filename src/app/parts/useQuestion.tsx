import { type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import type { ChangeReason } from '../../contract/entities';
import { useFeature } from '../state/session';
import { lazyWithRetry } from '../ui/lazyWithRetry';
import type { Asked } from './ChangeDialog';

const ChangeDialog = lazyWithRetry(() => import('./ChangeDialog').then((file) => file.ChangeDialog));

export interface Question extends Asked {
  /** Asked only where the server takes reasons: a plain server's people know no question here. */
  isExtra?: boolean;
  hasNoReason?: boolean;
}

/** Asks before a change: a dialog, or the browser where the server takes no reasons. `ask` resolves to null for no. */
export function useQuestion({ isExtra = false, hasNoReason = isExtra, ...asked }: Question): {
  ask: (about?: string) => Promise<ChangeReason | null>;
  dialog: ReactNode;
} {
  const hasReasons = useFeature('reasons');
  const [answer, setAnswer] = useState<((changeReason: ChangeReason | null) => void) | null>(null);
  const [about, setAbout] = useState<string>();
  return {
    ask: async (about) => {
      setAbout(about);
      if (!hasReasons) return isExtra || confirm(asked.question) ? {} : null;
      return new Promise((resolve) => setAnswer(() => resolve));
    },
    // Rows ask, and a dialog inside of a table would look like a part of it.
    dialog:
      answer &&
      createPortal(
        <ChangeDialog
          {...asked}
          about={about ?? asked.about}
          takesReason={!hasNoReason}
          onAnswer={(changeReason) => {
            setAnswer(null);
            answer(changeReason);
          }}
        />,
        document.body,
      ),
  };
}
