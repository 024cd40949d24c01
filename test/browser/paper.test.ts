/** On paper: a list with whose it is, what was filtered and what it adds up to; a statement alone. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enter, journey } from './harness';
import { button, cents, chooseTool, dialog, field, heading, makeRedeems, rows, settled, table } from './seen';

async function onPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
}
/** Only that part of the page is printed, and the dialog is back afterwards. */
async function printsAlone(page: Page, name: string): Promise<void> {
  await onPaper(page);
  assert.is(await page.getByRole('dialog').count(), 0, 'the dialog itself is not printed');
  assert.is(await page.getByRole('region', { name, exact: true }).count(), 1);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: null });
  await page.getByRole('dialog', { name, exact: true }).waitFor();
}

journey('a list says whose it is, filtered by what, when, and what it adds up to, and has no tools', async () => {
  const { page, goTo } = await enter('ann');
  await makeRedeems(page, 3);
  await goTo('/?tab=redeems&status=pending');
  await rows(table(page, 'Redeems')).nth(2).waitFor();
  await page
    .getByRole('status', { name: 'Sums' })
    .getByText(/pending, \$/)
    .waitFor();
  await onPaper(page);
  for (const width of [720, 1020]) {
    await page.setViewportSize({ width, height: 900 });
    assert.ok(await heading(page, 'Acme').isVisible(), 'the tenant');
    assert.ok(await page.getByText('Status: Pending').isVisible(), 'the filter');
    assert.ok(await page.getByRole('status', { name: 'Sums' }).isVisible(), 'the sum');
    const printed = await page.evaluate(() => {
      const title = document.querySelector('.title');
      return title && getComputedStyle(title, '::after').content;
    });
    assert.match(printed ?? '', new RegExp(String(new Date().getFullYear())), 'the day');
    for (const label of ['Search redeems', 'By status', 'From'])
      assert.is(await field(page, label).isVisible(), false, 'no boxes of filters');
    assert.is(await page.getByRole('columnheader', { name: 'Actions' }).isVisible(), false);
    for (const name of ['Details', 'Export CSV', 'Logout', 'Columns'])
      assert.is(await button(page, name).first().isVisible(), false, name);
    const cut = await table(page, 'Redeems')
      .locator('td:visible')
      .evaluateAll((cells) =>
        cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map((one) => one.textContent),
      );
    assert.equal(cut, [], `nothing is cut at ${width}`);
    const tops = await rows(table(page, 'Redeems'))
      .first()
      .locator('td:visible')
      .evaluateAll((cells) => cells.map((one) => Math.round(one.getBoundingClientRect().top)));
    assert.is(new Set(tops).size, 1, 'a row is a row, not a card');
  }
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await goTo('/?search=maria');
  await rows(table(page, 'Users')).first().waitFor();
  await button(rows(table(page, 'Users')).first(), 'View').click(); // brings the styles for paper
  await button(page.getByRole('dialog'), 'Close').click();
  await onPaper(page);
  assert.ok(await page.getByLabel('Search by email, name, or phone').isVisible(), 'what was searched');
  assert.ok(await page.getByText(/^Showing 1 to \d+ of \d+ users$/).isVisible(), 'how many there are');
  // Nothing of it is scrolled away, once the styles of what is not seen at first are there.
  const frame = await page.getByRole('region', { name: 'Users', exact: true }).elementHandle();
  await page.waitForFunction((element) => element && element.scrollHeight <= element.clientHeight + 1, frame);
  assert.is(await button(page.getByRole('banner'), 'Logout').isVisible(), false);
});

journey('on paper lists of all tenants have their columns, however narrow it is', async () => {
  const { page, goTo } = await enter('super');
  await goTo('/redeems');
  await rows(table(page, 'Redeems')).first().waitFor();
  await onPaper(page);
  await page.setViewportSize({ width: 1020, height: 900 });
  for (const name of ['Platform', 'Payout Method'])
    assert.ok(await page.getByRole('columnheader', { name, exact: true }).isVisible(), name);
});

journey('the statement of a month is on paper and in a file as on screen', async () => {
  const { page } = await enter('ann');
  await chooseTool(page, 'Books');
  await settled(page);
  const opener = page.getByRole('button', { name: /^Statement of/ }).last();
  const name = await opener.getAttribute('aria-label');
  assert.ok(name);
  await opener.click();
  const statement = dialog(page, name),
    shown = rows(table(page, 'Accounts of players')).locator('td:nth-child(2)');
  await shown.first().waitFor();
  const closing = cents((await shown.allInnerTexts()).at(-1) ?? '');
  assert.ok(closing, 'the players have money');

  const [download] = await Promise.all([page.waitForEvent('download'), button(statement, 'Export CSV').click()]);
  const [, line = ''] = (await readFile(await download.path(), 'utf8')).split('\r\n');
  assert.is(Math.round(Number(line.split(',').at(-1)) * 100), closing);

  await printsAlone(page, name);
});

test.run();
