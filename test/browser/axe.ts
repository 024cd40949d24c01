/** axe-core in the page, past the page's own policy, on every view in every look. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { View } from './axeViews';
import { newVisit, type Person, type Visit } from './harness';
import { button, settled } from './seen';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
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

/** What a finger or the pointer cannot hit in the middle, because something else lies over it that nobody opened. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const controls = 'a[href], button:enabled, select:enabled, input:enabled, summary',
      opened = '[role=menu], [role=listbox], [role=group][aria-label=Notifications], [aria-label=Messages]';
    const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector('main');
    // What is for screen readers alone is 1 px wide; a box that is none has no width, nor has a picture's part.
    const hasPlace = (one: HTMLElement) => !(one.offsetWidth <= 1) || getComputedStyle(one).display === 'contents';
    const isForEyes = (one: HTMLElement | null): boolean => !one || (hasPlace(one) && isForEyes(one.parentElement));
    const found = [...(place?.querySelectorAll<HTMLElement>(controls) ?? [])].flatMap((one) => {
      if (!one.checkVisibility({ visibilityProperty: true }) || !isForEyes(one)) return [];
      one.scrollIntoView({ block: 'center', inline: 'center' });
      const [{ x, y, width, height } = new DOMRect()] = one.getClientRects();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      if (one.contains(hit) || hit?.closest('label')?.contains(one) || hit?.closest(opened)) return [];
      return [`${one.outerHTML.slice(0, 120)} lies below ${hit?.outerHTML.slice(0, 80)}`];
    });
    for (const one of document.querySelectorAll('*')) if (one.scrollTop || one.scrollLeft) one.scrollTo(0, 0);
    return found;
  });

/**
 * All rules wide and light; then dark on a phone what colours and room can change. Bar and menu are the same on every
 * screen, so most are looked at without, and dark wide are those whose wide parts have colours of their own.
 */
export async function inAllLooks(page: Page, name: string, { unfold, whole }: Partial<View> = { whole: true }) {
  const found: string[] = [];
  const look = async (width: number, colorScheme: 'light' | 'dark', rules: Rules) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    // On a narrow screen the app folds its menu, a moment after the styles know of the width; not below a dialog.
    if (width < 1056)
      await page.waitForFunction(
        () => !document.querySelector('.with-side > .side') || document.querySelector('dialog[open]'),
      );
    await unfold?.(page);
    await settled(page);
    const seen = await complaints(page, rules, whole ? 'html' : 'main');
    if (rules !== 'colours') seen.push(...(await covered(page)));
    found.push(...seen.map((words) => `${name}, ${width} px, ${colorScheme}: ${words}`));
  };
  const isDialog = (await page.locator('dialog[open]').count()) > 0;
  if (await page.locator('.bar dialog[open]').count()) found.push(`${name}: a dialog in a bar has the styles of bars`);
  await look(1280, 'light', 'all');
  if (whole && !isDialog) await look(1280, 'dark', 'colours');
  await look(390, 'dark', unfold ? 'all' : 'layout');
  if (isDialog && !(await page.locator('dialog[open]').count())) found.push(`${name}: closed by the width`);
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

/** The first rows of each list are enough to look at: the hundredth is made like them. */
async function withShortLists(page: Page): Promise<void> {
  const own = 'user/\\d+/(ledger|purchases|redeems)',
    lists = `purchases|deposits|returns|redeems|new-players-today|user-management/users/|audit|${own}`;
  await page.route(new RegExp(`/api/v1/admin/(${lists})(\\?|$)`), async (route) => {
    const response = await route.fetch(),
      answer: unknown = await response.json();
    const short = (of: unknown): unknown => (Array.isArray(of) ? of.slice(0, 6) : of);
    await route.fulfill({
      response,
      json: Array.isArray(answer)
        ? short(answer)
        : Object.fromEntries(Object.entries(Object(answer)).map(([key, of]) => [key, short(of)])),
    });
  });
}

/** To a screen: loaded anew only where a dialog stays open, since to begin anew takes longer than to look. */
async function comeTo({ page, goTo }: Visit, path: string): Promise<void> {
  const inFront = page.locator('dialog[open], [role=menu]'),
    discard = button(page, 'Discard');
  for (let left = 3; left > 0; left--) {
    await page.keyboard.press('Escape');
    if (await discard.count()) await discard.click();
    if (!(await inFront.count())) break;
  }
  await settled(page); // closing may lead back
  if (await inFront.count()) await goTo(path);
  else await page.evaluate((path) => history.pushState(null, '', path), path);
}

/** Of each visit: the page's own policy would refuse axe. */
export const options = { bypassCSP: true };
export async function look(person: Person, views: readonly View[]): Promise<void> {
  const visit = await newVisit(options),
    { page } = visit,
    found: string[] = [];
  await withShortLists(page);
  await visit.signIn(person);
  for (const view of views) {
    await comeTo(visit, view.path);
    await page.locator('main h2').first().waitFor();
    await settled(page);
    await view.open?.(page);
    await settled(page);
    found.push(...(await inAllLooks(page, view.name, view)));
  }
  assert.is(found.join('\n'), '');
}
