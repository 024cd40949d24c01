import { listen } from '../../api/listen';

/**
 * Prints one element in place of the page, whether by a button or by the browser's own command. Returns how to stop. A
 * modal dialog would be cut off at the end of the first sheet, so a copy of the element is printed.
 */
export function printAlone(find: () => HTMLElement | null): () => void {
  let restore = () => {};
  const before = () => {
    const element = find();
    if (!element) return;
    restore();
    const copy = element.cloneNode(true);
    const hidden = [...document.body.children].flatMap((child) =>
      child instanceof HTMLElement ? [{ child, display: child.style.display }] : [],
    );
    // The style sheet for paper shows whatever contains a list.
    for (const { child } of hidden) child.style.setProperty('display', 'none', 'important');
    document.body.append(copy);
    restore = () => {
      document.body.removeChild(copy);
      for (const { child, display } of hidden) child.style.display = display;
      restore = () => {};
    };
  };
  const ends = [listen(['beforeprint'], before), listen(['afterprint'], () => restore())];
  return () => {
    restore();
    for (const end of ends) end();
  };
}
