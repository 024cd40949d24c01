import { act, fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildSample } from '../../../../src/app/parts/imports/files';
import { Purchases } from '../../../../src/app/screens/Purchases';
import { Redeems } from '../../../../src/app/screens/redeems/Redeems';
import { Users } from '../../../../src/app/screens/users/Users';
import type { ImportBatch } from '../../../../src/contract/entities';
import { ann } from '../../../callers';
import { openScreen, type Screen } from '../../../screen';
import { newGate } from '../../../server/gate';
import { pam, sql } from '../../../world';
import { cellsOf, opens } from '../../controls';
import { nonsense, respondWith, sentTo } from '../../network';
import { answerBrowser } from '../../question';

const players = (count: number) =>
  new File(
    [`source_id,email,credit\n${Array.from({ length: count }, (_, n) => `P${n},p${n}@mail.test,1.50`).join('\n')}\n`],
    'old-shop.csv',
  );
const openDialog = async (screen: Screen, title: string) =>
  opens(await screen.findByRole('button', { name: 'Import' }), title);
type Dialog = Awaited<ReturnType<typeof openDialog>>;
const choose = (dialog: Dialog, file: File) =>
  fireEvent.change(dialog.getByLabelText('CSV file'), { target: { files: [file] } });
async function check(dialog: Dialog, file: File) {
  choose(dialog, file);
  fireEvent.click(dialog.getByText('Check file'));
  await dialog.findByText(new RegExp(`^Checked ${file.name}`));
}
const result = (dialog: Dialog) => {
  const counts = dialog.getAllByRole('definition');
  return Object.fromEntries(
    dialog.getAllByRole('term').map(({ textContent }, n) => [textContent, counts[n]?.textContent]),
  );
};

const lineOf = (body: unknown) => Reflect.get(Object(body), 'first_line');

test('a file of players is checked, then imported, and the list shows them', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  const dialog = await openDialog(screen, 'Import Users');
  await check(
    dialog,
    new File([`email,credit,shoe_size\nnew@mail.test,12.50,44\n${pam.email},1,\nnobody,1,`], 'old-shop.csv'),
  );
  assert.ok(dialog.getByText('Checked old-shop.csv: 3 rows. Nothing imported yet.'));
  assert.equal(result(dialog), { 'Would be created': '1', 'Already there': '0', Rejected: '2' });
  assert.ok(dialog.getByText('Ignored columns: shoe_size.'));
  assert.equal(cellsOf(dialog.getByRole('region', { name: 'Rejected rows' })), [
    ['3', 'email', 'A user with this email already exists'],
    ['4', 'email', 'expected an email address'],
  ]);
  assert.not.ok(screen.queryByText('new@mail.test'));

  fireEvent.click(dialog.getByText('Import 1 row'));
  await dialog.findByText('Imported old-shop.csv: 3 rows done.');
  assert.equal(result(dialog), { Created: '1', 'Already there': '0', Rejected: '2' });
  assert.not.match(screen.container.textContent ?? '', nonsense);
  fireEvent.click(dialog.getByText('Close'));
  await screen.findByText('new@mail.test');
  const [entry] = (await ann.getAudit({ kind: 'import' })).entries;
  assert.equal([entry?.after?.['file'], String(entry?.after?.['file_sha256']).length], ['old-shop.csv', 64]);
});

test('it can be dropped, and another file begins anew', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  const dialog = await openDialog(screen, 'Import Users');
  const drop = (file: File) => fireEvent.drop(dialog.getByLabelText('CSV file'), { dataTransfer: { files: [file] } });
  drop(players(2));
  fireEvent.click(dialog.getByText('Check file'));
  await dialog.findByText(/^Checked old-shop.csv/);
  drop(new File(['email\n'], 'other.csv'));
  assert.not.ok(dialog.queryByText('Would be created'));
  fireEvent.click(dialog.getByText('Check file'));
  await dialog.findByText('Checked other.csv: 0 rows. Nothing imported yet.');
});

test('a broken file is said to be, and another can be chosen', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  const dialog = await openDialog(screen, 'Import Users');
  for (const [text, words] of [
    ['name\nPam', 'Line 1: missing column email'],
    ['email\n"a', 'Line 2: a quotation mark is never closed'],
    ['', 'The file is empty'],
  ] as const) {
    choose(dialog, new File([text], 'broken.csv'));
    fireEvent.click(dialog.getByText('Check file'));
    await dialog.findByText(words);
  }
  assert.ok(dialog.getByText('Check file'));
});

test('progress is what the server has done; cancelled, it goes on from there', async () => {
  const { open: release, opened: hold } = newGate();
  const screen = await openScreen(<Users tenantId={2} />, 'ann', {
    instead: async ({ path, body }) => {
      if (path.endsWith('/imports') && lineOf(body) === 502) await hold;
      return undefined;
    },
  });
  const dialog = await openDialog(screen, 'Import Users');
  await check(dialog, players(1200));
  fireEvent.click(dialog.getByText('Import 1,200 rows'));
  await dialog.findByText('Importing old-shop.csv: 500 of 1,200 rows done');
  const bar = dialog.getByLabelText('Imported so far');
  assert.equal([bar.getAttribute('value'), bar.getAttribute('max')], ['500', '1200']);
  fireEvent.click(dialog.getByText('Cancel'));
  release();
  await dialog.findByText(/^Stopped after 1,000 of 1,200 rows of old-shop.csv/);
  assert.is((await sql`select 1 from imported`).length, 1000);
  fireEvent.click(dialog.getByText('Continue'));
  await dialog.findByText('Imported old-shop.csv: 1,200 rows done.');
  assert.equal(result(dialog), { Created: '1,200', 'Already there': '0', Rejected: '0' });
  const starts = sentTo(screen, '/imports').map(({ body }) => lineOf(body));
  assert.equal(starts, [2, 502, 1002]);
});

test('the list shows what came in though its answer was lost on the way', async () => {
  let isLost = true;
  const screen = await openScreen(<Users tenantId={2} />, 'ann', {
    instead: async ({ path, body }) => {
      if (!path.endsWith('/imports') || !isLost) return undefined;
      isLost = false;
      await ann.importRows({ body: body as ImportBatch });
      return respondWith('<html>', 502);
    },
  });
  const dialog = await openDialog(screen, 'Import Users');
  await check(dialog, players(2));
  fireEvent.click(dialog.getByText('Import 2 rows'));
  await dialog.findByText('Imported old-shop.csv: 2 rows done.', {}, { timeout: 5000 });
  assert.equal(result(dialog), { Created: '0', 'Already there': '2', Rejected: '0' });
  fireEvent.click(dialog.getByText('Close'));
  await screen.findByText('p1@mail.test');
});

test('a refusal on the way stops it, with the words of the server', async () => {
  let isRefused = true;
  const screen = await openScreen(<Users tenantId={2} />, 'ann', {
    instead: ({ path, body }) =>
      isRefused && path.endsWith('/imports') && lineOf(body) === 502
        ? respondWith({ detail: 'Not just now' }, 409)
        : undefined,
  });
  const dialog = await openDialog(screen, 'Import Users');
  await check(dialog, players(600));
  fireEvent.click(dialog.getByText('Import 600 rows'));
  await dialog.findByText('Not just now');
  assert.ok(dialog.getByText(/^Stopped after 500 of 600 rows/));
  isRefused = false;
  fireEvent.click(dialog.getByText('Continue'));
  await dialog.findByText('Imported old-shop.csv: 600 rows done.');
});

test('closing while a file is on its way asks', async () => {
  const { open: release, opened: hold } = newGate();
  const screen = await openScreen(<Users tenantId={2} />, 'ann', {
    instead: async ({ path }) => {
      if (path.endsWith('/check')) await hold;
      return undefined;
    },
  });
  const dialog = await openDialog(screen, 'Import Users');
  choose(dialog, players(600));
  fireEvent.click(dialog.getByText('Check file'));
  await dialog.findByText(/^Checking /);
  const element = screen.getByRole('dialog') as HTMLDialogElement;
  let says = false;
  const asked = answerBrowser(() => says);
  act(() => element.close()); // as the Escape key does
  await waitFor(() => assert.is(asked.length, 1));
  assert.ok(element.open, 'it is still there');
  says = true;
  act(() => element.close());
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  assert.equal([...new Set(asked), asked.length], ['The import is still running. Stop it and close?', 2]);
  release();
});

test('a super admin says into which tenant; transactions come in beside each list of them', async () => {
  for (const Screen of [Purchases, Redeems]) {
    const screen = await openScreen(<Screen />, 'sue');
    const dialog = await openDialog(screen, 'Import Transactions');
    const line = 'T1,pat@mail.test,REDEEM,success,5,2026-01-01T10:00Z,2026-01-01T11:00Z,yolo';
    const head = 'source_id,user_email,type,status,amount,initiated_at,completed_at,platform';
    choose(dialog, new File([`${head}\n${line}`], 'old.csv'));
    const button = dialog.getByText('Check file') as HTMLButtonElement;
    assert.ok(button.disabled);
    await dialog.findByRole('option', { name: 'Bravo' });
    fireEvent.change(dialog.getByLabelText('Select Tenant'), { target: { value: '3' } });
    assert.not.ok(button.disabled);
    fireEvent.click(button);
    fireEvent.click(await dialog.findByText('Import 1 row'));
    await dialog.findByText('Imported old.csv: 1 row done.');
    const kept = [...(await sql`select tenant_id, amount from redeems where is_history`)];
    assert.equal(kept, [{ tenant_id: 3, amount: 5 }]);
  }
});

test('the sample file can be imported as it is', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  const dialog = await openDialog(screen, 'Import Users');
  await check(dialog, new File([buildSample('players')], 'sample.csv'));
  fireEvent.click(dialog.getByText('Import 2 rows'));
  await dialog.findByText('Imported sample.csv: 2 rows done.');
  assert.ok(dialog.getByText('Download a sample file'));
  fireEvent.click(dialog.getByText('Close'));
  await screen.findByText('quinn@mail.example');
});

test.run();
