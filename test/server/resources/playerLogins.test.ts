import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { MASK } from '../../../src/contract/constants';
import { secretContext } from '../../../src/server/auth/secrets';
import { verifyLedger } from '../../../src/server/books/verify';
import { isRefused, lines } from '../../answers';
import { ann, ben } from '../../callers';
import { imported, importFile } from '../../importFile';
import { newKey, withKey } from '../../integrations';
import { pam, pat, people, reset, send, services, sql, tokenOf } from '../../world';

const VBLINK = 3;
const at = { user_id: pam.id };
const login = { platform_name: 'VBlink', platform_username: 'pam1', platform_password: 'pa55' };

test.before.each(async () => {
  await reset();
  await sql`insert into tenant_platforms (tenant_id, platform_id, is_active) values (2, ${VBLINK}, true)`;
});

test('a login is added under the name of the platform, and its password is copied', async () => {
  const made = await ann.createPlayerCredential({ ...at, body: login });
  const shown = { platform_name: 'vblink', platform_username: 'pam1', platform_password: MASK, is_active: true };
  assert.equal(made, { id: made.id, ...shown });
  assert.equal(await ann.copyPlayerPassword({ ...at, credential_id: made.id }), { platform_password: 'pa55' });
});

test('only platforms that the tenant has activated, and only players of its own', async () => {
  await isRefused(ann.createPlayerCredential({ ...at, body: { ...login, platform_name: 'yolo' } }), 422);
  await isRefused(ann.createPlayerCredential({ user_id: pat.id, body: login }), 404);
});

test('a second login asks first, and one alone is active', async () => {
  const first = await ann.createPlayerCredential({ ...at, body: login });
  const body = { platform_name: 'vblink', platform_username: 'pam2' };
  await isRefused(ann.createPlayerCredential({ ...at, body }), 409);
  const second = await ann.createPlayerCredential({ ...at, body: { ...body, replaces: true } });
  await isRefused(ann.copyPlayerPassword({ ...at, credential_id: second.id }), 404);
  const back = { ...at, credential_id: first.id };
  await isRefused(ann.togglePlayerCredential({ ...back, body: { is_active: true } }), 409);
  await ann.togglePlayerCredential({ ...back, body: { is_active: true, replaces: true } });
  const rows = await ann.listPlayerCredentials({ id: pam.id });
  assert.equal(lines(rows, 'platform_username', 'is_active'), ['pam1 true', 'pam2 false']);
});

test('a key sends a login again: a new password is kept, another user name replaces it', async () => {
  const shop = withKey((await newKey()).key);
  const body = { email: pam.email, platform: 'vblink', username: 'pam1' };
  const { id } = await shop.pushLogin({ body });
  assert.is((await shop.pushLogin({ body: { ...body, password: 'n3w' } })).id, id);
  assert.is((await shop.pushLogin({ body })).id, id, 'none leaves what there is');
  assert.equal(await ann.copyPlayerPassword({ ...at, credential_id: id }), { platform_password: 'n3w' });
  await shop.pushLogin({ body: { ...body, username: 'pam2' } });
  const rows = await sql`select platform_username from player_credentials where is_active`;
  assert.equal([...rows], [{ platform_username: 'pam2' }]);
});

test('a password is in no answer but the one of its copy, which nothing stores', async () => {
  const { id } = await ann.createPlayerCredential({ ...at, body: login });
  const token = await tokenOf('ann');
  const path = `/api/v1/admin/user/${pam.id}/platform-credentials`;
  const copied = await send('POST', `${path}/${id}/password`, { token, headers: { 'Idempotency-Key': 'copy' } });
  assert.is(copied.headers.get('cache-control'), 'no-store');
  assert.equal(await copied.json(), { platform_password: 'pa55' });
  assert.is((await sql`select 1 from idempotency_keys where idempotency_key = 'copy'`).length, 0);
  assert.not.match(await (await send('GET', path, { token })).text(), /pa55/);
});

test('of simultaneous logins at a platform one is active', async () => {
  const add = (_: unknown, nth: number) => {
    const body = { platform_name: nth % 2 ? 'vblink' : 'VBLINK', platform_username: `p${nth}` };
    return ann.createPlayerCredential({ ...at, body });
  };
  const made = await Promise.allSettled(Array.from({ length: 8 }, add));
  assert.is(made.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.is((await sql`select 1 from player_credentials where is_active`).length, 1);
});

test('the address of a panel is https and comes with the logins', async () => {
  const panel_url = 'https://panel.test/acme';
  for (const wrong of ['http://panel.test', 'https://me:pw@panel.test', 'panel'])
    await isRefused(ann.savePanelAddress({ id: VBLINK, body: { panel_url: wrong } }), 422);
  assert.is((await ann.savePanelAddress({ id: VBLINK, body: { panel_url } })).panel_url, panel_url);
  await ann.createPlayerCredential({ ...at, body: login });
  assert.is((await ann.listPlayerCredentials({ id: pam.id }))[0]?.panel_url, panel_url);
});

test('a row has the login at its platform, the address of the panel, the wallet and three movements', async () => {
  await ann.savePanelAddress({ id: VBLINK, body: { panel_url: 'https://panel.test/' } });
  const { id: other } = await ann.createPlayerCredential({ ...at, body: login });
  await ann.createPlayerCredential({ ...at, body: { ...login, platform_username: 'pam2', replaces: true } });
  await sql`update redeems set platform = 'VBlink' where id = ${pam.redeem}`;
  for (const credit of ['1', '2', '3']) await ann.adjustBalances({ id: pam.id, body: { credit } });
  const needs = await ann.getRowNeeds({ id: pam.redeem });
  assert.equal([needs.login?.platform_username, needs.login?.platform_password], ['pam2', MASK]);
  assert.equal([needs.panel_url, needs.credit_balance], ['https://panel.test/', 356]);
  assert.equal(lines(needs.movements, 'transaction_type', 'amount'), ['ADJUSTMENT 3', 'ADJUSTMENT 2', 'ADJUSTMENT 1']);
  assert.ok(needs.login?.id !== other);
  assert.is((await ann.getRowNeeds({ id: pam.purchase })).login, null);
  await isRefused(ben.getRowNeeds({ id: pam.redeem }), 404);
});

const file = (text: string) => `player email,platform,username,password\n${text}`;

test('logins are imported; again they change nothing, and no file replaces one', async () => {
  const rows = [`${pam.email},VBLINK,pam1,pa55`, `${pam.email},vblink,pam2,`, 'no@mail.test,vblink,x,'];
  const text = file([...rows, `${pam.email},yolo,y,`].join('\n'));
  const rejects = [
    "3 -: 'pam1' is active at this platform",
    '4 player_email: no player has this email',
    '5 platform: not an active platform of this tenant',
  ];
  assert.equal(await imported(ann, 'logins', text, { isCheck: true }), [1, 0, ...rejects]);
  assert.equal(await imported(ann, 'logins', text), [1, 0, ...rejects]);
  assert.equal(await imported(ann, 'logins', text), [0, 1, ...rejects]);
  const [made] = await ann.listPlayerCredentials({ id: pam.id });
  assert.equal(await ann.copyPlayerPassword({ ...at, credential_id: made!.id }), { platform_password: 'pa55' });
  await ann.togglePlayerCredential({ ...at, credential_id: made!.id, body: { is_active: false } });
  assert.is((await importFile(ann, 'logins', text)).created, 1, 'pam2, since no login is active');
  assert.equal(await verifyLedger(sql), []);
});

test('logins are imported by people with Import and Support', async () => {
  await sql`update admins set permissions = '{import}' where id = ${people.ann.id}`;
  const text = file(`${pam.email},vblink,pam1,`);
  await isRefused(importFile(ann, 'logins', text), 403);
  await sql`update admins set permissions = '{import,support}' where id = ${people.ann.id}`;
  assert.is((await importFile(ann, 'logins', text)).created, 1);
});

test('only what is sent changes, an empty or masked password is none, and a user name cannot be blanked', async () => {
  const { id: credential_id } = await ann.createPlayerCredential({ ...at, body: login });
  const put = (body: object) => ann.updatePlayerCredential({ ...at, credential_id, body });
  const password = async () => (await ann.copyPlayerPassword({ ...at, credential_id })).platform_password;
  assert.is((await put({ platform_username: 'renamed' })).platform_username, 'renamed');
  for (const none of [{ platform_password: MASK }, { platform_password: '' }, {}]) await put(none);
  await isRefused(put({ platform_username: ' ' }), 422);
  assert.is(await password(), 'pa55');
  assert.is((await put({ platform_password: 'other' })).platform_username, 'renamed');
  assert.is(await password(), 'other');
});

test('a stored password copied into another row cannot be decrypted [ASVS 11.3.3]', async () => {
  await ann.createPlayerCredential({ ...at, body: login });
  const [row] = await sql<{ password_secret: string }[]>`select password_secret from player_credentials`;
  const open = (secret: string, platform: string) =>
    services.secrets.decrypt(secret, secretContext.playerCredential(2, pam.id, platform));
  assert.is(open(row!.password_secret, 'vblink'), 'pa55');
  assert.throws(() => open(row!.password_secret, 'yolo'));
  assert.throws(() => open(`${row!.password_secret.slice(0, -2)}AA`, 'vblink'));
});

test.run();
