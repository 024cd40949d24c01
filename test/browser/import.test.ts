/** An import as a person does it: a file dropped beside the dialog, checked, imported. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enter, journey } from './harness';
import { button, dialog, field, searchUsers } from './seen';

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
    const { page } = await enter('ben', '/users'),
      shown = dialog(page, 'Import Users');
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

test.run();
