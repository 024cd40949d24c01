import { type ComponentProps, useEffect, useState } from 'react';
import { Button } from '../../ui/Button';
import { lazyWithRetry } from '../../ui/lazyWithRetry';

const Keys = lazyWithRetry(() => import('./Keys').then((file) => file.Keys));

/** That a list has keys; '?' tells all of them. */
export function KeyHint(keys: Omit<ComponentProps<typeof Keys>, 'onClose'>) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    function onKey({ key, target }: KeyboardEvent): void {
      const isTyping = target instanceof Element && target.closest('input:not(.pick), select, textarea');
      if (key === '?' && !isTyping && !document.querySelector('dialog[open]')) setOpen(true);
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <p className="bar">
      <small>
        Keys in the table: <kbd>j</kbd> next, <kbd>k</kbd> previous
        {keys.mayDecide && (
          <>
            , <kbd>s</kbd> success, <kbd>f</kbd> failed
          </>
        )}
      </small>
      <Button className="chip" aria-keyshortcuts="?" onClick={() => setOpen(true)}>
        All keys: ?
      </Button>
      {isOpen && <Keys {...keys} onClose={() => setOpen(false)} />}
    </p>
  );
}
