/** Finds elements in a page as a person does; page.ts puts it there and asks it. */
import { queryAllByLabelText, queryAllByRole } from '@testing-library/dom';

/** Words as they are wanted: exactly, as a part in whatever case, or by a pattern. */
export type Words = { text: string; exact: boolean } | { source: string; flags: string };
/** One step from elements to elements within them, or to some of them. */
export type Step =
  | { by: 'role'; role: string; name: Words | null }
  | { by: 'label' | 'text' | 'containing'; words: Words }
  | { by: 'css' | 'xpath'; path: string }
  | { by: 'having'; steps: readonly Step[] }
  | { by: 'nth'; index: number };

const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim();
function matcher(words: Words): (text: string | null) => boolean {
  if ('source' in words) return (text) => new RegExp(words.source, words.flags).test(plain(text));
  if (words.exact) return (text) => plain(text) === plain(words.text);
  return (text) => plain(text).toLowerCase().includes(plain(words.text).toLowerCase());
}

/** The smallest elements with that text. */
function withText(scope: Element, words: Words): Element[] {
  const matches = matcher(words);
  const found = [...scope.querySelectorAll('*')].filter(
    (element) => !/^(script|style|noscript)$/i.test(element.tagName) && matches(element.textContent),
  );
  return found.filter((element) => !found.some((other) => other !== element && element.contains(other)));
}

function byPath(scope: Element, path: string): Element[] {
  const nodes = document.evaluate(path, scope, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE),
    found: Element[] = [];
  for (let at = 0; at < nodes.snapshotLength; at++) {
    const node = nodes.snapshotItem(at);
    if (node instanceof Element) found.push(node);
  }
  return found;
}

function within(scope: Element, step: Exclude<Step, { by: 'nth' }>): Element[] {
  switch (step.by) {
    case 'role':
      return queryAllByRole(scope as HTMLElement, step.role, step.name ? { name: matcher(step.name) } : {});
    case 'label':
      return queryAllByLabelText(scope as HTMLElement, matcher(step.words));
    case 'text':
      return withText(scope, step.words);
    case 'css':
      return [...scope.querySelectorAll(step.path)];
    case 'xpath':
      return byPath(scope, step.path);
    case 'containing':
      return matcher(step.words)(scope.textContent) ? [scope] : [];
    case 'having':
      return find(step.steps, scope).length ? [scope] : [];
  }
}

function find(steps: readonly Step[], scope: Element = document.documentElement): Element[] {
  let found = [scope];
  for (const step of steps) {
    if (step.by === 'nth') found = found.slice(step.index, step.index + 1 || undefined);
    else found = [...new Set(found.flatMap((one) => within(one, step)))];
  }
  return found;
}

/** Whether there is anything of it to be seen. */
function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
}

declare global {
  interface Window {
    inPage: { find: typeof find; isSeen: typeof isSeen };
    clicked?: boolean;
  }
}
window.inPage = { find, isSeen };
