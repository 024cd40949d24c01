import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useToastHost } from '../state/toasts';

interface DialogProps {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}

/**
 * A modal dialog. Mount it to open, unmount it to close: `{isOpen && <Dialog … />}`. Escape calls `onClose`. After
 * closing, the focus returns to where it was.
 */
export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    const place = opener?.parentElement;
    element?.showModal();
    return () => {
      element?.close();
      queueMicrotask(() => returnFocus(opener, place)); // after the page has rendered without the dialog
    };
  }, []);
  useToastHost(dialog); // after showModal(), so that messages open above the dialog

  return (
    <dialog ref={dialog} aria-label={title} className={wide ? 'wide' : undefined} onClose={onClose}>
      <article>
        <header>
          <h2>{title}</h2>
        </header>
        {children}
      </article>
    </dialog>
  );
}

/**
 * The browser has returned the focus already, unless the opener is gone or disabled until a reload has finished. Then
 * it goes to the button in the same place, or else to the screen.
 */
function returnFocus(opener: Element | null, place: Element | null | undefined): void {
  for (const target of [
    opener,
    opener?.isConnected ? null : place?.querySelector('button'),
    document.querySelector('main'),
  ]) {
    if ((document.activeElement ?? document.body) !== document.body) return;
    if (target instanceof HTMLElement && target !== document.body) target.focus({ preventScroll: true });
  }
}
