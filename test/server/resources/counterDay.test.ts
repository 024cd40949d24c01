/** A day at the counter by API keys and a webhook alone, from a new player to a paid win (docs/counter.md). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLedger } from '../../../src/server/books/verify';
import { ann } from '../../callers';
import { addApex, deliver, newKey, withKey } from '../../integrations';
import { reset, sql } from '../../world';

test.before(reset);
const email = 'wynn@mail.test',
  platform = 'vblink';

test('a win of $300 after a deposit of $50 is paid, and no balance was edited', async () => {
  const secret = await addApex();
  await sql`
    insert into tenant_platforms (tenant_id, platform_id, is_active)
    select 2, id, true from platforms where name = ${platform}`;
  const shop = withKey((await newKey()).key);

  const player = await shop.pushPlayer({ body: { email, first_name: 'Wynn' } });
  await shop.pushLogin({ body: { email, platform, username: 'wynn1', password: 'fortune' } });
  const paid = { id: 'evt-1', type: 'payment.succeeded', reference: 'pay-1', amount: '50', email };
  await deliver('/api/v1/webhooks/2/apex', secret, { ...paid, occurred_at: new Date().toISOString() });
  const money = { email, platform, amount: '50', payment_reference: 'load-1' };
  const deposit = await shop.pushDeposit({ body: money });
  await shop.pushStatus({ id: deposit.id, body: { status: 'success' } });
  const win = await shop.pushReturn({ body: { ...money, amount: '300', payment_reference: 'win-1' } });
  await shop.pushStatus({ id: win.id, body: { status: 'success' } });
  const redeem = await shop.pushRedeem({ body: { ...money, amount: '300', payment_reference: 'out-1' } });
  const row = (await ann.listRedeems({})).find(({ id }) => id === redeem.id);
  assert.not(
    (row?.risks ?? []).some((risk) => risk.startsWith('adjust')),
    'an honest win is not marked as edited',
  );
  const out = await shop.pushStatus({ id: redeem.id, body: { status: 'success' } });
  assert.is(out.status, 'success');

  const [left] = await sql`
    select credit_balance, held_balance from wallets where player_id = ${player.id}`;
  assert.equal({ ...left }, { credit_balance: 0, held_balance: 0 });
  const [edited] = await sql`
    select count(*)::int as count from transfers
    where player_id = ${player.id} and 'adjustment' in (from_account, to_account)`;
  assert.is(edited?.['count'], 0, 'no balance was edited');
  assert.equal(await verifyLedger(sql), []);
  const month = new Date().toISOString().slice(0, 7);
  const { accounts } = await ann.getStatement({ tenant_id: 2, month });
  const columns = Object.keys(accounts[0] ?? {}).filter((name) => name !== 'account') as 'closing'[];
  for (const column of columns) {
    const sum = accounts.reduce((cents, line) => cents + Math.round(line[column] * 100), 0);
    assert.is(sum, 0, column);
  }
  const games = accounts.find(({ account }) => account === 'platform');
  assert.equal([games?.deposits, games?.returns, games?.closing], [50, -300, -250], 'the player has won');
});

test.run();
