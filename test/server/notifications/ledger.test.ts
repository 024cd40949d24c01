/** The rule about the ledger: it fires once for each difference. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RuleKind } from '../../../src/contract/notifications';
import { evaluate } from '../../../src/server/notifications/evaluate';
import { checkEverything } from '../../books';
import { ann } from '../../callers';
import { as, db, type Person, pam, pat, reset, sql } from '../../world';

const look = async (): Promise<void> => {
  const errors: unknown[] = [];
  await evaluate(db, (error, kind) => errors.push(`${kind}: ${error}`), { isForced: true });
  assert.equal(errors, []);
};
const seenBy = async (person: Person, kind: RuleKind) =>
  (await (await as(person)).listNotifications()).filter((one) => one.kind === kind).reverse();
const titles = async (person: Person, kind: RuleKind) => (await seenBy(person, kind)).map(({ title }) => title);
/** The books are asked to verify themselves, and do. */
const verify = async (person: Person): Promise<void> => {
  await (await as(person)).verifyBooks({ body: {} });
  await checkEverything();
};
/** So that a state that is over is forgotten. */
const pass = (hours: number) => sql`
  update notification_things set at = (at at time zone 'UTC' - make_interval(hours => ${hours})) at time zone 'UTC'`;
const spoil = (amount: string, player: number = pam.id) => sql`
  update wallets set vip_balance = vip_balance + ${amount}::numeric where player_id = ${player}`;
/** Moved long ago, so the quick comparison of monitoring does not see it. */
const age = () =>
  db.tx(async (tx) => {
    await tx`alter table transfers disable trigger user`;
    await tx`update transfers set created_at = now() - interval '1 day'`;
    await tx`alter table transfers enable trigger user`;
  });

test.before.each(reset);

test('what a verification finds rings once for the tenant and the platform; again only if it comes back', async () => {
  await age();
  await spoil('0.05');
  await look();
  assert.equal(await titles('ann', 'ledger_off'), [], 'nobody has verified anything yet');
  await verify('ann');
  await look();
  const sentence = new RegExp(`^Ledger off: Player ${pam.id} of tenant 2 has \\d+\\.05 vip, but the transfers sum to`);
  for (const person of ['ann', 'sue'] as const) {
    const [found, ...more] = await seenBy(person, 'ledger_off');
    assert.equal(more, []);
    assert.match(found!.title, sentence);
    assert.equal([found!.detail, found!.about_tenant_id], ['Off by $0.05', 2]);
  }
  assert.equal(await titles('ben', 'ledger_off'), []);

  // The daily check finds the same, although the balance has moved on.
  await ann.adjustBalances({ id: pam.id, body: { vip: '3' } });
  await age();
  await pass(2);
  await verify('ann');
  await look();
  assert.is((await titles('ann', 'ledger_off')).length, 1, 'the same finding does not ring twice');

  await spoil('0.02', pat.id);
  await verify('sue');
  await look();
  assert.is((await titles('ann', 'ledger_off')).length, 1);
  assert.is((await titles('ben', 'ledger_off')).length, 1);
  assert.is((await titles('sue', 'ledger_off')).length, 2);

  await spoil('-0.05');
  await verify('ann');
  await look();
  await spoil('0.05');
  await verify('ann');
  await look();
  assert.is((await titles('ann', 'ledger_off')).length, 2, 'it was over, and is back');
});

test('what a backup finds rings only if it is more than the books know', async () => {
  await age();
  await spoil('0.05');
  await verify('ann');
  await sql`insert into upkeep (task, at, findings) values ('backup', now(), 1)`;
  await look();
  assert.is((await titles('sue', 'ledger_off')).length, 1);
  await sql`update upkeep set findings = 2`;
  await look();
  assert.is((await titles('sue', 'ledger_off'))[1], '2 differences were found by the last backup');
  assert.is((await titles('ann', 'ledger_off')).length, 1);
});

test.run();
