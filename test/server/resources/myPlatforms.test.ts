import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { MASK } from '../../../src/contract/constants';
import { as, refusal, refused, reset, sql } from '../../world';

const VBLINK = 3,
  YOLO = 5; // YOLO is run by an API
const body = { username: 'acme-vb', password: 'pa55' };

test.before.each(reset);

test('every active platform is available, with its type', async () => {
  const ann = await as('ann');
  const yolo = (await ann.listAvailablePlatforms()).find(({ id }) => id === YOLO);
  assert.equal(yolo, { id: YOLO, name: 'yolo', display_name: 'YOLO', description: null, platform_type: 'api' });
  await sql`update platforms set is_active = false where id = ${YOLO}`;
  assert.is((await ann.listAvailablePlatforms()).length, 10);
  assert.is((await (await as('sue')).listAvailablePlatforms()).length, 10);
});

test('a tenant begins with none of its own', async () => {
  assert.equal(await (await as('ann')).listMyPlatforms(), []);
});

test('credentials first, then activation', async () => {
  const ann = await as('ann');
  assert.equal(await refusal(ann.activateMyPlatform({ id: VBLINK })), {
    status: 400,
    detail: 'Please add credentials first before activating the platform',
  });
  assert.equal(await ann.listMyPlatforms(), []);
  assert.equal(await ann.saveMyPlatformCredentials({ id: VBLINK, body }), {
    id: VBLINK,
    is_activated: false,
    is_configured: true,
    platform_type: 'manual',
  });
  assert.equal(await ann.activateMyPlatform({ id: VBLINK }), {
    id: VBLINK,
    is_activated: true,
    is_configured: true,
    platform_type: 'manual',
  });
  assert.equal(await ann.listMyPlatforms(), [
    { id: VBLINK, is_activated: true, is_configured: true, platform_type: 'manual' },
  ]);
});

test('editing the credentials leaves it active', async () => {
  const ann = await as('ann');
  await ann.saveMyPlatformCredentials({ id: VBLINK, body });
  await ann.activateMyPlatform({ id: VBLINK });
  assert.is(
    (await ann.saveMyPlatformCredentials({ id: VBLINK, body: { username: 'renamed', password: MASK } })).is_activated,
    true,
  );
});

test('an API platform needs no credentials and takes none', async () => {
  const ann = await as('ann');
  assert.equal(await ann.activateMyPlatform({ id: YOLO }), {
    id: YOLO,
    is_activated: true,
    is_configured: false,
    platform_type: 'api',
  });
  assert.is(await refused(ann.saveMyPlatformCredentials({ id: YOLO, body })), 400);
});

test('a deactivated platform stays in the list while it is configured, and leaves it otherwise', async () => {
  const ann = await as('ann');
  await ann.saveMyPlatformCredentials({ id: VBLINK, body });
  await ann.activateMyPlatform({ id: VBLINK });
  await ann.activateMyPlatform({ id: YOLO });
  assert.is((await ann.deactivateMyPlatform({ id: VBLINK })).is_activated, false);
  assert.is((await ann.deactivateMyPlatform({ id: YOLO })).is_activated, false);
  assert.equal(await ann.listMyPlatforms(), [
    { id: VBLINK, is_activated: false, is_configured: true, platform_type: 'manual' },
  ]);
});

test('activating and deactivating twice is the same as once', async () => {
  const ann = await as('ann');
  for (let time = 0; time < 2; time++) assert.is((await ann.activateMyPlatform({ id: YOLO })).is_activated, true);
  for (let time = 0; time < 2; time++) assert.is((await ann.deactivateMyPlatform({ id: YOLO })).is_activated, false);
});

test('what the super admin assigns is active for the tenant, and the reverse', async () => {
  const [sue, ann] = [await as('sue'), await as('ann')];
  await sue.saveAssignment({ tenant_id: 2, platform_id: VBLINK, body });
  assert.equal(await ann.listMyPlatforms(), [
    { id: VBLINK, is_activated: true, is_configured: true, platform_type: 'manual' },
  ]);
  await ann.deactivateMyPlatform({ id: VBLINK });
  assert.is((await sue.listAssignments({ id: 2 }))[0]!.is_active, false);
});

test('a first save needs both, and an unknown or retired platform is refused', async () => {
  const ann = await as('ann');
  assert.is(await refused(ann.saveMyPlatformCredentials({ id: VBLINK, body: { username: 'x', password: '' } })), 422);
  assert.is(await refused(ann.saveMyPlatformCredentials({ id: 99, body })), 404);
  assert.is(await refused(ann.activateMyPlatform({ id: 99 })), 404);
  assert.is(await refused(ann.deactivateMyPlatform({ id: 99 })), 404);
  await sql`update platforms set is_active = false where id = ${YOLO}`;
  assert.is(await refused(ann.activateMyPlatform({ id: YOLO })), 400);
});

test("one tenant's platforms are not another's", async () => {
  const [ann, ben] = [await as('ann'), await as('ben')];
  await ann.saveMyPlatformCredentials({ id: VBLINK, body });
  assert.equal(await ben.listMyPlatforms(), []);
  assert.is(await refused(ben.activateMyPlatform({ id: VBLINK })), 400);
  const violation = { status: 403, detail: 'Tenant access violation' };
  assert.equal(await refusal(ben.listMyPlatforms({ tenant_id: 2 })), violation);
  assert.equal(await refusal(ben.activateMyPlatform({ id: YOLO, tenant_id: 2 })), violation);
  assert.equal(await refusal(ben.saveMyPlatformCredentials({ id: VBLINK, tenant_id: 2, body })), violation);
});

test('a super admin says whose platforms are meant', async () => {
  const sue = await as('sue');
  assert.equal(await refusal(sue.listMyPlatforms()), { status: 400, detail: 'tenant_id is required for super admins' });
  assert.equal(await sue.listMyPlatforms({ tenant_id: 1 }), []);
  assert.is(await refused(sue.activateMyPlatform({ id: VBLINK, tenant_id: 1 })), 400);
  assert.is(await refused(sue.listMyPlatforms({ tenant_id: 99 })), 404);
  await sue.saveMyPlatformCredentials({ id: VBLINK, tenant_id: 2, body });
  assert.is((await sue.activateMyPlatform({ id: VBLINK, tenant_id: 2 })).is_activated, true);
  assert.is((await (await as('ann')).listMyPlatforms())[0]!.is_activated, true);
});

test.run();
