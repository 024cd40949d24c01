import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { MASK } from '../../../src/contract/constants';
import { secretContext } from '../../../src/server/auth/secrets';
import { as, pam, pat, refused, reset, services, sql } from '../../world';

const readSecret = async (id: number): Promise<string> =>
  (await sql<{ password_secret: string }[]>`select password_secret from player_credentials where id = ${id}`)[0]!
    .password_secret;
const open = async (id: number): Promise<string> =>
  services.secrets.decrypt(await readSecret(id), secretContext.playerCredential(2, pam.id, 'vblink'));

test.before.each(async () => {
  await reset();
  for (const [player, platform] of [
    [pam, 'vblink'],
    [pam, 'yolo'],
    [pat, 'vblink'],
  ] as const) {
    const encrypted = services.secrets.encrypt(
      'pa55',
      secretContext.playerCredential(player.tenant_id, player.id, platform),
    );
    await sql`
      insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
      values (${player.tenant_id}, ${player.id}, ${platform}, ${`login-${platform}`}, ${encrypted})`;
  }
});

test("a player's logins are listed by platform, their passwords masked", async () => {
  assert.equal(await (await as('ann')).listPlayerCredentials({ id: pam.id }), [
    { id: 1, platform_name: 'vblink', platform_username: 'login-vblink', platform_password: MASK, is_active: true },
    { id: 2, platform_name: 'yolo', platform_username: 'login-yolo', platform_password: MASK, is_active: true },
  ]);
});

test('a player without any has an empty list', async () => {
  await sql`delete from player_credentials`;
  assert.equal(await (await as('ann')).listPlayerCredentials({ id: pam.id }), []);
});

test('only what is sent changes', async () => {
  const ann = await as('ann');
  const before = await readSecret(1);
  const renamed = await ann.updatePlayerCredential({
    user_id: pam.id,
    credential_id: 1,
    body: { platform_username: 'renamed' },
  });
  assert.equal(renamed, {
    id: 1,
    platform_name: 'vblink',
    platform_username: 'renamed',
    platform_password: MASK,
    is_active: true,
  });
  assert.is(await readSecret(1), before);

  await ann.updatePlayerCredential({ user_id: pam.id, credential_id: 1, body: { platform_password: 'other' } });
  assert.is(await open(1), 'other');
  assert.is((await ann.listPlayerCredentials({ id: pam.id }))[0]!.platform_username, 'renamed');
});

test('an empty or masked password, or nothing at all, changes nothing', async () => {
  const ann = await as('ann');
  const before = await readSecret(1);
  for (const body of [{ platform_password: MASK }, { platform_password: '' }, {}])
    await ann.updatePlayerCredential({ user_id: pam.id, credential_id: 1, body });
  assert.is(await readSecret(1), before);
  assert.is(await open(1), 'pa55');
});

test('a user name cannot be blanked', async () => {
  assert.is(
    await refused(
      (await as('ann')).updatePlayerCredential({ user_id: pam.id, credential_id: 1, body: { platform_username: ' ' } }),
    ),
    422,
  );
});

test('a stored password copied into another row cannot be decrypted [ASVS 11.3.3]', async () => {
  const encrypted = await readSecret(1);
  assert.throws(() => services.secrets.decrypt(encrypted, secretContext.playerCredential(2, pam.id, 'yolo')));
  assert.throws(() =>
    services.secrets.decrypt(`${encrypted.slice(0, -2)}AA`, secretContext.playerCredential(2, pam.id, 'vblink')),
  );
});

test.run();
