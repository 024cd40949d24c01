/** A tenant's time zone: where its business days begin, and what is counted again when it changes. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { booksAddUp, isRefused, pluck } from '../../answers';
import { ann, sue } from '../../callers';
import { countAll, readDays } from '../../facts';
import { redeem, topUp } from '../../seed';
import { pam, pat, reset, sql, whileHeld } from '../../world';

test.before.each(reset);
test.after.each(booksAddUp);

const setZone = (time_zone: string, id = 2) =>
  sue.updateTenant({ id, body: { name: id === 2 ? 'Acme' : 'Bravo', time_zone } });
const days = async (tenantId: number) =>
  (await readDays(tenantId)).map(({ day, purchases, redeems }) => [day, purchases, redeems]);
const night = { initiated_at: new Date('2026-03-02T03:00Z'), completed_at: new Date('2026-03-02T03:30Z') };
const noon = { initiated_at: new Date('2026-03-02T19:00Z'), completed_at: new Date('2026-03-02T20:00Z') };

test('a tenant is made in a time zone, or moved into one, and says so', async () => {
  const made = await sue.createTenant({ body: { name: 'Charlie', time_zone: 'Europe/Berlin' } });
  assert.is(made.time_zone, 'Europe/Berlin');
  assert.is((await setZone('America/Los_Angeles')).time_zone, 'America/Los_Angeles');
  assert.is((await sue.updateTenant({ id: 2, body: { name: 'Acme' } })).time_zone, 'America/Los_Angeles', 'kept');
});

test('what is no time zone is refused by name, an offset too, and changes nothing', async () => {
  for (const time_zone of ['', 'Nowhere/Land', '+03:00', 'UTC; drop table tenants', 'utc+3'])
    await isRefused(setZone(time_zone), 422, 'body.time_zone: expected an IANA time zone such as America/New_York');
  await isRefused(setZone('america/NEW_york'), 422, undefined, 'a name is written as the database has it');
  await isRefused(sue.createTenant({ body: { name: 'Charlie', time_zone: 'Nowhere/Land' } }), 422);
  assert.is((await sue.listTenants()).find(({ id }) => id === 2)?.time_zone, 'UTC');
});

test('the figures, the filters and the limit of the day follow the new zone, for all that was', async () => {
  await topUp(pam, '10', 'success', night);
  await topUp(pam, '20', 'success', noon);
  await redeem(pam, '5', 'success', night);
  await topUp(pat, '7', 'success', night);
  await countAll();
  assert.equal(await days(2), [['2026-03-02', 30, 5]]);

  await setZone('America/Los_Angeles');
  assert.equal(await days(2), [
    ['2026-03-01', 10, 5],
    ['2026-03-02', 20, 0],
  ]);
  assert.equal(await days(3), [['2026-03-02', 7, 0]], 'the days of another tenant stay');
  const [moved] = await sql`select business_day::text as day from redeems where tenant_id = 2 and amount = 5`;
  assert.is(moved?.['day'], '2026-03-01');
  const first = await ann.listPurchases({ from_date: '2026-03-01', to_date: '2026-03-01', transaction_type: 'TOP_UP' });
  assert.equal(pluck(first, 'amount'), [10]);
  const [affiliate] = (await ann.getAffiliates({ start_date: '2026-03-01', end_date: '2026-03-01' })).affiliates;
  assert.equal([affiliate?.purchases, affiliate?.redeems], [10, 5]);

  await setZone('UTC');
  assert.equal(await days(2), [['2026-03-02', 30, 5]], 'and back again');
});

test('a new zone waits for whoever decides on a redeem, and keeps nobody from what is begun', async () => {
  const moved = await whileHeld(
    (tx) => tx`select 1 from redeems where tenant_id = 2 and id = ${pam.redeem} for update`,
    () => setZone('Pacific/Kiritimati'),
    async (tx) => {
      await tx`set local lock_timeout = 200`;
      await tx`update redeems set completed_at = null where tenant_id = 2 and id = ${pam.redeem}`;
    },
  );
  assert.is(moved.time_zone, 'Pacific/Kiritimati');
});

test('the metrics name the zones of their days: one of a tenant, each once of all', async () => {
  assert.equal((await ann.getDashboardMetrics()).time_zones, ['UTC']);
  assert.equal((await sue.getDashboardMetrics()).time_zones, ['UTC'], 'of two tenants');
  await setZone('America/Los_Angeles');
  assert.equal((await ann.getDashboardMetrics()).time_zones, ['America/Los_Angeles']);
  assert.equal((await sue.getDashboardMetrics()).time_zones, ['America/Los_Angeles', 'UTC']);
  assert.equal((await sue.getDashboardMetrics({ tenant_id: 3 })).time_zones, ['UTC']);
});

test.run();
