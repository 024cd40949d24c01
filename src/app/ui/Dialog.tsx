import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { useToastHost } from '../state/toasts';

/**
 * A modal dialog. Mount it to open, unmount it to close: `{showing && <Dialog … />}`.
 * The browser keeps the focus inside and Escape calls `onClose`; closed, the focus is back where it came from.
 * It stands first and is modal in the next moment: to make a long list behind it inert takes longer than to show it.
 */
export function Dialog({ title, onClose, wide = false, children }: { title: string; onClose: () => void; wide?: boolean; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isModal = useRef(false);
  useToastHost(dialog);

  useLayoutEffect(() => {
    const element = dialog.current, opener = document.activeElement, place = opener?.parentElement;
    let timer: ReturnType<typeof setTimeout> | undefined;
    element?.show();
    const frame = requestAnimationFrame(() => { timer = setTimeout(becomeModal); });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      element?.close();
      queueMicrotask(() => { // once the page stands as the closing left it
        for (const target of [opener, opener?.isConnected ? null : place?.querySelector('button'), document.querySelector('main')]) {
          // Another button may stand where the opener was, its whole row may have gone, or it may be locked until the reload has landed.
          if ((document.activeElement ?? document.body) === document.body && target instanceof HTMLElement && target !== document.body) target.focus({ preventScroll: true });
        }
      });
    };

    function becomeModal(): void {
      const focused = document.activeElement, caret = focused instanceof HTMLInputElement ? focused.selectionStart : null, kinds = ['focusin', 'focusout'];
      const hush = (event: Event) => event.stopImmediatePropagation();
      for (const kind of kinds) addEventListener(kind, hush, true); // a list that opens below what is typed closes when the focus leaves
      element?.removeAttribute('open'); // unlike close(), tells nobody
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true }); // it is to whom the browser gives the focus back
      element?.showModal();
      const messages = element?.querySelector<HTMLElement>('[popover]'); // opened before, they would lie below it
      messages?.hidePopover?.();
      messages?.showPopover?.();
      isModal.current = true;
      if (focused instanceof HTMLElement && element?.contains(focused)) focused.focus({ preventScroll: true }); // it may have moved on
      if (focused instanceof HTMLInputElement && focused.value && /^(text|search|tel|password|email|number)$/.test(focused.type)) { // WebKit has the caret before what was typed
        const { type } = focused;
        if (caret === null) focused.type = 'text'; // others have no caret to be set
        focused.setSelectionRange(caret ?? focused.value.length, caret ?? focused.value.length);
        if (caret === null) focused.type = type;
      }
      for (const kind of kinds) removeEventListener(kind, hush, true);
    }
  }, []);

  return (
    <dialog ref={dialog} aria-label={title} className={wide ? 'wide' : undefined} onClose={onClose}
      onKeyDown={({ key }) => { if (key === 'Escape' && !isModal.current) onClose(); }}>
      <article>
        <header><h2>{title}</h2></header>
        {children}
      </article>
    </dialog>
  );
}
