/** No number is cut at any width, and every time says in which zone it stands, in a real browser. */
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Person, type Visit } from './harness';
import { button, cell, choice, dialog, field, rows, rowWith, saying, settled, table } from './seen';

const test = suite('Days and money, in a real browser');
let visit: Visit;
async function start(person: Person, path: string, options: Parameters<typeof newVisit>[0] = {}): Promise<Page> {
  await visit?.close();
  visit = await newVisit(options);
  await visit.signIn(person);
  await visit.goTo(path);
  await rows(visit.page.getByRole('main').getByRole('table')).first().waitFor();
  await settled(visit.page);
  return visit.page;
}
test.after(() => visit?.close());

/** Amounts and heads of which a part is hidden, by the end of the frame or by something above them. */
const cutIn = (page: Page) =>
  page
    .locator('main .frame')
    .first()
    .evaluate((frame) => {
      const edge = frame.getBoundingClientRect();
      return [...frame.querySelectorAll('tbody tr:nth-child(-n + 8) .money')].flatMap((money) => {
        const { left, right, top, bottom } = money.getBoundingClientRect();
        if (!money.checkVisibility() || bottom > edge.bottom) return [];
        const isCovered = [left + 1, right - 1].some((x) => {
          const above = document.elementFromPoint(x, (top + bottom) / 2);
          return !above || !(money.contains(above) || above.contains(money));
        });
        return left < edge.left || right > edge.right || isCovered ? [money.textContent] : [];
      });
    });

for (const width of [768, 900, 1024, 1150, 1280, 1440]) {
  test(`money is whole, and no list scrolls sideways: ${width} px`, async () => {
    const page = await start('super', '/users', { viewport: { width, height: 800 } });
    for (const path of [
      '/users',
      '/purchases',
      '/deposits',
      '/redeems',
      '/tenant/2/admin',
      '/tenant/2/admin?tab=redeems',
    ]) {
      await visit.goTo(path);
      await rows(page.getByRole('main').getByRole('table')).first().waitFor();
      await settled(page);
      assert.equal(await cutIn(page), [], path);
      const frame = page.locator('main .frame').first();
      assert.ok(await frame.evaluate((element) => element.scrollWidth <= element.clientWidth), path);
    }
  });
}

test('a reference too long for its column ends in an ellipsis, and is whole under the mouse', async () => {
  const page = await start('super', '/purchases', { viewport: { width: 1024, height: 768 } });
  const reference = page.locator('tbody td.reference[title]').first();
  const { overflow, title } = await reference.evaluate((element) => ({
    overflow: getComputedStyle(element).textOverflow,
    title: element.getAttribute('title'),
  }));
  assert.is(overflow, 'ellipsis');
  assert.is(title, await reference.textContent());
});

test('rows, filters and figures are of the same day and say its zone, wherever the browser is', async () => {
  const page = await start('ann', '/?tab=redeems&status=success', { timezoneId: 'America/Los_Angeles' });
  const list = table(page, 'Redeems');
  await page.getByRole('region', { name: "Today's Metrics" }).getByText('(UTC)').waitFor();
  assert.match((await page.getByText('From', { exact: false }).first().innerText()) ?? '', '(UTC)');
  const moment = await list.locator('tbody time').first().getAttribute('datetime');
  const day = String(moment).slice(0, 10);
  await visit.goTo(`/?tab=redeems&status=success&from=${day}&to=${day}`);
  await rows(list).first().waitFor();
  await settled(page);
  const shown = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const initiated = await list.locator('td.started time').evaluateAll((all) => all.map((one) => one.textContent));
  const other = initiated.filter((words) => !words?.startsWith(shown.format(new Date(day))));
  assert.equal(other, [], 'each row is of the day that was asked for');
});

test('the exact moment with year and zone is under the mouse, and in sight when the row has the focus', async () => {
  const page = await start('ann', '/?tab=redeems');
  const time = table(page, 'Redeems').locator('tbody time').first();
  const exactly = (await time.getAttribute('title')) ?? '';
  assert.match(exactly, /20\d\d/);
  assert.match(exactly, 'UTC');
  await page.getByRole('region', { name: 'Redeems', exact: true }).focus();
  await page.keyboard.press('j');
  const after = await time.evaluate((element) => getComputedStyle(element, '::after').content);
  assert.match(after, /20\d\d/);
});

test('the zone of a tenant is set in Edit Tenant; its rows, filters and figures follow', async () => {
  const page = await start('super', '/tenants');
  async function setZone(zone: string) {
    await visit.goTo('/tenants');
    await button(rowWith(table(page, 'Tenants'), 'Lucky Harbor'), 'Edit').click();
    const form = dialog(page, 'Edit Tenant');
    await field(form, 'Time zone').fill(zone);
    await button(form, 'Save').click();
    return form;
  }
  const form = await setZone('Nowhere/Land');
  await form.getByText('expected an IANA time zone').waitFor();
  await button(form, 'Cancel').click();
  await setZone('Pacific/Kiritimati');
  await saying(page, 'Tenant updated successfully');

  await visit.goTo('/tenant/4/admin?tab=redeems');
  await rows(table(page, 'Redeems')).first().waitFor();
  await settled(page);
  await page.getByRole('region', { name: "Today's Metrics" }).getByText('(GMT+14)').waitFor();
  const time = table(page, 'Redeems').locator('tbody time').first();
  assert.match((await time.getAttribute('title')) ?? '', 'GMT+14');
  const there = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  const moment = new Date((await time.getAttribute('datetime')) ?? '');
  const words = new Intl.DateTimeFormat('en-US', { ...there, timeZone: 'Pacific/Kiritimati' }).format(moment);
  assert.is((await time.innerText()).replace(/\s/g, ' '), words.replace(/\s/g, ' '));

  // Among all tenants, each row names its own zone, and the filter says so.
  await visit.goTo('/redeems');
  await rows(table(page, 'Redeems')).first().waitFor();
  await choice(page, 'By tenant').selectOption('Lucky Harbor');
  await page.waitForURL(/[?&]tenant=4\b/);
  await settled(page);
  assert.match(await cell(rows(table(page, 'Redeems')).first(), 'Initiated At'), 'GMT+14');
  await setZone('UTC');
  await saying(page, 'Tenant updated successfully');
});

test.run();
