/** Rows for every table, as they come to be: by calls to a running server. */
import { createHmac } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { scopes } from '../../../src/contract/integrations';
import { createSecrets, secretContext } from '../../../src/server/auth/secrets';
import { countStep } from '../../../src/server/totals/countFacts';
import { createApi } from '../../createApi';
import { CLIENT, sign, startEvil } from '../../identityProviders';
import { pastTheServer } from '../commands/verifyProgram';

export interface Account {
  email: string;
  password: string;
}
export const owner: Account = { email: 'owner@released.test', password: 'violet harbour 42' };
export const ann: Account = { email: 'ann@acme.test', password: 'copper meadow 17' };

/** The owner signs in once by an identity provider. */
async function signInBySso(url: string): Promise<void> {
  const provider = await startEvil();
  let cookie = '';
  const browser = createApi({
    fetch: async (path, init) => {
      const headers = { ...(init.headers as Record<string, string>), cookie };
      const answer = await fetch(new URL(path, url), { ...init, headers });
      cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      return answer;
    },
  });
  const { access_token } = await browser.login({ body: owner });
  const sue = createApi({ token: () => access_token, fetch: (path, init) => fetch(new URL(path, url), init) });
  const names = { groups_claim: 'groups', groups: [], is_active: true, only_sso: false, break_glass_admin_id: null };
  const body = { ...CLIENT, ...names, issuer: provider.issuer, current_password: owner.password };
  await sue.saveIdentityProvider({ body });
  const begun = await browser.beginSso({ body: { tenant_id: 1, return_to: '/' } });
  const { state, nonce } = Object.fromEntries(new URL(begun.url!).searchParams);
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: provider.issuer, aud: CLIENT.client_id, email: owner.email, email_verified: true };
  provider.idToken = () => sign({ ...claims, sub: 'owner', nonce, iat, exp: iat + 60 }, provider.key);
  await browser.finishSso({ tenant_id: 1, body: { query: `?code=c&state=${state}` } });
}

export async function fillServer(url: string, dataDir: string, secretKey: Buffer): Promise<void> {
  let made = 0;
  const apiWith = (token: string | null) =>
    createApi({
      token: () => token,
      fetch: (path, init) => {
        const headers = new Headers(init.headers);
        headers.set('Idempotency-Key', `call-${++made}`);
        return fetch(new URL(path, url), { ...init, headers });
      },
    });
  const enter = async (body: Account) => apiWith((await apiWith(null).login({ body })).access_token);

  const sue = await enter(owner);
  const { id: tenant_id } = await sue.createTenant({ body: { name: 'Acme', description: 'Arcade' } });
  const roles = await sue.listRoles({});
  const role_id = roles.find(({ name }) => name === 'admin')!.id;
  await sue.createAdmin({ body: { ...ann, tenant_id, role_id } });
  const gone = await sue.createAdmin({ body: { ...ann, email: 'gone@acme.test', tenant_id, role_id } });
  await sue.disableAdmin({ id: gone.id, reason: 'other', note: 'has left' });
  const [platform] = await sue.listPlatforms({});
  const credentials = { username: 'acme', password: 'platform-password' };
  await sue.saveAssignment({ tenant_id, platform_id: platform!.id, body: credentials });
  const apex = { api_key: 'k', secret_key: 's', merchant_id: 'm' };
  await sue.createPaymentMethod({ tenant_id, payment_platform: 'apex', body: apex });

  await signInBySso(url);

  const staff = await enter(ann);
  const profile = { first_name: 'Pám 名前', last_name: `O'Hara, "Jr."`, affiliate_id: 'AFF1' };
  const pam = { email: 'pam@mail.test', password: 'x', tenant_id, ...profile };
  const { id } = await staff.createPlayer({ body: pam });
  const given = { credit: '500', bonus: '20.25', vip: '3', loyalty: '4', reason: 'goodwill' } as const;
  await staff.adjustBalances({ id, body: given });
  await staff.adjustBalances({ id, body: { bonus: '0.25', bonus_op: 'remove', reason: 'other', note: 'a word' } });
  const left = await staff.createPlayer({ body: { ...pam, email: 'left@mail.test' } });
  await staff.adjustBalances({ id: left.id, body: { credit: '5', reason: 'goodwill', note: 'before they left' } });
  await staff.deletePlayer({ id: left.id, reason: 'customer_request' });
  await staff.addPlayerNote({ id, body: { text: 'Prefers mail' } });
  await staff.savePlayerTags({ id, body: { tags: ['vip', 'regular'] } });

  const payout = { platform: 'vblink', payout_method: 'Cash Tag', payout_address: '$pam', description: '' } as const;
  const redeem = (amount: string) =>
    staff.createManualRedeem({ body: { user_email: pam.email, amount, ...payout, tenant_id } });
  const [paid, refused] = [await redeem('100'), await redeem('110')];
  await staff.changeRedeemStatus({ id: paid.id, body: { status: 'success' } });
  await staff.changeRedeemStatus({ id: refused.id, body: { status: 'failed', reason: 'duplicate' } });
  const till = { name: 'Till', kind: 'cash' as const, methods: ['card', 'Cash Tag'], is_active: true };
  const { id: account_id } = await staff.createValueAccount({ body: till });
  await staff.enterAccountMove({ body: { entry: 'corrected', to_id: account_id, amount: '500', reason: 'Counted' } });
  const shift = await staff.openShift({ body: { counts: [{ account_id, counted: '500' }] } });
  await staff.changeRedeemStatus({ id: (await redeem('10')).id, body: { status: 'success' } });
  const counts = [{ account_id, counted: '489', reason: 'A dollar is missing' }];
  await staff.closeShift({ id: shift.id, body: { counts } });
  const large = await redeem('120');
  await sue.changeApprovalLimits({ body: { tenant_id, payouts_from: '115', edits_from: null } });
  await staff.changeRedeemStatus({ id: large.id, body: { status: 'success' } }); // the first of two
  await staff.holdPayouts({ id, body: { is_held: true, reason: 'other', note: 'until the papers are here' } });

  const { key } = await staff.createApiKey({ body: { name: 'Shop', scopes: [...scopes], password: ann.password } });
  const spare = await staff.createApiKey({ body: { name: 'Spare', scopes: [...scopes], password: ann.password } });
  await staff.revokeApiKey({ id: spare.id });
  const shop = apiWith(key);
  await shop.pushPlayer({ body: { email: 'quinn@mail.test', external_id: 'U-77', first_name: 'Quinn' } });
  const pushed = { user_id: id, amount: '40' };
  const topUp = await shop.pushTopUp({ body: { ...pushed, payment_method: 'card', payment_reference: 'card-1' } });
  await shop.pushStatus({ id: topUp.id, body: { status: 'success' } });
  await shop.pushTopUp({ body: { ...pushed, payment_method: 'card', payment_reference: 'card-2', net_amount: '39' } });
  const deposit = await shop.pushDeposit({ body: { ...pushed, platform: 'yolo', payment_reference: 'yolo-1' } });
  await shop.pushStatus({ id: deposit.id, body: { status: 'failed' } });
  const second = { ...pushed, platform: 'yolo', payment_reference: 'yolo-2', amount: 5 } as const;
  await shop.pushDeposit({ body: { ...second, balance: 'bonus' } });
  await shop.pushRedeem({ body: { user_id: id, amount: '130', platform: 'vblink', payment_reference: 'out-1' } });

  const about = { birth_date: '1990-01-02', region: 'US-TX', kyc_status: 'pending' } as const;
  await shop.pushEligibility({ body: { user_id: id, ...about } });
  const limit = { money: 'deposit', span: 'month', amount: '5000' } as const;
  await shop.pushProtection({ body: { user_id: id, limits: [limit] } });
  const quinn = (await staff.searchPlayers({ email: 'quinn' }))[0]?.id ?? 0;
  const rose = await shop.pushPlayer({ body: { email: 'rose@mail.test' } });
  await staff.saveProtection({ id: rose.id, body: { exclusion: { until: null } } });
  await staff.linkPlayers({ id, body: { player_id: quinn } });
  await staff.dismissPair({ id, body: { player_id: rose.id } });

  const password = owner.password;
  const { secret } = await sue.revealWebhookSecret({ tenant_id, platform: 'apex', body: { rotate: false, password } });
  const event = { id: 'evt-1', type: 'payment.succeeded', reference: 'pay-1', amount: '25.50', email: pam.email };
  const body = JSON.stringify({ ...event, occurred_at: new Date().toISOString() });
  const at = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  const signed = { 'Content-Type': 'application/json', 'X-Signature': `t=${at},v1=${mac}` };
  const { path } = await sue.getWebhook({ tenant_id, platform: 'apex' });
  await fetch(new URL(path, url), { method: 'POST', headers: signed, body });

  const batch = { tenant_id, first_line: 2 };
  const [header, rows] = ['source_id,email,credit_balance', 'P1,rae@mail.test,12.50\n'];
  await staff.importRows({ body: { ...batch, kind: 'players', header, rows, file_name: 'players.csv' } });
  const history = {
    header: 'source_id,user_source_id,type,status,amount,initiated_at,completed_at,payment_method,payment_reference',
    rows:
      'T1,P1,TOP_UP,success,10,2026-01-31T13:45:00Z,2026-01-31T13:46:00Z,Card,old-1\n' +
      // with a reference that was used before
      'T3,P1,TOP_UP,success,11,2026-01-31T14:45:00Z,2026-01-31T14:46:00Z,Card,old-1\n' +
      'T2,P1,TOP_UP,pending,5,2026-02-01T08:00:00Z,,Card,old-2\n',
  };
  await staff.importRows({ body: { ...batch, kind: 'transactions', ...history, file_name: 'history.csv' } });

  await staff.closeMonth({ body: { tenant_id, month: '2026-01' } });
  await staff.createSavedView({ body: { list: 'redeems', name: 'Large', query: 'min=100' } });

  await staff.saveNotificationRule({ body: { kind: 'large_redeem', is_active: true, threshold: 50.5 } });
  await staff.addNotificationChannel({ body: { kind: 'email', target: 'boss@acme.test' } });

  const { secret: otp } = await staff.setUpTwoFactor({ body: { password: ann.password } });
  await staff.confirmTwoFactor({ body: { code: new TOTP({ secret: Secret.fromBase32(otp) }).generate() } });

  // The product keeps and changes a player's logins at game platforms, but has no call that makes one.
  const sealed = createSecrets(secretKey).encrypt('p', secretContext.playerCredential(tenant_id, id, 'vblink'));
  await pastTheServer(dataDir, async (sql) => {
    await sql`
      insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
      values (${tenant_id}, ${id}, 'vblink', 'pam', ${sealed})`;
    // A browser's part.
    await sql`
      insert into passkeys (admin_id, credential_id, public_key, counter, name, backed_up)
      select id, 'credential', 'key', 0, 'Laptop', true from admins where email = ${owner.email}`;
    // Rules are evaluated once a minute.
    await sql`
      with written as (
        insert into notifications (tenant_id, kind, title) values (${tenant_id}, 'large_redeem', 'A redeem is $100.00')
        returning tenant_id, id
      )
      insert into notification_reads (admin_id, tenant_id, notification_id)
      select a.id, r.tenant_id, r.id from written r join admins a on a.email = ${ann.email}`;
    await sql`insert into notification_things (tenant_id, kind, dedup_key)
      values (${tenant_id}, 'large_redeem', 'redeem 1')`;
    // Some of it is counted, and a change of what is counted follows.
    await countStep(sql, tenant_id, { margin: '0 seconds' });
    await sql`update players set affiliate_id = 'AFF2' where email = 'quinn@mail.test'`;
    await sql`insert into notification_runs (task, at) values ('evaluate', now()) on conflict do nothing`;
  });
}
