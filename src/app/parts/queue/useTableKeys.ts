import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';

type TableKeys = Partial<Record<string, () => void>>;

const hasModifier = (event: { ctrlKey: boolean; metaKey: boolean; altKey: boolean }): boolean =>
  event.ctrlKey || event.metaKey || event.altKey;

const dialogOf = (element: Element | null) => element?.closest('dialog') ?? null;

export const isTyping = (target: Element) =>
  target.closest('input:not(.pick), select, textarea, [contenteditable]') !== null;

/** Keys that press what names them: in the row that is here, or in what is looked up below it. */
export function keysOfControls(box: RefObject<HTMLElement | null>, here: () => number | undefined): TableKeys {
  const press = (key: string, within = '') =>
    box.current?.querySelector<HTMLElement>(`${within} [aria-keyshortcuts="${key}"]`)?.click();
  const inRow = (key: string) => () => press(key, `[data-id="${here()}"]`);
  return { x: inRow('x'), d: inRow('d'), l: inRow('l'), c: () => press('c'), o: () => press('o') };
}

/**
 * The keys of a table in the `box`. They do nothing in an input, with a modifier, or in a dialog over the table. While
 * nothing has the focus, `j` leads into the table.
 */
export function useTableKeys(box: RefObject<HTMLElement | null>, keys: TableKeys): (event: KeyboardEvent) => void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    function onKey(event: globalThis.KeyboardEvent): void {
      const isNowhere = document.activeElement === document.body || document.activeElement?.matches('main, dialog');
      const open = [...document.querySelectorAll('dialog[open]')].at(-1) ?? null;
      if (event.key === 'j' && !hasModifier(event) && isNowhere && open === dialogOf(box.current))
        latest.current['j']?.();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [box]);

  return (event) => {
    const { target, key, repeat } = event;
    const act = keys[key];
    if (!act || hasModifier(event) || event.nativeEvent.isComposing || !(target instanceof Element)) return;
    if (isTyping(target) || dialogOf(target) !== dialogOf(box.current)) return;
    if (repeat && key !== 'j' && key !== 'k') return;
    act();
    event.preventDefault();
  };
}
