import { useEffect, useState } from 'react';

/** A phone, an upright tablet, or a window as narrow: the menu is folded. */
export const NARROW = '(max-width: 1055px)';
/** Filters would take two lines: they are folded. */
export const FOLDED = '(max-width: 1199px)';
/** Rows of lists are cards, as in the style sheets. */
export const CARDS = '(max-width: 767px)';

/** A dialog has been closed. */
export const CLOSED = 'dialogclosed';

/** Whether a media query matches, now and when that changes; while a dialog is open it waits, or that would be lost. */
export function useMediaQuery(query: string): boolean {
  const [holds, setHolds] = useState(() => typeof matchMedia === 'function' && matchMedia(query).matches);
  useEffect(() => {
    if (typeof matchMedia !== 'function') return;
    const list = matchMedia(query);
    const changed = () => document.querySelector('dialog[open]:not(.drawer)') || setHolds(list.matches);
    changed();
    list.addEventListener('change', changed);
    addEventListener(CLOSED, changed);
    return () => {
      list.removeEventListener('change', changed);
      removeEventListener(CLOSED, changed);
    };
  }, [query]);
  return holds;
}
