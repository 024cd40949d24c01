/** When rows are late, as each tenant says, and that the first key takes a row (docs/extras/lists.md, "Work queue"). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readPending } from '../../../src/server/monitoring/figures';
import { evaluate } from '../../../src/server/notifications/evaluate';
import { isRefused } from '../../answers';
import { ann, ben } from '../../callers';
import { as, db, pam, refused, reset, sql } from '../../world';

const quick = [
  { list: 'redeems', late: 3, overdue: 45 },
  { list: 'purchases', late: 5, overdue: 60 },
] as const;
test.before.each(reset);

test('a tenant that has said nothing has none of its own; what is saved comes with its pending rows', async () => {
  assert.equal(await ann.getQueueSettings({}), { late_minutes: [], key_takes: false });
  assert.not.ok('late_minutes' in (await ann.listRedeems({ status: 'pending' }))[0]!);
  const saved = await ann.changeQueueSettings({ body: { late_minutes: [...quick], key_takes: true } });
  assert.equal(saved, { late_minutes: [...quick], key_takes: true });
  const minutesOf = ([row]: { late_minutes?: number | undefined; overdue_minutes?: number | undefined }[]) => [
    row?.late_minutes,
    row?.overdue_minutes,
  ];
  assert.equal(minutesOf(await ann.listRedeems({ status: 'pending' })), [3, 45]);
  assert.equal(minutesOf(await ann.listPurchases({})), [5, 60]);
  const bravos = await ben.listRedeems({ status: 'pending' });
  assert.not.ok('late_minutes' in bravos[0]!, 'of the other tenant');
  assert.is((await ann.watchList({ list: 'redeems', after_id: 1 })).key_takes, true);
});

test('minutes that make no sense are refused', async () => {
  const save = (late_minutes: { list: 'redeems'; late: number; overdue: number }[]) =>
    refused(ann.changeQueueSettings({ body: { late_minutes, key_takes: false } }));
  const one = (late: number, overdue: number) => ({ list: 'redeems' as const, late, overdue });
  for (const wrong of [[one(0, 5)], [one(5, 5)], [one(2.5, 9)], [one(1, 43_201)], [one(1, 2), one(1, 3)]])
    assert.is(await save(wrong), 422, JSON.stringify(wrong));
  await ann.changeQueueSettings({ body: { late_minutes: [one(1, 43_200)], key_takes: false } });
});

test('the metrics and the overview count what is late for its tenant', async () => {
  await sql`update redeems set initiated_at = now() - interval '10 minutes'`;
  const late = async () => (await readPending(db)).find(({ kind }) => kind === 'redeem')?.late;
  assert.is(await late(), 0);
  await ann.changeQueueSettings({ body: { late_minutes: [...quick], key_takes: false } });
  assert.is(await late(), 1, 'of Acme, and not of Bravo');
  const shownTo = async (person: 'ann' | 'ben' | 'sue') =>
    (await (await as(person)).getOverview({})).parts
      .filter(({ part }) => part === 'late')
      .map((one) => [one.key, one.count_in]);
  const shown = [await shownTo('ann'), await shownTo('ben'), await shownTo('sue')];
  assert.equal(shown, [[['redeems', 1]], [], [['redeems', 1]]]);
});

test('a redeem that is overdue for its tenant rings, unless the rule has a number of its own', async () => {
  await sql`update redeems set initiated_at = now() - interval '50 minutes'`;
  const kind = 'old_redeem';
  const titles = async () => {
    await evaluate(db, (error) => assert.is(error, null), { isForced: true });
    return (await ann.listNotifications({})).map(({ title }) => title);
  };
  assert.equal(await titles(), []);
  await ann.changeQueueSettings({ body: { late_minutes: [...quick], key_takes: false } });
  const rule = async () => {
    const found = (await ann.listNotificationRules({})).find((one) => one.kind === kind)!;
    return [found.threshold, found.overdue_minutes];
  };
  assert.equal(await rule(), [null, 45]);
  await ann.saveNotificationRule({ body: { kind, is_active: true, threshold: 24 } });
  assert.equal([await titles(), await rule()], [[], [24, 45]]);
  await ann.saveNotificationRule({ body: { kind, is_active: true, threshold: null } });
  for (const is_muted of [true, false]) await ann.muteNotificationRule({ body: { kind, is_muted } });
  assert.equal(await rule(), [null, 45], 'a rule that was muted follows the queue as before');
  const money = { kind: 'large_redeem', is_active: true, threshold: null } as const;
  await isRefused(ann.saveNotificationRule({ body: money }), 422);
  assert.equal(await titles(), [`Redeem ${pam.redeem} of $150.00 waits for 50 minutes`]);
});

test.run();
