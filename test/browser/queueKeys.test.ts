/** Deciding a queue with the keys alone: five seconds in which nothing is sent and everything can be taken back. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { UNDO_MS } from '../../src/contract/constants';
import { newVisit, type Visit } from './harness';
import { dialog, makeRedeems, message, rows, settled, table } from './seen';

const VERDICTS = { s: 'success', f: 'failed' } as const;
let visit: Visit, sent: { id: string; body: unknown }[];

test.before(async () => {
  visit = await newVisit({ reducedMotion: 'reduce' });
  sent = [];
  visit.page.on('request', (request) => {
    const id = /\/redeems\/(\d+)\/status$/.exec(request.url())?.[1];
    if (id && request.method() === 'POST') sent.push({ id, body: request.postDataJSON() });
  });
  await visit.signIn('super');
  await makeRedeems(visit.page, 5);
  await visit.goTo('/redeems?status=pending');
  await rows(table(visit.page, 'Redeems')).nth(3).waitFor();
  await settled(visit.page);
});
test.after(() => visit.close());

/** The id of the row that has the focus. */
const here = (page: Page) =>
  page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset['id'] : undefined,
  );
const listed = (page: Page) =>
  table(page, 'Redeems')
    .locator('tr[data-id]')
    .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-id')));
const counted = async (page: Page) =>
  Number.parseInt(
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ redeems?$/ })
      .innerText(),
    10,
  );
const decisions = (page: Page) => page.getByRole('status', { name: 'Decisions not sent yet' }).locator('form');

test('j and k walk the rows, and the keys are only letters where something is typed', async () => {
  const { page } = visit,
    [first, second, third] = await listed(page);
  await page.keyboard.press('?');
  await dialog(page, 'Keys').getByText('Next row').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Redeems', exact: true }).focus();
  const at: unknown[] = [];
  for (const key of ['j', 'j', 'j', 'k']) {
    await page.keyboard.press(key);
    at.push(await here(page));
  }
  assert.equal(at, [first, second, third, second]);
  await page.getByRole('searchbox', { name: 'Search redeems' }).focus();
  await page.keyboard.type('sfu?');
  assert.is(await page.getByRole('searchbox', { name: 'Search redeems' }).inputValue(), 'sfu?');
  assert.is(await dialog(page, 'Keys').count(), 0);
  await page.getByText('Nothing matches the filters.').waitFor();
  assert.is(await decisions(page).count(), 0);
  await page.getByRole('searchbox', { name: 'Search redeems' }).fill('');
  await page.waitForFunction((id) => document.querySelector(`tr[data-id="${id}"]`), first);
  await settled(page);
});

test('what s and f decide is sent five seconds later and not before; what u took back never', async () => {
  const { page } = visit,
    [first, second, third] = await listed(page),
    before = await counted(page);
  await rows(table(page, 'Redeems')).first().focus();
  const begun = Date.now();
  await page.keyboard.press('s');
  assert.is(await here(page), second, 'on to the next one');
  await page.keyboard.press('f');
  await page.keyboard.press('s');
  assert.is(await decisions(page).count(), 3);
  await page.keyboard.press('u');
  assert.is(await decisions(page).count(), 2);
  assert.equal(sent, [], 'nothing is sent yet');
  await message(page, 'Status updated').first().waitFor();
  await page.waitForFunction(
    (ids) =>
      ids.every((id) => document.querySelector<HTMLSelectElement>(`tr[data-id="${id}"] select`)?.value !== 'pending'),
    [first, second],
  );
  await settled(page);
  assert.equal((await listed(page)).slice(0, 3), [first, second, third], 'each row is where it was');
  await page.getByRole('heading', { name: 'Redeems' }).click();
  await page.waitForFunction(
    (ids) => ids.every((id) => !document.querySelector(`tr[data-id="${id}"]`)),
    [first, second],
  );
  assert.ok(Date.now() - begun >= UNDO_MS);
  assert.equal(sent, [
    { id: first, body: { status: VERDICTS.s } },
    { id: second, body: { status: VERDICTS.f } },
  ]);
  assert.is(await counted(page), before - 2, 'the list says so too');
  assert.is((await listed(page))[0], third, 'what was taken back still waits');
  assert.is(await decisions(page).count(), 0);
});

test.run();
