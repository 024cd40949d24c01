/** A cashier opens a shift, settles, and closes it with a difference; the owner's evening, also on a phone. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Visit } from './harness';
import { button, chooseTool, dialog, rows, rowWith, saying, settled, table } from './seen';

let visit: Visit;
test.before(async () => {
  visit = await newVisit();
});
test.after(() => visit.close());

test('a cashier opens a shift with a count, settles, and closes it with a difference and its reason', async () => {
  const { page } = visit;
  await visit.signIn('mona');
  await chooseTool(page, 'Books');
  await settled(page);
  await button(page, 'Add account').click();
  const account = dialog(page, 'Add account');
  await account.getByLabel('Name', { exact: true }).fill('Shift till');
  await button(account, 'Save').click();
  await saying(page, 'Account saved');
  await button(page, 'Open my shift').click();
  const open = dialog(page, 'Open my shift');
  await open.getByLabel('Shift till, in dollars').fill('100');
  await button(open, 'Open shift').click();
  await saying(page, 'Your shift is open');

  await button(page, 'Buy, move or correct').click();
  const move = dialog(page, 'Buy, move or correct');
  await move.getByLabel('What', { exact: true }).selectOption('corrected');
  await move.getByLabel('Into', { exact: true }).selectOption({ label: 'Shift till' });
  await move.getByLabel('Amount', { exact: true }).fill('20');
  await move.getByLabel('Reason', { exact: true }).fill('Change from the bank');
  await button(move, 'Save').click();
  await saying(page, 'Entered');

  await page.getByRole('button', { name: /^Close the shift \d+ of mona/ }).click();
  const close = dialog(page, 'Close the shift');
  await close.getByLabel('Shift till, in dollars').fill('115');
  await close.getByText('$5.00 missing').waitFor();
  await close.getByLabel('Reason for Shift till').fill('Taxi for the night');
  await button(close, 'Close shift').click();
  await saying(page, 'The shift is closed');
  assert.equal(visit.faults, []);
});

for (const width of [1280, 390])
  test(`the owner's evening takes three clicks in Books, at ${width} px`, async () => {
    const evening = await newVisit({ viewport: { width, height: 844 } });
    const { page } = evening;
    try {
      await evening.signIn('mona');
      await chooseTool(page, 'Books');
      await settled(page);
      await rowWith(table(page, 'Accounts of the day'), 'Shift till', '-$5.00').waitFor();
      let clicks = 0;
      const paper = page.getByRole('dialog', { name: /^Shift \d+$/ });
      const click = async (name: RegExp | string, where?: typeof paper) => {
        clicks++;
        await (where ?? page).getByRole('button', { name, exact: true }).first().click();
      };
      await click(/^Show the shift \d+ of mona/);
      await rowWith(table(page, 'Counts'), 'Shift till', 'Taxi for the night').waitFor();
      const wide = await page
        .locator('dialog[open] > article')
        .evaluateAll((articles) => articles.map((one) => one.scrollWidth - one.clientWidth));
      assert.equal(wide, [0, 0]);
      await page.evaluate(() => {
        window.print = () => void dispatchEvent(new Event('beforeprint'));
      });
      await click('Print', paper);
      await page.emulateMedia({ media: 'print' });
      assert.is(await page.getByRole('dialog').count(), 0, 'the dialog itself is not printed');
      assert.is(await page.getByRole('region', { name: /^Shift \d+$/ }).count(), 1);
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      await page.emulateMedia({ media: null });
      await click('Close', paper);
      assert.is(clicks, 3);
      await rows(table(page, 'Shifts of the day')).first().waitFor();
      assert.equal(evening.faults, []);
    } finally {
      await evening.close();
    }
  });

test.run();
