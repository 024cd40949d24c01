/** What the books find rings: each difference once, each new row of an alarm once, and a provider that fell silent. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RuleKind } from '../../../src/contract/notifications';
import { evaluate } from '../../../src/server/notifications/evaluate';
import { checkEverything } from '../../books';
import { as, db, type Person, pam, pat, people, reset, sql } from '../../world';

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
const turnOn = async (person: Person) =>
  (await as(person)).saveNotificationRule({
    body: { kind: 'book_alarm', is_active: true, threshold: 0, is_urgent: false },
  });
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
  await (await as('ann')).adjustBalances({ id: pam.id, body: { vip: '3' } });
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

test('a new row of an alarm rings once, without the name of the player', async () => {
  const buy = (reference: string | null) => sql`
    insert into transactions (tenant_id, player_id, transaction_type, amount, status, initiated_at, completed_at,
      payment_reference)
    values (2, ${pam.id}, 'TOP_UP', 12.5, 'success', now(), now(), ${reference})`;
  await turnOn('ann');
  await look();
  const before = await titles('ann', 'book_alarm');
  await buy('r-1');
  await look();
  assert.equal(await titles('ann', 'book_alarm'), before);
  await buy(null);
  await look();
  await look();
  const [found, ...more] = (await seenBy('ann', 'book_alarm')).slice(before.length);
  assert.equal(more, []);
  assert.match(found!.title, /^Success purchase without a payment reference: purchase \d+, \$12\.50$/);
  assert.equal([found!.object_id, found!.about_tenant_id], ['no_reference', 2]);
  await sql`insert into payout_holds (tenant_id, player_id, admin_id) values (2, ${pam.id}, ${people.ann.id})`;
  await look();
  const all = await titles('ann', 'book_alarm');
  assert.match(all.at(-1)!, new RegExp(`^Negative or frozen balance: player ${pam.id}, \\$`));
  assert.not.match(JSON.stringify(all), /@/);
  assert.equal(await titles('sue', 'book_alarm'), [], "the platform's rule is off at first");
});

test('many new rows of an alarm are one notification', async () => {
  await turnOn('ben');
  await sql`
    insert into transactions (tenant_id, player_id, transaction_type, amount, status, initiated_at, completed_at)
    select 3, ${pat.id}, 'TOP_UP', n, 'success', now(), now() from generate_series(1, 5) n`;
  await look();
  assert.ok((await titles('ben', 'book_alarm')).includes('Success purchase without a payment reference: 5 new'));
});

test('a provider that delivered in the last week and then nothing for a day rings', async () => {
  await sql`
    insert into payment_methods (tenant_id, payment_platform, credentials_secret)
    values (2, 'apex', 'x') on conflict do nothing`;
  await sql`
    insert into webhook_deliveries (tenant_id, payment_platform, delivery_id, event_type, outcome, last_at)
    values (2, 'apex', 'd1', 'payment.paid', 'applied', now() - interval '23 hours')`;
  await look();
  assert.equal(await titles('ann', 'provider_failing'), []);
  await sql`update webhook_deliveries set last_at = now() - interval '25 hours'`;
  await look();
  await look();
  for (const person of ['ann', 'sue'] as const)
    assert.equal(await titles(person, 'provider_failing'), ['apex has delivered nothing for 24 hours']);
  assert.equal(await titles('ben', 'provider_failing'), []);
});

test.run();
