/**
 * One way to settle: by mouse and by touch, with five seconds in which nothing is sent and everything can be taken
 * back, and nothing that jumps.
 */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { UNDO_MS } from '../../src/contract/constants';
import { enter, journey, phone, type VisitOptions } from './harness';
import { box, button, cell, fits, makeRedeems, message, rows, sendNow, settled, table } from './seen';

/** The pending redeems of Acme, and what is sent about them. */
async function open(options: VisitOptions = {}) {
  const visit = await enter('ann', '/', options),
    { page } = visit,
    sent: { id: string; body: unknown }[] = [];
  page.on('request', (request) => {
    const id = /\/redeems\/(\d+)\/status$/.exec(request.url())?.[1];
    if (id && request.method() === 'POST') sent.push({ id, body: request.postDataJSON() });
  });
  await makeRedeems(page, 5);
  await visit.goTo('/?tab=redeems&status=pending');
  await list(page).nth(4).waitFor();
  await settled(page);
  return { page, sent };
}
const list = (page: Page) => rows(table(page, 'Redeems'));
const ids = (page: Page) =>
  list(page).evaluateAll((lines) => lines.map((line) => (line instanceof HTMLElement ? line.dataset['id'] : '')));
/** The id of the row that has the focus. */
const here = (page: Page) =>
  page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.closest('tr')?.dataset['id'] : undefined,
  );
const decisions = (page: Page) => page.getByRole('status', { name: 'Decisions not sent yet' }).locator('form');
const rowOf = (page: Page, id: string | undefined) => table(page, 'Redeems').locator(`tr[data-id="${id}"]`);
const topOf = async (page: Page, id: string | undefined) => (await box(rowOf(page, id))).y;
/** 'somebody@mail.test, $20.00' */
const named = async (page: Page, id: string | undefined) =>
  `${await rowOf(page, id).getByRole('link').innerText()}, ${await cell(rowOf(page, id), 'Amount')}`;

journey('by mouse: named, five seconds to undo, on to the next row, and no row moves', async () => {
  const { page, sent } = await open();
  const [first, second, third, fourth] = await ids(page);
  const tops = () => Promise.all([first, second, third, fourth].map((id) => topOf(page, id)));
  const who = await named(page, second),
    places = await tops();
  const begun = Date.now();
  // The list of the status is opened as a hand does, and one is chosen in it.
  const select = await box(rowOf(page, second).getByRole('combobox'));
  await page.mouse.move(select.x + select.width / 2, select.y + select.height / 2);
  await page.mouse.down();
  await page.mouse.up();
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await decisions(page).getByText(`${who}: Failed in 5 seconds`).waitFor();
  assert.is(await here(page), third, 'the next row has the focus');
  const [line, size] = [await box(decisions(page)), await box(page.getByLabel('Rows per page'))];
  assert.ok(line.x > size.x + size.width, 'it does not cover the page size');
  await message(page, 'Status updated').waitFor();
  assert.ok(Date.now() - begun >= UNDO_MS);
  await page.getByText(`${who}: Failed`, { exact: true }).waitFor();
  assert.equal(sent, [{ id: second, body: { status: 'failed' } }]);
  await settled(page);
  assert.equal((await ids(page)).slice(0, 4), [first, second, third, fourth]);
  assert.equal(await tops(), places);
  assert.equal([await rowOf(page, second).getByRole('combobox').inputValue(), await here(page)], ['failed', third]);
  await page.mouse.move(5, 5); // who has left the list sees it in order
  await rowOf(page, second).waitFor({ state: 'detached' });
});

journey('by touch: the same message, and the next row keeps its place under the finger', async () => {
  const { page, sent } = await open(phone);
  const [first, second] = await ids(page);
  const who = await named(page, first),
    place = await topOf(page, second);
  await rowOf(page, first).getByRole('combobox').tap();
  await rowOf(page, first).getByRole('combobox').selectOption('failed');
  await decisions(page).getByText(`${who}: Failed in 5 seconds`).waitFor();
  assert.ok((await box(button(page, 'Undo'))).height >= 44, 'a finger hits Undo');
  assert.is(await here(page), second);
  await sendNow(page);
  await message(page, 'Status updated').waitFor();
  await settled(page);
  assert.is(await topOf(page, second), place);
  assert.equal(sent, [{ id: first, body: { status: 'failed' } }]);
  assert.ok(await fits(page));
});

test.run();
