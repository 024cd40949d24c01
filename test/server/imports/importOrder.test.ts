/** In which order a batch of an import locks what others change meanwhile. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLedger } from '../../../src/server/books/verify';
import { importFile, summary } from '../../importFile';
import { addPlayer } from '../../seed';
import { as, countLockWaits, db, pam, reset, sql } from '../../world';

test.before.each(reset);

test('while a batch waits for a wallet it keeps nobody from settling on the same day', async () => {
  const ann = await as('ann'),
    rich = await addPlayer(2, { email: 'rich@mail.test', credit: '100' });
  const now = new Date().toISOString();
  const text = [
    'source_id,user_email,transaction_type,status,amount,platform,initiated_at,completed_at',
    `A,${pam.email},TOP_UP,success,5,,${now},${now}`,
    `B,${rich.email},REDEEM,pending,10,yolo,${now},`,
  ].join('\n');
  let coming: Promise<unknown> = Promise.resolve();
  await db.sql.begin(async (tx) => {
    // as somebody who settles for the same player: the wallet, then the day
    await tx`select 1 from wallets where tenant_id = 2 and player_id = ${rich.id} for update`;
    coming = importFile(ann, 'transactions', text).then(summary);
    while (!(await countLockWaits())) await new Promise((done) => setTimeout(done, 20));
    await tx`set local lock_timeout = '300ms'`; // what nobody holds needs none
    await tx`
      insert into day_totals (tenant_id, day, slot)
      select 2, (now() at time zone time_zone)::date, 0 from tenants where id = 2
      on conflict (tenant_id, day, slot) do update set purchases = day_totals.purchases`;
  });
  assert.equal(await coming, { created: 2, existing: 0, rejects: [] });
  assert.equal(await verifyLedger(sql), []);
});

test.run();
