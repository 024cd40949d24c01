import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { MoneyList } from '../../../contract/constants';
import { Button } from '../../ui/Button';
import { lazyWithRetry } from '../../ui/lazyWithRetry';
import { isTyping } from './useTableKeys';

const Keys = lazyWithRetry(() => import('./Keys').then((file) => file.Keys));

/** 'Keys', and the key '?', list the keys of the table. */
export function KeysButton(of: { list: MoneyList; takes: boolean }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    function onKey({ key, target }: KeyboardEvent): void {
      const isBusy = (target instanceof Element && isTyping(target)) || document.querySelector('dialog[open]');
      if (key === '?' && !isBusy) setOpen(true);
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Button aria-haspopup="dialog" aria-keyshortcuts="?" title="?" onClick={() => setOpen(true)}>
        Keys
      </Button>
      {/* Outside the bar, which has styles of its own. */}
      {isOpen && createPortal(<Keys {...of} onClose={() => setOpen(false)} />, document.body)}
    </>
  );
}
