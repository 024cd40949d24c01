/** In which order a batch of an import locks what others change meanwhile. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLedger } from '../../../src/server/books/verify';
import { settlePurchase } from '../../../src/server/ledger/settle';
import { ann } from '../../callers';
import { importFile, summary } from '../../importFile';
import { addPlayer, topUp } from '../../seed';
import { pam, reset, sql, whileHeld } from '../../world';

/** What an import came to that met a wallet which somebody held, as whoever settles for the player does. */
const importWhileHeld = (player: number, text: string, last: Parameters<typeof whileHeld>[2]) =>
  whileHeld(
    (tx) => tx`select 1 from wallets where tenant_id = 2 and player_id = ${player} for update`,
    () => importFile(ann, 'transactions', text).then(summary),
    last,
  );

test.before.each(reset);

test('while a batch waits for a wallet it keeps nobody from settling on the same day', async () => {
  const rich = await addPlayer(2, { email: 'rich@mail.test', credit: '100' });
  const now = new Date().toISOString();
  const text = [
    'source_id,user_email,transaction_type,status,amount,platform,initiated_at,completed_at',
    `A,${pam.email},TOP_UP,success,5,,${now},${now}`,
    `B,${rich.email},REDEEM,pending,10,yolo,${now},`,
  ].join('\n');
  const pending = await topUp(rich, '5');
  const coming = importWhileHeld(rich.id, text, async (tx) => {
    await tx`set local lock_timeout = '300ms'`; // what nobody holds needs none
    await settlePurchase(tx, { id: pending, tenant: 2, status: 'success', admin_id: null });
  });
  assert.equal(await coming, { created: 2, existing: 0, rejects: [] });
  assert.equal(await verifyLedger(sql), []);
});

test('a batch locks wallets in the order of their ids, whatever the order of its rows', async () => {
  const rich = await addPlayer(2, { email: 'rich@mail.test', credit: '100' });
  assert.ok(rich.id > pam.id);
  const now = new Date().toISOString();
  const text = [
    'source_id,user_email,transaction_type,status,amount,platform,initiated_at',
    `A,${rich.email},REDEEM,pending,10,yolo,${now}`,
    `B,${pam.email},REDEEM,pending,5,yolo,${now}`,
  ].join('\n');
  const coming = importWhileHeld(pam.id, text, async (tx) => {
    const free = await tx`
      select 1 from wallets where tenant_id = 2 and player_id = ${rich.id} for update skip locked`;
    assert.is(free.length, 1);
  });
  assert.equal(await coming, { created: 2, existing: 0, rejects: [] });
});

test.run();
