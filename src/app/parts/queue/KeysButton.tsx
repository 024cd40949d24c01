import { useEffect, useRef } from 'react';
import type { MoneyList } from '../../../contract/constants';
import { listen } from '../../api/listen';
import { lazyWithRetry } from '../../ui/lazyWithRetry';
import { DialogButton } from '../DialogButton';
import { isTyping } from './useTableKeys';

const Keys = lazyWithRetry(() => import('./Keys').then((file) => file.Keys));

/** 'Keys', and the key '?', list the keys of the table. */
export function KeysButton(of: { list: MoneyList; takes: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    return listen(['keydown'], ({ key, target }: KeyboardEvent) => {
      const isBusy = (target instanceof Element && isTyping(target)) || document.querySelector('dialog[open]');
      if (key === '?' && !isBusy) button.current?.click();
    });
  }, []);
  return (
    <DialogButton ref={button} aria-keyshortcuts="?" title="?" dialog={(onClose) => <Keys {...of} onClose={onClose} />}>
      Keys
    </DialogButton>
  );
}
