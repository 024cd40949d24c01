/** The frame of the app from 320 to 1920 px: nothing is cut, nothing is beside the window, and nothing moves. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Visit } from './harness';
import { settled } from './seen';

let visit: Visit;
test.before(async () => {
  visit = await newVisit({ reducedMotion: 'reduce' });
  await visit.signIn('ann');
});
test.after(() => visit.close());

/** What is cut, or beside the window, in the bar, the menu and the head of the screen. */
const faultsOf = (page: Page) =>
  page.evaluate(() => {
    const parts = [
      ...document.querySelectorAll<HTMLElement>('.top *, .side nav a, main h2, main h3, main header button'),
    ];
    const shown = parts.filter(
      (one) => one.checkVisibility() && one.textContent?.trim() && !one.closest('[popover], .unseen, svg'),
    );
    const said = (one: Element) => `${one.tagName} ${one.textContent?.trim().slice(0, 40)}`;
    return [
      ...(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []),
      ...shown
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth)
        .map((one) => `cut: ${said(one)}`),
      ...shown
        .filter((one) => one.closest('.top, h2, h3') && one.getBoundingClientRect().right > innerWidth + 1)
        .map((one) => `outside: ${said(one)}`),
    ];
  });

for (const path of ['/', '/?tab=redeems', '/?tab=overview']) {
  test(`nothing is cut and the page does not scroll sideways: ${path}`, async () => {
    await visit.goTo(path);
    await visit.page.getByRole('button', { name: /^Notifications/ }).waitFor();
    await settled(visit.page);
    const faults: string[] = [];
    for (let width = 320; width <= 1920; width += 40) {
      await visit.page.setViewportSize({ width, height: 800 });
      await settled(visit.page);
      faults.push(...(await faultsOf(visit.page)).map((words) => `${width} px: ${words}`));
    }
    assert.equal(faults, []);
  });
}

/** Where the controls of the bar, the menu and the head of the screen stand, by their words. */
const places = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.top :is(a, button), .side nav a, main header :is(button, input)')]
      .filter((one) => one.checkVisibility())
      .map((one) => {
        const { x, y } = one.getBoundingClientRect();
        return [(one.textContent || one.getAttribute('aria-label') || one.id).replace(/[-\d]+/g, ''), x, y] as const;
      }),
  );

for (const width of [1440, 1024, 820, 390])
  for (const path of ['/', '/?tab=platforms']) {
    test(`no control moves by a pixel after the first paint: ${path}, ${width} px`, async () => {
      const { page } = visit;
      await page.setViewportSize({ width, height: 800 });
      let seen = () => {};
      const isSeen = new Promise<void>((resolve) => {
        seen = resolve;
      });
      await page.route('**/api/v1/**', async (route) => {
        await isSeen;
        await route.continue();
      });
      await visit.goTo(path);
      await page.locator('main h2').first().waitFor();
      const first = await places(page);
      seen();
      await page.getByRole('button', { name: /^Notifications/ }).waitFor();
      if (path === '/' && width > 767) await page.getByRole('button', { name: 'Columns' }).waitFor();
      await settled(page);
      const last = await places(page);
      await page.unrouteAll({ behavior: 'wait' });
      assert.ok(first.length > 3, 'something was there at first');
      const moved = first.filter(
        ([name, x, y]) => !last.some((one) => one[0] === name && one[1] === x && one[2] === y),
      );
      assert.equal(moved, []);
    });
  }

test.run();
