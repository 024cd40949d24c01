import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createFirstSuperAdmin, seedPlatform } from '../../../src/server/commands/setup';
import { DatabaseRefused } from '../../../src/server/db/open';
import { guest, hashOfPassword, PASSWORD, reset, sql } from '../../world';

const state = async () =>
  JSON.stringify([await sql`select * from tenants order by id`, await sql`select * from platforms order by id`]);

test.before.each(reset);

test('seeding again changes nothing, not even what was renamed since', async () => {
  await sql`update platforms set display_name = 'Renamed' where name = 'yolo'`;
  const before = await state();
  for (let start = 0; start < 2; start++) await seedPlatform(sql, { timeZone: 'America/New_York' });
  assert.is(await state(), before);
});

test('a missing platform is added, and the next tenant gets the next id', async () => {
  await sql`delete from platforms where name = 'milkyway'`;
  await seedPlatform(sql, { timeZone: 'UTC' });
  assert.is((await sql`select 1 from platforms`).length, 11);
  const [tenant] = await sql`insert into tenants (name, time_zone) values ('Charlie', 'UTC') returning id`;
  assert.is(tenant!['id'], 4);
});

test('two servers that start at once seed once', async () => {
  await sql`delete from platforms`;
  await Promise.all([1, 2, 3].map(() => seedPlatform(sql, { timeZone: 'UTC' })));
  assert.is((await sql`select 1 from platforms`).length, 11);
});

test('the first super admin is made once, and can sign in', async () => {
  await sql`update admins set role_id = 3 where role_id = 1`;
  const passwordHash = hashOfPassword;
  assert.is(await createFirstSuperAdmin(sql, { email: ' first@platform.test ', passwordHash }), true);
  assert.is(await createFirstSuperAdmin(sql, { email: 'second@platform.test', passwordHash }), false);
  const { user } = await guest.login({ body: { email: 'first@platform.test', password: PASSWORD } });
  const role = { name: 'super_admin', is_super_admin: true };
  assert.equal([user.role, user.tenant_id, user.email], [role, 1, 'first@platform.test']);
});

test('the e-mail of an account that is no super admin is refused, in a sentence', async () => {
  await sql`update admins set role_id = 3 where role_id = 1`;
  const failure = await createFirstSuperAdmin(sql, { email: 'ANN@acme.test', passwordHash: 'x' }).catch(
    (error: unknown) => error,
  );
  assert.instance(failure, DatabaseRefused);
});

test.run();
