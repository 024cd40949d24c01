import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { listen } from '../api/listen';

export interface MenuItem {
  label: string;
  onSelect: () => void;
}

type Props = { label: string; opener: HTMLElement; items: readonly MenuItem[]; onClose: () => void };
/**
 * A menu below the button that opened it, above it if there is no room. Mount it to open. Arrow keys, Home, End and
 * first letters move in it; Escape, Tab and a click elsewhere close it, and the focus returns to the button.
 */
export function Menu({ label, opener, items, onClose }: Props) {
  const menu = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useLayoutEffect(() => {
    const element = menu.current;
    element?.showPopover?.();
    if (element) placeBelow(element, opener);
    element?.querySelector('button')?.focus({ preventScroll: true });
    opener.setAttribute('aria-expanded', 'true');
    return () => opener.setAttribute('aria-expanded', 'false');
  }, [opener]);
  useEffect(() => {
    const isOutside = ({ target }: Event) =>
      !(target instanceof Node && (menu.current?.contains(target) || opener.contains(target)));
    const leave = (event: Event) => isOutside(event) && close.current();
    const follow = () => menu.current && placeBelow(menu.current, opener);
    const ends = [listen(['pointerdown', 'focusin'], leave, true), listen(['scroll', 'resize'], follow, true)];
    return () => {
      for (const end of ends) end();
    };
  }, [opener]);

  function back(): void {
    opener.focus({ preventScroll: true });
    onClose();
  }
  function move(event: KeyboardEvent<HTMLElement>): void {
    if (event.key === 'Tab') return back(); // the browser goes on from the button
    const buttons = [...event.currentTarget.querySelectorAll('button')],
      at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const startsWith = (one: HTMLElement) => one.textContent?.toLowerCase().startsWith(event.key.toLowerCase());
    const next =
      { ArrowDown: buttons[at + 1] ?? buttons[0], ArrowUp: buttons.at(at - 1), Home: buttons[0], End: buttons.at(-1) }[
        event.key
      ] ?? [...buttons.slice(at + 1), ...buttons].find(startsWith);
    if (event.key !== 'Escape' && !next) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') back();
    else next?.focus();
  }

  // Not where it is opened, which may be a cell with styles of its own.
  return createPortal(
    <div ref={menu} popover="manual" className="menu" role="menu" aria-label={label} onKeyDown={move}>
      {items.map(({ label, onSelect }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            back(); // first, so that the focus returns to the button after a dialog
            onSelect();
          }}
        >
          {label}
        </button>
      ))}
    </div>,
    opener.closest('dialog, main') ?? document.body,
  );
}

function placeBelow(menu: HTMLElement, opener: HTMLElement): void {
  const at = opener.getBoundingClientRect(),
    { width, height } = menu.getBoundingClientRect();
  const isAbove = at.bottom + height > window.innerHeight && at.top > height;
  menu.style.left = `${Math.max(8, at.right - width)}px`;
  menu.style.top = `${isAbove ? at.top - height : at.bottom}px`;
}
