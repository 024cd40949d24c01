/**
 * One way to settle: by mouse, by keyboard and by touch, with five seconds to undo, a reason, and nothing that jumps.
 */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { UNDO_MS } from '../../src/contract/constants';
import { newVisit, people, type Visit } from './harness';
import { button, cell, field, makeRedeems, message, rows, settled, table } from './seen';

interface Decided {
  id: string;
  body: unknown;
}
/** A visit to the pending redeems of Acme, and what it sends. */
async function open(
  options: Parameters<typeof newVisit>[0] = {},
): Promise<{ visit: Visit; page: Page; sent: Decided[] }> {
  const visit = await newVisit({ reducedMotion: 'reduce', ...options }),
    { page } = visit,
    sent: Decided[] = [];
  page.on('request', (request) => {
    const id = /\/redeems\/(\d+)\/status$/.exec(request.url())?.[1];
    if (id && request.method() === 'POST') sent.push({ id, body: request.postDataJSON() });
  });
  await visit.signIn('ann');
  await makeRedeems(page, 5);
  await visit.goTo('/?tab=redeems&status=pending');
  await list(page).nth(4).waitFor();
  await settled(page);
  return { visit, page, sent };
}
const list = (page: Page) => rows(table(page, 'Redeems'));
const ids = (page: Page) =>
  list(page).evaluateAll((lines) => lines.map((line) => (line instanceof HTMLElement ? line.dataset['id'] : '')));
const focusedRow = (page: Page) =>
  page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.closest('tr')?.dataset['id'] : undefined,
  );
const decisions = (page: Page) => page.getByRole('status', { name: 'Decisions not sent yet' }).locator('form');
const rowOf = (page: Page, id: string | undefined) => table(page, 'Redeems').locator(`tr[data-id="${id}"]`);
const topOf = async (page: Page, id: string | undefined) => (await rowOf(page, id).boundingBox())?.y;
/** 'somebody@mail.test, $20.00' */
const named = async (page: Page, id: string | undefined) =>
  `${await rowOf(page, id).getByRole('link').innerText()}, ${await cell(rowOf(page, id), 'Amount')}`;
/** Opens the list of the status as a hand does, and chooses in it. */
async function chooseByMouse(page: Page, id: string | undefined, presses: number): Promise<void> {
  const box = await rowOf(page, id).getByRole('combobox').boundingBox();
  if (!box) throw new Error('no status to be seen');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.up();
  for (let n = 0; n < presses; n++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

test('by mouse: five seconds to undo, named, on to the next row, and no row moves from under the pointer', async () => {
  const { visit, page, sent } = await open();
  const [first, second, third, fourth] = await ids(page);
  const who = await named(page, second),
    places = await Promise.all([first, second, third, fourth].map((id) => topOf(page, id)));
  const begun = Date.now();
  await chooseByMouse(page, second, 2);
  await decisions(page).getByText(`${who}: Failed in 5 seconds`).waitFor();
  assert.is(await focusedRow(page), third, 'the next row has the focus');
  const [line, size] = await Promise.all(
    [decisions(page), page.getByLabel('Rows per page')].map((one) => one.boundingBox()),
  );
  assert.ok(line && size && line.x > size.x + size.width, 'it does not cover the page size');
  assert.equal(sent, []);
  await message(page, 'Status updated').waitFor();
  assert.ok(Date.now() - begun >= UNDO_MS);
  await page.getByText(`${who}: Failed`, { exact: true }).waitFor();
  assert.equal(sent, [{ id: second, body: { status: 'failed' } }]);
  await settled(page);
  assert.equal((await ids(page)).slice(0, 4), [first, second, third, fourth]);
  assert.equal(await Promise.all([first, second, third, fourth].map((id) => topOf(page, id))), places);
  assert.equal(
    [await rowOf(page, second).getByRole('combobox').inputValue(), await focusedRow(page)],
    ['failed', third],
  );

  await page.mouse.move(5, 5); // who has left the list sees it in order
  await rowOf(page, second).waitFor({ state: 'detached' });
  assert.equal(visit.faults, []);
  await visit.close();
});

test('a reason is asked in the message, by mouse and by keyboard, and stops the clock', async () => {
  const { visit, page, sent } = await open();
  const [first, second] = await ids(page);
  await chooseByMouse(page, first, 2);
  await button(page, 'Add reason').click();
  await field(decisions(page), 'Reason').selectOption('duplicate');
  await field(decisions(page), 'Note').fill('seen twice');
  await page.keyboard.press('Enter');
  await message(page, 'Status updated').waitFor();
  assert.is(await focusedRow(page), second);
  await page.keyboard.press('f');
  await page.keyboard.press('r');
  await page.keyboard.type('Cust');
  await page.keyboard.press('Tab');
  await page.keyboard.type('by phone');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('.decisions form'));
  assert.equal(sent, [
    { id: first, body: { status: 'failed', reason: 'duplicate', note: 'seen twice' } },
    { id: second, body: { status: 'failed', reason: 'customer_request', note: 'by phone' } },
  ]);
  await button(rowOf(page, second), 'Details').click();
  const details = page.getByRole('dialog', { name: `Redeem ${second}` });
  await details.getByText('Customer request: by phone').waitFor();
  await details.getByRole('row', { name: `Decided by ${people.ann}` }).waitFor();
  assert.equal(visit.faults, []);
  await visit.close();
});

test('by touch: the same message, and the next row keeps its place under the finger', async () => {
  const { visit, page, sent } = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const [first, second] = await ids(page);
  const who = await named(page, first),
    place = await topOf(page, second);
  await rowOf(page, first).getByRole('combobox').tap();
  await rowOf(page, first).getByRole('combobox').selectOption('failed');
  await decisions(page).getByText(`${who}: Failed in 5 seconds`).waitFor();
  const undo = await button(page, 'Undo').boundingBox();
  assert.ok(undo && undo.height >= 44, 'a finger hits Undo');
  assert.is(await focusedRow(page), second);
  await message(page, 'Status updated').waitFor();
  await settled(page);
  assert.is(await topOf(page, second), place);
  assert.equal(sent, [{ id: first, body: { status: 'failed' } }]);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await visit.close();
});

test.run();
