/** Closed months that were opened or changed past the server, by SQL of the owner of the database without the key. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyEvidence } from '../../../src/server/books/verifyEvidence';
import { recordLedger } from '../../../src/server/commands/setup';
import { moveBack } from '../../books';
import { ann } from '../../callers';
import { importFile, summary } from '../../importFile';
import { topUp } from '../../seed';
import { db, pam, pastTriggers, reset, runEach, services } from '../../world';

const found = async (): Promise<string> => (await verifyEvidence(db, services.secrets)).join(' ');
const close = async () => ann.closeMonth({ body: { tenant_id: 2, month: '2025-09' } });
const past = (statements: string) =>
  pastTriggers(['closed_months', 'statement_lines'], (tx) => runEach(tx, statements));

test.before.each(async () => {
  await reset();
  await topUp(pam, '200', 'success');
  await moveBack(2, '2025-09-15T12:00:00Z');
  await db.tx((tx) => recordLedger(tx, services.secrets));
  await close();
  assert.is(await found(), '');
});

test('a month is opened, gets a purchase, and is closed again', async () => {
  await past('delete from statement_lines; delete from closed_months');
  assert.match(await found(), /The audit log says that month 2025-09 of tenant 2 was closed, but it is open/);
  const file = `source_id,user_email,type,status,amount,initiated_at,completed_at
    x,${pam.email},TOP_UP,success,5000,2025-09-20,2025-09-20`.replace(/\n +/, '\n');
  assert.is(summary(await importFile(ann, 'transactions', file)).created, 1);
  await close();
  assert.match(await found(), /Month 2025-09 of tenant 2 was closed 2 times: it was opened in between/);
});

test('the lines of a month are changed', async () => {
  await past('update statement_lines set amount = amount + 1');
  assert.is(await found(), 'The lines of 2025-09 of tenant 2 are not those with which it was closed.');
});

test('a month ends earlier, so that the rest of it is open', async () => {
  await past("update closed_months set ends_at = '2025-09-10'");
  assert.match(await found(), /Month 2025-09 of tenant 2 is closed from .* to .*, which is not that month/);
});

test('a month that is open is written down as closed', async () => {
  await past(`insert into closed_months (tenant_id, month, starts_at, ends_at, admin_id)
    select tenant_id, '2025-10-01', ends_at, ends_at + interval '31 days', admin_id from closed_months`);
  assert.match(await found(), /Month 2025-10 of tenant 2 is closed, but no entry of the audit log says so/);
});

test.run();
