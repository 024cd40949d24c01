/** What is done in a page that is drawn but not yet taken over by React. */
import { page } from './first';

/** Remembers the button pressed last and what is chosen in lists below `root`; `page.again` does it once more when it does something. */
export function rememberInput(root: HTMLElement): void {
  let pressed: HTMLElement | null = null;
  const chosen = new Map<Element & { value: unknown }, unknown>();
  root.addEventListener('click', ({ target }) => {
    if (!page.isTakenOver && target instanceof Element) pressed = target.closest('button');
  }, true);
  root.addEventListener('change', ({ target }) => {
    if (page.again && target instanceof Element && target.tagName === 'SELECT' && 'value' in target) chosen.set(target, target.value);
  }, true);
  page.again = () => {
    for (const [select, value] of chosen) {
      select.value = value; // React has put back what it began with
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }
    if (pressed?.isConnected) pressed.click();
  };
}
