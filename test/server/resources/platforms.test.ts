import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { MASK } from '../../../src/contract/constants';
import { manualRedeemPlatforms } from '../../../src/contract/platforms';
import { secretContext } from '../../../src/server/auth/secrets';
import { isRefused, pluck } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { guest, reset, services, sql } from '../../world';

const vblink = { tenant_id: 2, platform_id: 3 };
const login = { username: 'acme-vb', password: 'pa55' };

test.before.each(reset);

test('the eleven platforms are there from the start, two of them run by an API', async () => {
  const platforms = await sue.listPlatforms();
  assert.equal(pluck(platforms, 'name'), [...manualRedeemPlatforms]);
  assert.is(platforms[0]!.display_name, 'Golden Dragon');
  assert.is((await ann.listAvailablePlatforms()).filter(({ platform_type }) => platform_type === 'api').length, 2);
});

test('anyone may read the names of the active platforms', async () => {
  await sql`update platforms set is_active = false where name = 'yolo'`;
  const names = (await guest.listPlatformNames()).map(({ name }) => name);
  assert.is(names.length, 10);
  assert.not.ok(names.includes('yolo'));
  assert.is((await sue.listPlatforms()).length, 11);
});

test('saving credentials assigns a platform, and the password never comes back', async () => {
  assert.equal(await sue.listAssignments({ id: 2 }), []);
  const saved = await sue.saveAssignment({ ...vblink, body: login });
  assert.equal(saved, { ...vblink, is_active: true, credentials: { username: 'acme-vb', password: MASK } });
  assert.equal(await sue.listAssignments({ id: 2 }), [saved]);
  assert.equal(await sue.listAssignments({ id: 3 }), []);
});

test('the password is stored encrypted, bound to its tenant and platform', async () => {
  await sue.saveAssignment({ ...vblink, body: login });
  const [row] = await sql<{ password_secret: string }[]>`select password_secret from tenant_platforms`;
  assert.not.ok(row!.password_secret.includes('pa55'));
  assert.is(services.secrets.decrypt(row!.password_secret, secretContext.platformCredentials(2, 3)), 'pa55');
  assert.throws(() => services.secrets.decrypt(row!.password_secret, secretContext.platformCredentials(3, 3)));
});

test('a first save needs a user name and a password, a mask being none', async () => {
  const save = (username: string, password: string) => sue.saveAssignment({ ...vblink, body: { username, password } });
  await isRefused(save('', 'x'), 422, 'body.username: is required');
  await isRefused(save('x', ''), 422, 'body.password: is required');
  await isRefused(sue.saveAssignment({ ...vblink, body: { username: 'x', password: MASK } }), 422);
  assert.equal(await sue.listAssignments({ id: 2 }), []);
});

test('later an empty or masked password keeps the old one, and an empty user name the old name', async () => {
  const secret = async () =>
    (await sql<{ password_secret: string }[]>`select password_secret from tenant_platforms`)[0]!.password_secret;
  await sue.saveAssignment({ ...vblink, body: login });
  const first = await secret();
  for (const body of [
    { username: 'renamed', password: MASK },
    { username: '', password: '' },
  ])
    assert.is((await sue.saveAssignment({ ...vblink, body })).credentials.username, 'renamed');
  assert.is(await secret(), first);
  await sue.saveAssignment({ ...vblink, body: { username: 'renamed', password: 'other' } });
  assert.is(services.secrets.decrypt(await secret(), secretContext.platformCredentials(2, 3)), 'other');
});

test('unassigning keeps the credentials, and saving them again assigns it again', async () => {
  await sue.saveAssignment({ ...vblink, body: login });
  assert.equal(await sue.unassignPlatform({ id: 3, body: { tenant_id: 2 } }), { ok: true });
  assert.equal(await sue.listAssignments({ id: 2 }), [
    { ...vblink, is_active: false, credentials: { username: 'acme-vb', password: MASK } },
  ]);
  assert.is((await sue.saveAssignment({ ...vblink, body: { username: '', password: '' } })).is_active, true);
});

test('unassigning what is not assigned changes nothing and is no failure', async () => {
  assert.equal(await sue.unassignPlatform({ id: 3, body: { tenant_id: 2 } }), { ok: true });
  assert.equal(await sue.listAssignments({ id: 2 }), []);
});

test('of two first saves at once, both are one assignment', async () => {
  await Promise.all(
    [1, 2, 3, 4].map((n) => sue.saveAssignment({ ...vblink, body: { username: `login-${n}`, password: `word-${n}` } })),
  );
  const [row, ...more] = await sql`select username, password_secret from tenant_platforms`;
  assert.equal(more, []);
  const password = services.secrets.decrypt(row!['password_secret'], secretContext.platformCredentials(2, 3));
  assert.is(password, row!['username'].replace('login', 'word'));
});

test('unknown tenants and platforms are 404; the platform itself has none', async () => {
  assert.equal(await sue.listAssignments({ id: 1 }), [], "which may be asked for like any tenant's");
  await isRefused(sue.listAssignments({ id: 99 }), 404, 'Tenant not found');
  await isRefused(sue.saveAssignment({ tenant_id: 2, platform_id: 99, body: login }), 404, 'Platform not found');
  await isRefused(sue.unassignPlatform({ id: 99, body: { tenant_id: 2 } }), 404);
});

const VBLINK = 3,
  YOLO = 5; // YOLO is run by an API
const body = login;

test('every active platform is available, with its type', async () => {
  const yolo = (await ann.listAvailablePlatforms()).find(({ id }) => id === YOLO);
  assert.equal(yolo, { id: YOLO, name: 'yolo', display_name: 'YOLO', description: null, platform_type: 'api' });
  await sql`update platforms set is_active = false where id = ${YOLO}`;
  assert.is((await ann.listAvailablePlatforms()).length, 10);
  assert.is((await sue.listAvailablePlatforms()).length, 10);
});

const ofVblink = (is_activated: boolean) => ({
  id: VBLINK,
  is_activated,
  is_configured: true,
  platform_type: 'manual',
});
const ofYolo = (is_activated: boolean) => ({ id: YOLO, is_activated, is_configured: false, platform_type: 'api' });

test('credentials first, then activation', async () => {
  const first = 'Please add credentials first before activating the platform';
  await isRefused(ann.activateMyPlatform({ id: VBLINK }), 400, first);
  assert.equal(await ann.listMyPlatforms(), []);
  assert.equal(await ann.saveMyPlatformCredentials({ id: VBLINK, body }), ofVblink(false));
  assert.equal(await ann.activateMyPlatform({ id: VBLINK }), ofVblink(true));
  assert.equal(await ann.listMyPlatforms(), [ofVblink(true)]);
});

test('editing the credentials leaves it active', async () => {
  await ann.saveMyPlatformCredentials({ id: VBLINK, body });
  await ann.activateMyPlatform({ id: VBLINK });
  const renamed = { id: VBLINK, body: { username: 'renamed', password: MASK } };
  assert.is((await ann.saveMyPlatformCredentials(renamed)).is_activated, true);
});

test('an API platform needs no credentials and takes none', async () => {
  assert.equal(await ann.activateMyPlatform({ id: YOLO }), ofYolo(true));
  await isRefused(ann.saveMyPlatformCredentials({ id: YOLO, body }), 400);
});

test('a deactivated platform stays in the list while it can be switched on, and leaves it otherwise', async () => {
  await ann.saveMyPlatformCredentials({ id: VBLINK, body });
  await ann.activateMyPlatform({ id: VBLINK });
  await ann.activateMyPlatform({ id: YOLO });
  assert.is((await ann.deactivateMyPlatform({ id: VBLINK })).is_activated, false);
  assert.is((await ann.deactivateMyPlatform({ id: YOLO })).is_activated, false);
  assert.equal(await ann.listMyPlatforms(), [ofVblink(false), ofYolo(false)]);
  await sql`update tenant_platforms set username = null, password_secret = null`;
  assert.equal(pluck(await ann.listMyPlatforms(), 'id'), [YOLO]);
});

test('activating and deactivating twice is the same as once', async () => {
  for (let time = 0; time < 2; time++) assert.is((await ann.activateMyPlatform({ id: YOLO })).is_activated, true);
  for (let time = 0; time < 2; time++) assert.is((await ann.deactivateMyPlatform({ id: YOLO })).is_activated, false);
});

test('what the super admin assigns is active for the tenant, and the reverse', async () => {
  await sue.saveAssignment({ tenant_id: 2, platform_id: VBLINK, body });
  assert.equal(await ann.listMyPlatforms(), [ofVblink(true)]);
  await ann.deactivateMyPlatform({ id: VBLINK });
  assert.is((await sue.listAssignments({ id: 2 }))[0]!.is_active, false);
});

test('a first save needs both, and an unknown or retired platform is refused', async () => {
  await isRefused(ann.saveMyPlatformCredentials({ id: VBLINK, body: { username: 'x', password: '' } }), 422);
  await isRefused(ann.saveMyPlatformCredentials({ id: 99, body }), 404);
  await isRefused(ann.activateMyPlatform({ id: 99 }), 404);
  await isRefused(ann.deactivateMyPlatform({ id: 99 }), 404);
  await sql`update platforms set is_active = false where id = ${YOLO}`;
  await isRefused(ann.activateMyPlatform({ id: YOLO }), 400);
});

test("one tenant's platforms are not another's", async () => {
  await ann.saveMyPlatformCredentials({ id: VBLINK, body });
  assert.equal(await ben.listMyPlatforms(), []);
  await isRefused(ben.activateMyPlatform({ id: VBLINK }), 400);
});

test('a super admin says whose platforms are meant', async () => {
  await isRefused(sue.listMyPlatforms(), 400, 'tenant_id is required for super admins');
  assert.equal(await sue.listMyPlatforms({ tenant_id: 1 }), []);
  await isRefused(sue.listMyPlatforms({ tenant_id: 99 }), 404);
  await sue.saveMyPlatformCredentials({ id: VBLINK, tenant_id: 2, body });
  assert.is((await sue.activateMyPlatform({ id: VBLINK, tenant_id: 2 })).is_activated, true);
  assert.is((await ann.listMyPlatforms())[0]!.is_activated, true);
});

test.run();
