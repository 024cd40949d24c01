/**
 * Attacks by somebody who may write to the database but has no key, on a running server, and what `npm run verify` says
 * to them. Each of them leaves books that agree with each other.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { enter, eventually, newDataDir, newFolder, type Running, run } from '../running';
import { pastTheServer, runVerify } from './verifyProgram';

const folder = newFolder('tampering');
let round = 0,
  dataDir = '',
  server: Running,
  api: Api,
  player = 0;

/** A tenant with a player who has 500 credit, on a server and a database of its own. */
test.before.each(async () => {
  await newDataDir((dataDir = join(folder, String(++round))));
  await open();
  const { id: tenant_id } = await api.createTenant({ body: { name: 'Acme' } });
  ({ id: player } = await api.createPlayer({ body: { email: 'pam@mail.test', password: 'secret', tenant_id } }));
  await api.adjustBalances({ id: player, body: { credit: 500 } });
});
test.after.each(async () => {
  await server.end('SIGTERM');
});
test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

async function open(): Promise<void> {
  server = await run({ dataDir });
  api = await enter(server);
}

const redeem = () => {
  const payout = { platform: 'yolo', payout_method: 'Crypto Wallet', payout_address: 'bc1-pam' } as const;
  return api.createManualRedeem({ body: { user_email: 'pam@mail.test', amount: 100, ...payout, description: '' } });
};
/** Has `npm run verify` find this; the books themselves must agree. */
async function finds(what: RegExp, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await runVerify(dataDir, args);
  assert.is(stderr, '');
  assert.match(stdout, /^The ledger adds up\.$/m);
  assert.is(code, 1, stdout);
  assert.match(stdout, what);
}
async function assertIntact(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runVerify(dataDir, args);
  assert.is(code, 0, stdout + stderr);
  return stdout;
}
/** The heads that the server has logged so far. */
const headLines = () => server.stdout().match(/"audit_heads":"[^"]+"/g) ?? [];

test('an entry that was deleted, with the end of its shard put back as it was before', async () => {
  const shards = await pastTheServer(dataDir, (sql) => sql`select lane, position, last_seal, seal from audit_lanes`);
  await api.adjustBalances({ id: player, body: { credit: 7777 } });
  assert.is(await server.end('SIGTERM'), 0); // a stop logs the heads
  const log = join(dataDir, 'server.log');
  writeFileSync(log, server.stdout());
  await open();
  await assertIntact('--since', log);

  await pastTheServer(dataDir, async (sql) => {
    for (const { lane, position, last_seal, seal } of shards) {
      await sql`delete from audit_log where lane = ${lane} and position > ${position}`;
      await sql`
        update audit_lanes set position = ${position}, last_seal = ${last_seal}, seal = ${seal}
        where lane = ${lane}`;
    }
  });
  await finds(/^A transfer of tenant 2 \(7777\.00 from adjustment to credit of player 1 .* has no entry/m);
  await pastTheServer(dataDir, async (sql) => {
    await sql`delete from transfers where amount = 7777`;
    await sql`update wallets set credit_balance = 500`;
  });
  await api.updatePlayer({ id: player, body: { email: 'pam@mail.test', first_name: 'Pam' } }); // the log goes on
  await assertIntact(); // with everything as it was before, only what has left the machine shows it
  // The log goes on in any of its shards: in the one that was cut, another entry is in the noted place.
  const cut = /^Audit log shard \d+ ends at position \d+, but position \d+ was noted: |, is not the noted one\.$/m;
  await finds(cut, '--since', log);
});

test('a transfer of 5,000 and its wallet, written by SQL', async () => {
  await pastTheServer(dataDir, async (sql) => {
    await sql`
      insert into transfers (tenant_id, player_id, from_account, to_account, amount, admin_id)
      select tenant_id, player_id, 'adjustment', 'credit', 5000, 1 from wallets`;
    await sql`update wallets set credit_balance = credit_balance + 5000`;
  });
  await finds(/^A transfer of tenant 2 \(5000\.00 from adjustment to credit of player 1 by admin 1\) has no entry/m);
});

test('money moved back: the transfer of a balance edit deleted, and its wallet', async () => {
  await pastTheServer(dataDir, async (sql) => {
    await sql`delete from transfers`;
    await sql`update wallets set credit_balance = 0`;
  });
  const edit = 'a balance edit of tenant 2 \\(500 from adjustment to credit of player 1 by admin 1\\)';
  await finds(new RegExp(`^The audit log has ${edit}, but`, 'm'));
});

test('money moved back: a redeem that was paid out is pending again', async () => {
  const { id } = await redeem();
  await api.changeRedeemStatus({ id, body: { status: 'success' } });
  await assertIntact();
  await pastTheServer(dataDir, async (sql) => {
    await sql`delete from transfers where to_account = 'cash_out'`;
    await sql`update redeems set status = 'pending', completed_at = null`;
    await sql`update wallets set held_balance = 100, individual_ggr = 0`;
  });
  const said = `^The audit log says that redeem ${id} of tenant 2 became success, but the database does not`;
  await finds(new RegExp(said, 'm'));
});

test('the payout address of a pending redeem, changed: it is found, and not paid out', async () => {
  const { id } = await redeem();
  await assertIntact();
  const change = (address: string) =>
    pastTheServer(dataDir, (sql) => sql`update redeems set payout_address = ${address} where id = ${id}`);
  await change('bc1-mallory');
  await finds(new RegExp(`^Redeem ${id} of tenant 2 is not as it was entered: its seal does not`, 'm'));
  const refusal = await api.changeRedeemStatus({ id, body: { status: 'success' } }).catch((error: unknown) => error);
  assert.match(String(refusal), /The amount or the payout address of this redeem was changed in the database/);
  assert.is(Reflect.get(refusal as object, 'status'), 409);
  assert.ok(await eventually(() => server.stdout().includes('"msg":"a row was changed past the server"')));
  const { entries } = await api.getAudit({ kind: 'redeem' });
  const logged = entries.map(({ call, object_id, after }) => `${call} ${object_id} ${after?.['tampering_found']}`);
  assert.equal(logged, [`changeRedeemStatus ${id} true`, `createManualRedeem ${id} undefined`]);

  // Mended, it can be paid out.
  await change('bc1-pam');
  await api.changeRedeemStatus({ id, body: { status: 'success' } });
  await assertIntact();
});

test('the heads leave at the start, at the stop and as a file, and a file without any is refused', async () => {
  assert.ok(await eventually(() => headLines().length === 1));
  assert.is(await server.end('SIGTERM'), 0);
  const [first, last] = headLines();
  assert.ok(first && last && first !== last);
  const heads = join(dataDir, 'heads'),
    empty = join(dataDir, 'empty');
  writeFileSync(heads, `${last.replace('"audit_heads":"', '').replace('"', '')}\n`);
  writeFileSync(empty, 'no heads\n');
  const count = /(\d+) noted heads?/.exec(await assertIntact('--since', heads))?.[1];
  assert.is(Number(count), last.split(' ').length);
  const refused = await runVerify(dataDir, ['--since', empty]);
  assert.equal([refused.code, refused.stderr], [1, `${empty} has no heads of the audit log.\n`]);
  assert.is((await runVerify(dataDir, ['--since', join(dataDir, 'missing')])).code, 1);
  await open();
});

test.run();
