/** axe-core in the page, past the page's own policy. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What to look at: everything, what may change with the colours alone, or with the room that there is. */
const rules = {
  all: levels,
  colours: ['color-contrast', 'link-in-text-block'],
  layout: ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable', 'heading-order'],
};
export type Rules = keyof typeof rules;

/**
 * What axe finds in that part of the page, or in the open dialog in front, behind which the page is inert: WCAG 2.2 AA
 * and axe's own best practices.
 */
export async function complaints(page: Page, which: Rules = 'all', part = 'html'): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(source);
  // No rule of these reads the style sheets, which axe would fetch and parse before it looks.
  const options = { runOnly: rules[which], resultTypes: ['violations'], preload: false };
  return page.evaluate<string[]>(`
    axe.run(
      [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector('${part}'),
      ${JSON.stringify(options)}
    ).then(({ violations }) => violations.map(({ id, nodes }) => {
        const places = nodes.slice(0, 3).map(({ html, any }) =>
          html.slice(0, 140) + ' ' + (any[0]?.message ?? '').slice(0, 160));
        return id + ': ' + places.join(' | ') + ' (' + nodes.length + ')';
      }))`);
}
