/** The books in a real browser: verified, a month closed, its statement printed. */
import { readFile } from 'node:fs/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Visit } from './harness';
import { button, cents, chooseTool, dialog, rows, rowWith, saying, settled, table } from './seen';

let visit: Visit;

test.before(async () => {
  visit = await newVisit();
  await visit.signIn('ann');
});
test.after(() => visit.close());

const books = () => dialog(visit.page, 'Books');
async function openBooks(): Promise<void> {
  await chooseTool(visit.page, 'Books');
  await settled(visit.page);
}

test('the ledger is verified while one looks on, and off by nothing', async () => {
  await openBooks();
  await button(books(), 'Verify now').click();
  await saying(visit.page, 'Verifying in the background');
  await books()
    .getByText(/^Last verified .*, off by \$0\.00\. Everything adds up\.$/)
    .waitFor({ timeout: 120_000 });
  await button(books(), 'Verify now').waitFor({ timeout: 120_000 });
});

test('a month is closed for good, and its statement is on paper and in a file as on screen', async () => {
  const { page } = visit;
  await page.reload();
  await openBooks();
  const close = page.getByRole('button', { name: /^Close \w+ \d{4}$/ }).last();
  const month = (await close.getAttribute('aria-label'))!.replace('Close ', '');
  await close.click();
  await button(dialog(page, `Close ${month}?`), 'Close month').click();
  await saying(page, `${month} is closed`);
  await rowWith(table(page, 'Months'), month, 'Closed').waitFor();
  assert.is(await button(page, `Close ${month}`).count(), 0);

  await button(page, `Statement of ${month}`).click();
  const statement = dialog(page, `Statement of ${month}`);
  await statement.getByText('Its figures are final.').waitFor();
  const credit = rowWith(table(page, 'Accounts'), 'Credit');
  const amounts = (await credit.locator('td').allInnerTexts()).map(cents);
  assert.is(
    amounts.slice(0, -1).reduce((sum, one) => sum + one, 0),
    amounts.at(-1),
    'opening and movements are the closing',
  );
  const both = await rowWith(table(page, 'Accounts'), 'Both').locator('td').allInnerTexts();
  assert.ok(
    both.every((amount) => amount === '$0.00'),
    both.join(),
  );

  const [download] = await Promise.all([page.waitForEvent('download'), button(statement, 'Export CSV').click()]);
  const [, line = ''] = (await readFile(await download.path(), 'utf8')).split('\r\n');
  assert.is(Math.round(Number(line.split(',').at(-1)) * 100), amounts.at(-1));

  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.is(await page.getByRole('dialog').count(), 0, 'the dialog itself is not printed');
  assert.is(await page.getByRole('region', { name: `Statement of ${month}`, exact: true }).count(), 1);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: null });
  await statement.waitFor();
  await button(statement, 'Close').click();
});

test('on a phone no amount is cut off and nothing scrolls sideways', async () => {
  const phone = await newVisit({ viewport: { width: 390, height: 844 } });
  const { page } = phone;
  try {
    await phone.signIn('ann');
    await chooseTool(page, 'Books');
    await page
      .getByRole('button', { name: /^Statement of/ })
      .first()
      .click();
    await rows(table(page, 'Accounts')).first().waitFor();
    const wide = await page
      .locator('dialog[open] > article')
      .evaluateAll((articles) => articles.map((one) => one.scrollWidth - one.clientWidth));
    assert.equal(wide, [0, 0]);
    assert.equal(phone.faults, []);
  } finally {
    await phone.close();
  }
});

test.run();
