import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { addPlayer } from '../../seed';
import { as, pam, refusal, refused, reset, send, tokenOf } from '../../world';

test.before.each(reset);

test('every tenant is listed, the platform itself among them', async () => {
  assert.equal(
    (await (await as('sue')).listTenants()).map(({ id, name }) => `${id} ${name}`),
    ['1 Platform', '2 Acme', '3 Bravo'],
  );
});

test('a tenant admin may not list tenants, make one or change their own', async () => {
  const ann = await as('ann');
  assert.is(await refused(ann.listTenants()), 403);
  assert.is(await refused(ann.createTenant({ body: { name: 'Mine' } })), 403);
  assert.is(await refused(ann.updateTenant({ id: 2, body: { name: 'Mine' } })), 403);
});

test('a new tenant is active, listed, and keeps its days in the business time zone', async () => {
  const sue = await as('sue');
  const made = await sue.createTenant({ body: { name: ' Charlie ', description: 'Slots' } });
  assert.equal(made, {
    id: 4,
    name: 'Charlie',
    description: 'Slots',
    is_active: true,
    email: null,
    require_two_factor: false,
    mail_links: false,
    time_zone: 'UTC',
  });
  assert.equal((await sue.listTenants()).at(-1), made);
});

test('a blank description or e-mail is none', async () => {
  const made = await (await as('sue')).createTenant({ body: { name: 'Charlie', description: '', email: '' } });
  assert.is(made.description, null);
  assert.is(made.email, null);
});

test('null says the same as blank where text is optional; another kind of value is refused', async () => {
  const token = await tokenOf('sue'),
    post = (path: string, body: object) => send('POST', `/api/v1/admin/${path}`, { token, body });
  const made = await post('tenants/', { name: 'Charlie', description: null, email: null });
  assert.equal([made.status, (await made.json()).description], [200, null]);
  assert.is((await post('tenants/', { name: 'Delta', description: 5 })).status, 422);
  const redeem = await post('redeems/manual', {
    user_email: pam.email,
    amount: 1,
    platform: 'yolo',
    payout_method: 'PayPal',
    payout_address: 'a',
    description: null,
  });
  assert.is(redeem.status, 200);
});

test('a name is required', async () => {
  const sue = await as('sue');
  assert.equal(await refusal(sue.createTenant({ body: { name: '  ' } })), {
    status: 422,
    detail: 'body.name: must not be empty',
  });
  assert.is(await refused(sue.updateTenant({ id: 2, body: { name: '' } })), 422);
  for (const name of ['Ac\u200bme', '\u202eemcA', 'Ac\u0007me'])
    assert.is(await refused(sue.createTenant({ body: { name } })), 422, 'a name that looks like another');
});

test('two tenants never have one name, whatever its case', async () => {
  const sue = await as('sue');
  assert.equal(await refusal(sue.createTenant({ body: { name: 'ACME' } })), {
    status: 409,
    detail: 'A tenant with this name already exists',
  });
  assert.is(await refused(sue.updateTenant({ id: 3, body: { name: 'acme' } })), 409);
  assert.is((await sue.updateTenant({ id: 2, body: { name: 'ACME' } })).name, 'ACME');
});

test('of two at once with one name, one is made', async () => {
  const sue = await as('sue');
  const outcomes = await Promise.all(
    [1, 2].map(() =>
      sue.createTenant({ body: { name: 'Twin' } }).then(
        () => 200,
        (error: { status: number }) => error.status,
      ),
    ),
  );
  assert.equal(outcomes.sort(), [200, 409]);
});

test('an update keeps what it leaves out and clears what it sends blank', async () => {
  const sue = await as('sue');
  await sue.updateTenant({ id: 2, body: { name: 'Acme', email: 'office@acme.test' } });
  assert.equal(await sue.updateTenant({ id: 2, body: { name: 'Acme Games' } }), {
    id: 2,
    name: 'Acme Games',
    description: 'Arcade',
    is_active: true,
    email: 'office@acme.test',
    require_two_factor: false,
    mail_links: false,
    time_zone: 'UTC',
  });
  assert.equal(await sue.updateTenant({ id: 2, body: { name: 'Acme Games', description: '', email: '' } }), {
    id: 2,
    name: 'Acme Games',
    description: null,
    is_active: true,
    email: null,
    require_two_factor: false,
    mail_links: false,
    time_zone: 'UTC',
  });
});

test('an e-mail must be one', async () => {
  assert.is(await refused((await as('sue')).createTenant({ body: { name: 'Charlie', email: 'nonsense' } })), 422);
});

test('an unknown tenant is 404', async () => {
  assert.equal(await refusal((await as('sue')).updateTenant({ id: 99, body: { name: 'Nobody' } })), {
    status: 404,
    detail: 'Tenant not found',
  });
});

test('how many players each tenant has, and how much is pending, is told to super admins alone', async () => {
  const sue = await as('sue');
  assert.is(await refused((await as('ann')).listTenantFigures()), 403);
  assert.equal(await sue.listTenantFigures(), [
    { tenant_id: 3, players: 1, pending: 2 },
    { tenant_id: 2, players: 1, pending: 2 },
  ]);
  await sue.changePurchaseStatus({ id: pam.purchase, body: { status: 'success' } });
  await addPlayer(2, { email: 'more@mail.test' });
  assert.equal((await sue.listTenantFigures())[1], { tenant_id: 2, players: 2, pending: 1 });
});

test('what a tenant has of what it needs is told to super admins alone', async () => {
  const sue = await as('sue'),
    ann = await as('ann');
  assert.is(await refused(ann.getTenantSetup({ id: 2 })), 403);
  assert.equal(await refusal(sue.getTenantSetup({ id: 99 })), { status: 404, detail: 'Tenant not found' });
  const { id } = await sue.createTenant({ body: { name: 'Charlie' } });
  const nothing = {
    has_platforms: false,
    has_admins: false,
    has_payment_methods: false,
    has_players: false,
    has_api_keys: false,
  };
  assert.equal(await sue.getTenantSetup({ id }), nothing);

  await sue.saveAssignment({ tenant_id: id, platform_id: 3, body: { username: 'x', password: 'y' } });
  assert.equal(await sue.getTenantSetup({ id }), { ...nothing, has_platforms: true });
  await sue.unassignPlatform({ id: 3, body: { tenant_id: id } });
  assert.equal(await sue.getTenantSetup({ id }), nothing, 'a former assignment is none');

  const role_id = (await sue.listRoles()).find(({ name }) => name === 'admin')?.id ?? 0;
  const admin = { email: 'new@charlie.test', password: 'long enough', tenant_id: id, role_id };
  const made = await sue.createAdmin({ body: admin });
  assert.is((await sue.getTenantSetup({ id })).has_admins, true);
  await sue.disableAdmin({ id: made.id });
  assert.equal(await sue.getTenantSetup({ id }), nothing, 'nor is a disabled admin one');

  const player = await sue.createPlayer({ body: { email: 'first@mail.test', password: 'long enough', tenant_id: id } });
  assert.is((await sue.getTenantSetup({ id })).has_players, true);
  await sue.deletePlayer({ id: player.id });
  assert.equal(await sue.getTenantSetup({ id }), nothing, 'nor a deleted player');
  assert.equal(await sue.getTenantSetup({ id: 3 }).then(({ has_players }) => has_players), true);
});

test.run();
