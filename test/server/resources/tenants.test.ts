import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isRefused, lines, statusOf } from '../../answers';
import { sue } from '../../callers';
import { apex } from '../../integrations';
import { addPlayer } from '../../seed';
import { PASSWORD, pam, reset } from '../../world';

test.before.each(reset);

test('every tenant is listed, the platform itself among them', async () => {
  assert.equal(lines(await sue.listTenants(), 'id', 'name'), ['1 Platform', '2 Acme', '3 Bravo']);
});

test('a new tenant is active, listed, and keeps its days in the business time zone', async () => {
  const made = await sue.createTenant({ body: { name: ' Charlie ', description: 'Slots' } });
  const rest = { is_active: true, email: null, require_two_factor: false, mail_links: false, time_zone: 'UTC' };
  assert.equal(made, { id: 4, name: 'Charlie', description: 'Slots', ...rest });
  assert.equal((await sue.listTenants()).at(-1), made);
});

test('a blank description or e-mail is none', async () => {
  const made = await sue.createTenant({ body: { name: 'Charlie', description: '', email: '' } });
  assert.is(made.description, null);
  assert.is(made.email, null);
});

test('a name is required', async () => {
  await isRefused(sue.createTenant({ body: { name: '  ' } }), 422, 'body.name: must not be empty');
  await isRefused(sue.updateTenant({ id: 2, body: { name: '' } }), 422);
  await isRefused(sue.createTenant({ body: { name: 'Charlie', email: 'nonsense' } }), 422);
  for (const name of ['Ac\u200bme', '\u202eemcA', 'Ac\u0007me'])
    await isRefused(sue.createTenant({ body: { name } }), 422, undefined, 'a name that looks like another');
});

test('two tenants never have one name, whatever its case', async () => {
  await isRefused(sue.createTenant({ body: { name: 'ACME' } }), 409, 'A tenant with this name already exists');
  await isRefused(sue.updateTenant({ id: 3, body: { name: 'acme' } }), 409);
  assert.is((await sue.updateTenant({ id: 2, body: { name: 'ACME' } })).name, 'ACME');
});

test('of two at once with one name, one is made', async () => {
  const outcomes = await Promise.all([1, 2].map(() => statusOf(sue.createTenant({ body: { name: 'Twin' } }))));
  assert.equal(outcomes.sort(), [200, 409]);
});

test('an update keeps what it leaves out and clears what it sends blank', async () => {
  await sue.updateTenant({ id: 2, body: { name: 'Acme', email: 'office@acme.test' } });
  const { name, description, email } = await sue.updateTenant({ id: 2, body: { name: 'Acme Games' } });
  assert.equal([name, description, email], ['Acme Games', 'Arcade', 'office@acme.test']);
  const cleared = await sue.updateTenant({ id: 2, body: { name: 'Acme Games', description: '', email: '' } });
  assert.equal([cleared.description, cleared.email], [null, null]);
});

test('the platform takes no admins, players, platforms or payment methods; an unknown tenant is 404', async () => {
  const login = { username: 'x', password: 'y' };
  const account = { email: 'new@mail.test', password: 'long enough' };
  const key = { name: 'Shop', scopes: ['players:write' as const], password: PASSWORD };
  const apart = { user_email: 'no@mail.test', amount: 1, payout_method: 'PayPal', payout_address: 'a' } as const;
  const gives: Record<string, (tenant_id: number) => Promise<unknown>> = {
    admin: (tenant_id) => sue.createAdmin({ body: { ...account, tenant_id, role_id: 2 } }),
    player: (tenant_id) => sue.createPlayer({ body: { ...account, tenant_id } }),
    redeem: (tenant_id) => sue.createManualRedeem({ body: { ...apart, platform: 'yolo', tenant_id } }),
    platform: (tenant_id) => sue.saveAssignment({ tenant_id, platform_id: 3, body: login }),
    'no platform': (tenant_id) => sue.unassignPlatform({ id: 3, body: { tenant_id } }),
    'own platform': (tenant_id) => sue.activateMyPlatform({ id: 3, tenant_id }),
    'payment method': (tenant_id) => sue.createPaymentMethod({ tenant_id, payment_platform: 'apex', body: apex }),
    key: (tenant_id) => sue.createApiKey({ body: { ...key, tenant_id } }),
  };
  for (const [what, give] of Object.entries(gives)) {
    await isRefused(give(1), 400, /platform's own tenant/, what);
    await isRefused(give(99), 404, undefined, what);
  }
  await isRefused(sue.updateTenant({ id: 99, body: { name: 'Nobody' } }), 404, 'Tenant not found');
});

test('how many players each tenant has, and how much is pending', async () => {
  assert.equal(await sue.listTenantFigures(), [
    { tenant_id: 3, players: 1, pending: 2 },
    { tenant_id: 2, players: 1, pending: 2 },
  ]);
  await sue.changePurchaseStatus({ id: pam.purchase, body: { status: 'success' } });
  await addPlayer(2, { email: 'more@mail.test' });
  assert.equal((await sue.listTenantFigures())[1], { tenant_id: 2, players: 2, pending: 1 });
});

test('what a tenant has of what it needs is told to super admins alone', async () => {
  await isRefused(sue.getTenantSetup({ id: 99 }), 404, 'Tenant not found');
  const { id } = await sue.createTenant({ body: { name: 'Charlie' } });
  const nothing = {
    ...{ has_platforms: false, has_admins: false, has_players: false },
    ...{ has_payment_methods: false, has_api_keys: false },
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
