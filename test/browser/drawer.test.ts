/**
 * The view of a player is the place of work: one click from any list and back to the same place, what is pending is
 * decided in it, and the search leads to it and does what buttons do.
 */
import type { Locator, Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Redeem } from '../../src/contract/entities';
import { enter, journey, phone } from './harness';
import { button, dialog, fits, makeRedeems, message, read, rows, settled, table } from './seen';

const drawer = (page: Page, email: string) => dialog(page, email);
const address = (page: Page) => page.evaluate(() => decodeURIComponent(location.pathname + location.search));
journey('one click on an e-mail opens the player; Back and Close lead to the same place, with the focus', async () => {
  const { page, goTo } = await enter('ann');
  for (const [path, name] of [
    ['/?tab=purchases', 'Latest Purchases (Tenant)'],
    ['/?sort=email&order=asc', 'Users'],
  ] as const) {
    await goTo(path);
    await rows(table(page, name)).nth(30).waitFor();
    await settled(page);
    const frame = page.locator('main .frame');
    await frame.hover();
    await page.mouse.wheel(0, 700);
    await page.waitForFunction(() => (document.querySelector('main .frame')?.scrollTop ?? 0) === 700);
    // Rows out of sight are not laid out: what is clicked is what a person sees in the middle of the list.
    const box = await frame.boundingBox();
    assert.ok(box);
    const [email, at] = await page.evaluate(
      ([x, y]) => {
        const row = document.elementFromPoint(x, y)?.closest('tr');
        const link = row?.querySelector<HTMLAnchorElement>('.email a');
        const { left = 0, top = 0, height = 0 } = link?.getBoundingClientRect() ?? {};
        return [link?.title ?? '', { x: left + 5, y: top + height / 2 }] as const;
      },
      [box.x + 300, box.y + box.height / 2] as const,
    );
    await page.mouse.click(at.x, at.y);
    await drawer(page, email)
      .getByText(/^ID \d+/)
      .waitFor();
    const view = await drawer(page, email).locator('article').boundingBox();
    assert.equal([view?.y, (view?.x ?? 0) + (view?.width ?? 0)], [0, 1280], 'at the right, from top to bottom');
    assert.match(await address(page), new RegExp(`^/users\\?search=${email.replaceAll('.', '\\.')}&player=\\d+$`));
    await (name === 'Users' ? button(drawer(page, email), 'Close').click() : page.goBack());
    await page.waitForFunction(() => document.querySelector('main .frame')?.scrollTop === 700);
    await page.waitForFunction((title) => document.activeElement?.getAttribute('title') === title, email);
    assert.is(await address(page), path);
    assert.is(await drawer(page, email).count(), 0);
  }
});

journey('Close closes, also after a link to the same player in its own details', async () => {
  const { page, goTo } = await enter('ann');
  for (const close of [(form: Locator) => button(form, 'Close').click(), () => page.keyboard.press('Escape')]) {
    await goTo('/?tab=purchases');
    const link = rows(table(page, 'Latest Purchases (Tenant)')).first().locator('.email a');
    const email = await link.innerText();
    await link.click();
    await button(drawer(page, email), 'Purchases').click();
    await button(drawer(page, email), 'Details').first().click();
    await page.locator('dialog[open]').last().getByRole('link', { name: email }).click();
    await page.waitForFunction(() => document.querySelectorAll('dialog[open]').length === 1);
    await close(drawer(page, email));
    await page.waitForFunction(() => !document.querySelector('dialog'));
    assert.is(await address(page), '/?tab=purchases');
  }
});

journey('on a phone, too', async () => {
  const { page, goTo } = await enter('ann', '/', phone);
  await goTo('/?tab=purchases');
  await rows(table(page, 'Latest Purchases (Tenant)')).nth(30).waitFor();
  await settled(page);
  const link = rows(table(page, 'Latest Purchases (Tenant)')).nth(20).locator('.email a');
  await link.scrollIntoViewIfNeeded();
  const email = await link.innerText();
  // A tap may scroll first.
  await page.evaluate(() =>
    addEventListener('click', () => sessionStorage.setItem('left at', String(scrollY)), { capture: true, once: true }),
  );
  await link.tap();
  await drawer(page, email)
    .getByText(/^ID \d+/)
    .waitFor();
  assert.match(await address(page), /^\/users\?search=[^&]+&player=\d+$/);
  assert.ok(await fits(page));
  await page.goBack();
  const top = await page.evaluate(() => Number(sessionStorage.getItem('left at')));
  assert.ok(top > 1000);
  await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 2, top);
});

journey('by keyboard alone: from the search to the decision, with a reason', async () => {
  const { page } = await enter('ann');
  await makeRedeems(page, 3);
  // A player who has no other, and is not on hold.
  const all = await read<Redeem[]>(page, 'redeems?status=pending&limit=200');
  const redeem = all.find(
    (one) => !one.payout_hold && all.filter(({ player_id }) => player_id === one.player_id).length === 1,
  );
  assert.ok(redeem);
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: /^Players/ }).fill(redeem.user_email);
  await page.getByRole('group', { name: 'Players' }).getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await table(page, 'To decide').locator(`[data-id="${redeem.id}"]`).waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('j');
  while (!(await page.evaluate((id) => document.activeElement?.matches(`[data-id="${id}"]`), redeem.id)))
    await page.keyboard.press('j');
  await page.keyboard.press('f');
  await page.keyboard.press('r');
  await page.keyboard.type('Cust');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await message(page, 'Status updated').waitFor();
  await button(page, 'Redeems').press('Enter');
  await rows(table(page, 'Redeems'))
    .locator(`xpath=self::*[@data-id="${redeem.id}"]`)
    .getByRole('button', { name: 'Details' })
    .press('Enter');
  await dialog(page, `Redeem ${redeem.id}`).getByText('Customer request').waitFor();
  await page.keyboard.press('Escape');
  await drawer(page, redeem.user_email).waitFor();
});

test.run();
