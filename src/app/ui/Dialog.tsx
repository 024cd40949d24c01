import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { useToastHost } from '../toasts';

/**
 * A modal dialog. Mount it to open, unmount it to close: `{showing && <Dialog … />}`.
 * The browser keeps the focus inside and Escape calls `onClose`; closed, the focus is back where it came from.
 */
export function Dialog({ title, onClose, wide = false, children }: { title: string; onClose: () => void; wide?: boolean; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useToastHost(dialog);

  useLayoutEffect(() => {
    const element = dialog.current, opener = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      queueMicrotask(() => { // once the page stands as the closing left it
        for (const target of [opener, document.querySelector('main')]) {
          // The row with the opener may have gone, or its button may be locked until the reload has landed.
          if ((document.activeElement ?? document.body) === document.body && target instanceof HTMLElement && target !== document.body) target.focus({ preventScroll: true });
        }
      });
    };
  }, []);

  return (
    <dialog ref={dialog} onClose={onClose} aria-label={title} className={wide ? 'wide' : undefined}>
      <article>
        <header><h2>{title}</h2></header>
        {children}
      </article>
    </dialog>
  );
}
