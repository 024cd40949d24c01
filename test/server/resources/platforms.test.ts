import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { MASK } from '../../../src/contract/constants';
import { manualRedeemPlatforms } from '../../../src/contract/platforms';
import { secretContext } from '../../../src/server/auth/secrets';
import { as, guest, refusal, refused, reset, services, sql } from '../../world';

const vblink = { tenant_id: 2, platform_id: 3 };
const login = { username: 'acme-vb', password: 'pa55' };

test.before.each(reset);

test('the eleven platforms are there from the start, two of them run by an API', async () => {
  const platforms = await (await as('sue')).listPlatforms();
  assert.equal(
    platforms.map(({ name }) => name),
    [...manualRedeemPlatforms],
  );
  assert.is(platforms[0]!.display_name, 'Golden Dragon');
  assert.is(
    (await (await as('ann')).listAvailablePlatforms()).filter(({ platform_type }) => platform_type === 'api').length,
    2,
  );
});

test('anyone may read the names of the active platforms', async () => {
  await sql`update platforms set is_active = false where name = 'yolo'`;
  const names = (await guest.listPlatformNames()).map(({ name }) => name);
  assert.is(names.length, 10);
  assert.not.ok(names.includes('yolo'));
  assert.is((await (await as('sue')).listPlatforms()).length, 11);
});

test('saving credentials assigns a platform, and the password never comes back', async () => {
  const sue = await as('sue');
  assert.equal(await sue.listAssignments({ id: 2 }), []);
  const saved = await sue.saveAssignment({ ...vblink, body: login });
  assert.equal(saved, {
    platform_id: 3,
    tenant_id: 2,
    is_active: true,
    credentials: { username: 'acme-vb', password: MASK },
  });
  assert.equal(await sue.listAssignments({ id: 2 }), [saved]);
  assert.equal(await sue.listAssignments({ id: 3 }), []);
});

test('the password is stored encrypted, bound to its tenant and platform', async () => {
  await (await as('sue')).saveAssignment({ ...vblink, body: login });
  const [row] = await sql<{ password_secret: string }[]>`select password_secret from tenant_platforms`;
  assert.not.ok(row!.password_secret.includes('pa55'));
  assert.is(services.secrets.decrypt(row!.password_secret, secretContext.platformCredentials(2, 3)), 'pa55');
  assert.throws(() => services.secrets.decrypt(row!.password_secret, secretContext.platformCredentials(3, 3)));
});

test('a first save needs a user name and a password, a mask being none', async () => {
  const sue = await as('sue');
  assert.equal(await refusal(sue.saveAssignment({ ...vblink, body: { username: '', password: 'x' } })), {
    status: 422,
    detail: 'body.username: is required',
  });
  assert.equal(await refusal(sue.saveAssignment({ ...vblink, body: { username: 'x', password: '' } })), {
    status: 422,
    detail: 'body.password: is required',
  });
  assert.is(await refused(sue.saveAssignment({ ...vblink, body: { username: 'x', password: MASK } })), 422);
  assert.equal(await sue.listAssignments({ id: 2 }), []);
});

test('later an empty or masked password keeps the old one, and an empty user name the old name', async () => {
  const sue = await as('sue');
  const secret = async () =>
    (await sql<{ password_secret: string }[]>`select password_secret from tenant_platforms`)[0]!.password_secret;
  await sue.saveAssignment({ ...vblink, body: login });
  const first = await secret();
  assert.is(
    (await sue.saveAssignment({ ...vblink, body: { username: 'renamed', password: MASK } })).credentials.username,
    'renamed',
  );
  assert.is(
    (await sue.saveAssignment({ ...vblink, body: { username: '', password: '' } })).credentials.username,
    'renamed',
  );
  assert.is(await secret(), first);
  await sue.saveAssignment({ ...vblink, body: { username: 'renamed', password: 'other' } });
  assert.is(services.secrets.decrypt(await secret(), secretContext.platformCredentials(2, 3)), 'other');
});

test('unassigning keeps the credentials, and saving them again assigns it again', async () => {
  const sue = await as('sue');
  await sue.saveAssignment({ ...vblink, body: login });
  assert.equal(await sue.unassignPlatform({ id: 3, body: { tenant_id: 2 } }), { ok: true });
  assert.equal(await sue.listAssignments({ id: 2 }), [
    { ...vblink, is_active: false, credentials: { username: 'acme-vb', password: MASK } },
  ]);
  assert.is((await sue.saveAssignment({ ...vblink, body: { username: '', password: '' } })).is_active, true);
});

test('unassigning what is not assigned changes nothing and is no failure', async () => {
  const sue = await as('sue');
  assert.equal(await sue.unassignPlatform({ id: 3, body: { tenant_id: 2 } }), { ok: true });
  assert.equal(await sue.listAssignments({ id: 2 }), []);
});

test('of two first saves at once, both are one assignment', async () => {
  const sue = await as('sue');
  await Promise.all(
    [1, 2, 3, 4].map((n) => sue.saveAssignment({ ...vblink, body: { username: `login-${n}`, password: `word-${n}` } })),
  );
  const [row, ...more] = await sql<
    { username: string; password_secret: string }[]
  >`select username, password_secret from tenant_platforms`;
  assert.equal(more, []);
  assert.is(
    services.secrets.decrypt(row!.password_secret, secretContext.platformCredentials(2, 3)),
    row!.username.replace('login', 'word'),
  );
});

test("the platform's own tenant takes none, and unknown ones are 404", async () => {
  const sue = await as('sue');
  assert.equal(await sue.listAssignments({ id: 1 }), [], "it has none, which may be asked for like any tenant's");
  assert.is(await refused(sue.saveAssignment({ tenant_id: 1, platform_id: 3, body: login })), 400);
  assert.is(await refused(sue.unassignPlatform({ id: 3, body: { tenant_id: 1 } })), 400);
  assert.equal(await refusal(sue.listAssignments({ id: 99 })), { status: 404, detail: 'Tenant not found' });
  assert.is(await refused(sue.saveAssignment({ tenant_id: 99, platform_id: 3, body: login })), 404);
  assert.equal(await refusal(sue.saveAssignment({ tenant_id: 2, platform_id: 99, body: login })), {
    status: 404,
    detail: 'Platform not found',
  });
  assert.is(await refused(sue.unassignPlatform({ id: 99, body: { tenant_id: 2 } })), 404);
});

test('a tenant admin may not assign, not even to their own tenant', async () => {
  const ann = await as('ann');
  assert.is(await refused(ann.listAssignments({ id: 2 })), 403);
  assert.is(await refused(ann.saveAssignment({ ...vblink, body: login })), 403);
  assert.is(await refused(ann.unassignPlatform({ id: 3, body: { tenant_id: 2 } })), 403);
});

test.run();
