import { createContext, type ReactNode, type RefObject, useContext, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { CLOSED } from '../hooks/useMediaQuery';
import { SessionContext } from '../state/session';
import { useToastHost } from '../state/toasts';
import { Button } from './Button';
import { focusOnMount } from './focusOnMount';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Something was typed before it was opened. */
  isChanged?: boolean | undefined;
  /** The person throws away what they typed; `onClose` follows. */
  onDiscard?: () => void;
  wide?: boolean;
  withClose?: boolean;
  beside?: ReactNode;
  children: ReactNode;
}

const CloseContext = createContext<() => void>(() => undefined);
/** Closes the dialog around it, after a question if something typed would be lost. */
const useCloseDialog = (): (() => void) => useContext(CloseContext);

/** The button that closes the dialog around it. */
export const CloseButton = ({ children = 'Close' }: { children?: string }) => (
  <Button onClick={useCloseDialog()}>{children}</Button>
);

const CloseFooter = () => (
  <footer>
    <CloseButton />
  </footer>
);

/**
 * A modal dialog. Mount it to open, unmount it to close: `{isOpen && <Dialog … />}`. Escape calls `onClose`. After
 * closing, the focus returns to where it was. Before what was typed into its forms is thrown away, it asks; and it
 * stays open while it holds something that is shown only once (`data-once`).
 */
export function Dialog({ title, onClose, isChanged, onDiscard, wide, withClose, beside, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useTyped(dialog, isChanged === true);
  const [asks, setAsks] = useState<'discard' | 'once' | null>(null);
  const before = useRef<Element | null>(null);
  const isGone = useRef(false);
  // In front of a server that offers nothing beyond the contract, dialogs are those of the contract.
  const mayAsk = useContext(SessionContext)?.session.user?.features !== undefined;
  useLayoutEffect(() => {
    const element = dialog.current;
    isGone.current = false;
    const opener = document.activeElement;
    const place = opener?.parentElement;
    const { style, clientWidth } = document.documentElement;
    style.setProperty('--gutter', window.innerWidth > clientWidth ? 'stable' : 'auto');
    element?.showModal();
    focusTheWhole(element?.querySelector('article'));
    return () => {
      isGone.current = true;
      element?.close();
      queueMicrotask(() => whenClosed(opener, place)); // after the page has rendered without the dialog
    };
  }, []);
  useToastHost(dialog); // after showModal(), so that messages open above the dialog

  function findObstacle(): typeof asks {
    if (dialog.current?.querySelector('[data-once]')) return 'once';
    if (!mayAsk) return null;
    return typed.isChanged() ? 'discard' : null;
  }
  function close(): void {
    const obstacle = findObstacle();
    if (!obstacle) return onClose();
    before.current = document.activeElement;
    setAsks(obstacle);
    if (obstacle === 'once') dialog.current?.querySelector<HTMLElement>('[data-once] button')?.focus();
  }
  function stay(): void {
    setAsks(null);
    if (before.current instanceof HTMLElement) before.current.focus();
  }

  return (
    <dialog
      ref={dialog}
      aria-label={title}
      className={wide ? 'wide' : undefined}
      onFocus={typed.learn}
      onPointerDown={typed.learn}
      onInput={() => asks === 'discard' && setAsks(null)}
      onKeyDown={(event) => {
        const isOwn = event.target instanceof Element && event.target.closest('dialog') === dialog.current;
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing || !isOwn) return;
        if (asks !== 'discard' && !findObstacle()) return;
        event.preventDefault();
        if (asks === 'discard') stay();
        else close();
      }}
      onCancel={(event) => {
        if (event.target !== dialog.current || !findObstacle()) return;
        event.preventDefault();
        close();
      }}
      onClose={(event) => {
        if (event.target !== dialog.current) return; // React passes on that a dialog inside was closed
        if (isGone.current) return; // closed by its own unmounting
        if (!findObstacle()) return onClose();
        dialog.current?.showModal(); // the browser does not let a page refuse twice
        close();
      }}
    >
      <article>
        <CloseContext value={close}>
          <header>
            <h2>{title}</h2>
            {beside}
          </header>
          {children}
          {asks === 'once' && <SaveFirst />}
          {withClose && <CloseFooter />}
        </CloseContext>
        {asks === 'discard' && (
          <DiscardQuestion
            onStay={stay}
            onDiscard={() => {
              onDiscard?.();
              onClose();
            }}
          />
        )}
      </article>
    </dialog>
  );
}

/** A table that scrolls is no control: instead of it the dialog itself has the focus at first. */
function focusTheWhole(article: HTMLElement | null | undefined): void {
  if (!article || !document.activeElement?.matches('[role="region"]')) return;
  article.tabIndex = -1;
  article.focus();
}

const SaveFirst = () => (
  <p className="why" role="alert">
    This is shown only once. Save it first, and confirm that you have.
  </p>
);

const DiscardQuestion = ({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) => (
  <div className="ask bar" role="alert">
    <b>Discard changes?</b>
    <button type="button" className="secondary" ref={focusOnMount} onClick={onStay}>
      Keep editing
    </button>
    <Button className="secondary danger" onClick={onDiscard}>
      Discard
    </Button>
  </div>
);

/**
 * The browser has returned the focus, unless the opener is gone, or disabled until a reload has finished. Then it
 * goes to the button in the same place, or else to the first row of the dialog below it, or to the screen.
 */
function whenClosed(opener: Element | null, place: Element | null | undefined): void {
  flushSync(() => dispatchEvent(new Event(CLOSED)));
  for (const target of [
    opener,
    opener?.isConnected ? null : place?.querySelector('button'),
    [...document.querySelectorAll('dialog[open]')].at(-1)?.querySelector('tbody button, footer button:not(.danger)'),
    document.querySelector('main'),
  ]) {
    if ((document.activeElement ?? document.body) !== document.body) return;
    if (target instanceof HTMLElement && target !== document.body) target.focus({ preventScroll: true });
  }
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** What a person fills in, except filters, which change nothing, and messages. */
const controlsIn = (dialog: Element | null): Control[] =>
  [...(dialog?.querySelectorAll('form') ?? [])]
    .filter((form) => form.getAttribute('role') !== 'search' && !form.closest('.toasts'))
    .flatMap((form) => [...form.elements])
    .filter((element): element is Control => element.matches('input:not([readonly]), select, textarea'));
const read = (control: Control): string =>
  control instanceof HTMLInputElement && control.type === 'checkbox' ? String(control.checked) : control.value;

/** Whether something in the forms of a dialog was changed: since it was opened, or with `isRestored` before. */
function useTyped(dialog: RefObject<Element | null>, isRestored: boolean) {
  const known = useRef(new WeakMap<Element, string>());
  /** Remembers the values of controls that are new. One can only be changed after it got the focus or the pointer. */
  const learn = () => {
    for (const control of controlsIn(dialog.current))
      if (!known.current.has(control)) known.current.set(control, read(control));
  };
  // 'Start over' brings back the values that count as unchanged.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only then
  useLayoutEffect(() => {
    known.current = new WeakMap();
    learn();
  }, [isRestored]);
  const isOther = (control: Control) => known.current.has(control) && known.current.get(control) !== read(control);
  return { learn, isChanged: () => isRestored || controlsIn(dialog.current).some(isOther) };
}
