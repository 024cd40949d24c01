/** An import as a person does it: a file dropped beside the dialog, checked, imported; and Escape during an import. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { closeVisits, enter, journey, type Visit } from './harness';
import { button, dialog, field, searchUsers } from './seen';

let visit: Visit;
test.before(async () => {
  visit = await enter('ben', '/users', { reducedMotion: 'reduce' });
});
test.after(closeVisits);

const file = (...emails: string[]) =>
  `source_id;email;credit_balance\r\n${emails.map((email, n) => `${email}-${n};${email};1.50\r\n`).join('')}`;
/** Drops a file onto whatever lies in the corner of the page. */
const drop = (page: Page, name: string, text: string) =>
  page.evaluate(
    ([name, text]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text ?? ''], name ?? ''));
      for (const type of ['dragover', 'drop'])
        document
          .elementFromPoint(2, 2)
          ?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    },
    [name, text],
  );

journey(
  'a file dropped beside the dialog is chosen, checked and imported, and its rejects come as a file',
  async () => {
    const { page } = visit,
      shown = dialog(page, 'Import Players');
    await button(page, 'Import').click();
    await field(shown, 'CSV file').waitFor();
    await drop(page, 'old-shop.csv', file('first@moved.example', 'nobody', 'second@moved.example'));
    assert.match(await field(shown, 'CSV file').inputValue(), /old-shop\.csv$/);
    await button(shown, 'Check file').click();
    await shown.getByText('Checked old-shop.csv: 3 rows. Nothing imported yet.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(shown, 'Download rejected rows').click(),
    ]);
    assert.is(
      readFileSync(await download.path(), 'utf8'),
      '\uFEFF"Line","Column","Reason"\r\n"3","email","expected an email address"\r\n',
    );
    await button(shown, 'Import 2 rows').click();
    await shown.getByText('Imported old-shop.csv: 3 rows done.').waitFor();
    await button(shown, 'Close').click();
    await searchUsers(page, 'moved.example');
    for (const email of ['first@moved.example', 'second@moved.example'])
      await page.getByRole('link', { name: email }).waitFor();
  },
);

journey('Escape asks while a file is on its way, and it stays until one says so', async () => {
  const { page } = visit,
    shown = dialog(page, 'Import Players'),
    asked: string[] = [];
  let isLeaving = false,
    release = () => {};
  const hold = new Promise<void>((done) => {
    release = done;
  });
  page.on('dialog', (question) => {
    asked.push(question.message());
    void (isLeaving ? question.accept() : question.dismiss());
  });
  await page.route('**/imports/check', async (route) => {
    await hold;
    await route.continue();
  });
  await button(page, 'Import').click();
  await field(shown, 'CSV file').setInputFiles({
    name: 'old-shop.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(file('third@moved.example')),
  });
  await button(shown, 'Check file').click();
  await shown.getByText(/^Checking old-shop.csv/).waitFor();
  const pressEscape = () => Promise.all([page.waitForEvent('dialog'), page.keyboard.press('Escape')]);
  await pressEscape();
  await button(shown, 'Cancel').waitFor(); // it came back
  assert.is(await shown.count(), 1);
  isLeaving = true;
  await pressEscape();
  await shown.waitFor({ state: 'detached' });
  assert.equal(asked, [
    'The import is still running. Stop it and close?',
    'The import is still running. Stop it and close?',
  ]);
  release();
  await page.unrouteAll({ behavior: 'wait' });
});

test.run();
