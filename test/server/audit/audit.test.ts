/** Walks every write of the contract: done, it leaves exactly one entry; refused, none. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { calls } from '../../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../../src/contract/calls';
import { MASK } from '../../../src/contract/constants';
import { type AuditRow, readAuditLog } from '../../audit';
import { addPlayer } from '../../seed';
import { as, guest, PASSWORD, pam, pat, people, refused, reset, runEach, signIn, sql, withCookie } from '../../world';
import { integrationCases } from './auditIntegrationCases';
import { listCases } from './auditListCases';
import { loginCases } from './auditLoginCases';
import { returnCases } from './auditReturnCases';
import { teamCases } from './auditTeamCases';

const writes = (Object.entries(calls) as [CallName, CallSpec][])
  .filter(([, { method, isRead, isPersonal }]) => method !== 'GET' && !isRead && !isPersonal)
  .map(([name]) => name);

export type Row = AuditRow;
const entries = readAuditLog;
async function onlyEntry(): Promise<Row> {
  const rows = await entries();
  assert.is(rows.length, 1);
  return rows[0]!;
}

/** What must be there first, and is no part of what is tested. */
const forget = () =>
  sql.begin(async (tx) => {
    await runEach(
      tx,
      'alter table audit_log disable trigger user; truncate audit_log; alter table audit_log enable trigger user',
    );
  });
const apex = { api_key: 'K-secret', secret_key: 'S-secret', merchant_id: 'M1' };
const withMethod = async () => {
  await (await as('sue')).createPaymentMethod({ tenant_id: 2, payment_platform: 'apex', body: apex });
};
const withLogin = () =>
  sql`
    insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    values (2, ${pam.id}, 'vblink', 'pam1', 'x')`;
const withPlatform = async () => {
  await (await as('sue')).saveAssignment({
    tenant_id: 2,
    platform_id: 3,
    body: { username: 'acme', password: 'P-secret' },
  });
};

export interface Case {
  before?: () => PromiseLike<unknown>;
  done: (sue: Api) => Promise<unknown>;
  /** Fails for a reason of the object, after the rights are checked. */
  refused: (sue: Api) => Promise<unknown>;
  leaves: Partial<Row>;
}
const unknown = 99;
const cases: Partial<Record<CallName, Case>> = {
  createTenant: {
    done: (sue) => sue.createTenant({ body: { name: 'Charlie', description: 'New' } }),
    refused: (sue) => sue.createTenant({ body: { name: 'Acme' } }),
    leaves: {
      kind: 'tenant',
      object_id: '4',
      tenant_id: 4,
      before: null,
      after: {
        ...{ name: 'Charlie', description: 'New', is_active: true, time_zone: 'UTC' },
        ...{ require_two_factor: false, redeems_from_game: false, mail_links: false, allowed_networks: [] },
      },
    },
  },
  updateTenant: {
    done: (sue) => sue.updateTenant({ id: 2, body: { name: 'Acme Two' } }),
    refused: (sue) => sue.updateTenant({ id: 2, body: { name: 'Bravo' } }),
    leaves: { kind: 'tenant', object_id: '2', tenant_id: 2, before: { name: 'Acme' }, after: { name: 'Acme Two' } },
  },
  saveAssignment: {
    done: (sue) =>
      sue.saveAssignment({ tenant_id: 2, platform_id: 3, body: { username: 'acme', password: 'P-secret' } }),
    refused: (sue) =>
      sue.saveAssignment({ tenant_id: 2, platform_id: unknown, body: { username: 'acme', password: 'P-secret' } }),
    leaves: {
      kind: 'assignment',
      object_id: '3',
      tenant_id: 2,
      before: null,
      after: { is_active: true, username: 'acme', password: MASK },
    },
  },
  unassignPlatform: {
    before: withPlatform,
    done: (sue) => sue.unassignPlatform({ id: 3, body: { tenant_id: 2 } }),
    refused: (sue) => sue.unassignPlatform({ id: unknown, body: { tenant_id: 2 } }),
    leaves: {
      kind: 'assignment',
      object_id: '3',
      tenant_id: 2,
      before: { is_active: true },
      after: { is_active: false },
    },
  },
  updateAdmin: {
    done: (sue) => sue.updateAdmin({ id: people.ann.id, body: { email: 'ann@new.test', password: 'A-secret' } }),
    refused: (sue) => sue.updateAdmin({ id: people.ann.id, body: { email: people.ben.email } }),
    leaves: {
      kind: 'admin',
      object_id: '2',
      tenant_id: 2,
      before: { email: people.ann.email, password: MASK },
      after: { email: 'ann@new.test', password: MASK },
    },
  },
  disableAdmin: {
    done: (sue) => sue.disableAdmin({ id: people.ann.id, reason: 'other', note: 'has left' }),
    refused: (sue) => sue.disableAdmin({ id: people.sue.id }),
    leaves: {
      kind: 'admin',
      object_id: '2',
      tenant_id: 2,
      before: { is_active: true },
      after: { is_active: false },
      reason: 'other',
      note: 'has left',
    },
  },
  changePurchaseStatus: {
    done: (sue) =>
      sue.changePurchaseStatus({
        id: pam.purchase,
        body: { status: 'failed', reason: 'chargeback', note: 'card stolen' },
      }),
    refused: (sue) => sue.changePurchaseStatus({ id: unknown, body: { status: 'failed' } }),
    leaves: {
      kind: 'purchase',
      object_id: String(pam.purchase),
      tenant_id: 2,
      player_id: pam.id,
      before: { status: 'pending' },
      after: { status: 'failed' },
      reason: 'chargeback',
      note: 'card stolen',
    },
  },
  changeRedeemStatus: {
    done: (sue) => sue.changeRedeemStatus({ id: pam.redeem, body: { status: 'success', note: 'paid' } }),
    refused: (sue) => sue.changeRedeemStatus({ id: unknown, body: { status: 'success' } }),
    leaves: {
      kind: 'redeem',
      object_id: String(pam.redeem),
      tenant_id: 2,
      player_id: pam.id,
      before: { status: 'pending' },
      after: { status: 'success' },
      reason: null,
      note: 'paid',
    },
  },
  updatePlayerCredential: {
    before: withLogin,
    done: (sue) =>
      sue.updatePlayerCredential({
        user_id: pam.id,
        credential_id: 1,
        body: { platform_username: 'pam2', platform_password: 'C-secret' },
      }),
    refused: (sue) =>
      sue.updatePlayerCredential({ user_id: pam.id, credential_id: unknown, body: { platform_username: 'pam2' } }),
    leaves: {
      kind: 'player login',
      object_id: '1',
      tenant_id: 2,
      player_id: pam.id,
      before: { platform_username: 'pam1', password: MASK },
      after: { platform_username: 'pam2', password: MASK },
    },
  },
  createPlayer: {
    done: (sue) =>
      sue.createPlayer({ body: { email: 'new@mail.test', password: 'U-secret', first_name: 'New', tenant_id: 2 } }),
    refused: (sue) => sue.createPlayer({ body: { email: pam.email, password: 'U-secret', tenant_id: 2 } }),
    leaves: {
      kind: 'player',
      object_id: '3',
      tenant_id: 2,
      player_id: 3,
      before: null,
      after: { email: 'new@mail.test', first_name: 'New', tenant_id: 2, password: MASK },
    },
  },
  updatePlayer: {
    done: (sue) =>
      sue.updatePlayer({
        id: pam.id,
        body: { email: pam.email, first_name: 'Pamela', last_name: null, password: 'U-secret' },
      }),
    refused: (sue) => sue.updatePlayer({ id: unknown, body: { email: pam.email } }),
    leaves: {
      kind: 'player',
      object_id: '1',
      tenant_id: 2,
      player_id: pam.id,
      before: { first_name: 'Pam', last_name: 'Poe', password: null },
      after: { first_name: 'Pamela', last_name: null, password: MASK },
    },
  },
  deletePlayer: {
    before: () => addPlayer(2, { email: 'gone@mail.test' }),
    done: (sue) => sue.deletePlayer({ id: 3, reason: 'customer_request' }),
    refused: (sue) => sue.deletePlayer({ id: pam.id }),
    leaves: {
      kind: 'player',
      object_id: '3',
      tenant_id: 2,
      player_id: 3,
      before: { deleted: false },
      after: { deleted: true },
      reason: 'customer_request',
    },
  },
  addPlayerNote: {
    done: (sue) => sue.addPlayerNote({ id: pam.id, body: { text: 'Called back' } }),
    refused: (sue) => sue.addPlayerNote({ id: unknown, body: { text: 'Called back' } }),
    leaves: {
      kind: 'player',
      object_id: '1',
      tenant_id: 2,
      player_id: pam.id,
      before: null,
      after: { staff_note: 'Called back' },
    },
  },
  savePlayerTags: {
    done: (sue) => sue.savePlayerTags({ id: pam.id, body: { tags: ['vip'] } }),
    refused: (sue) => sue.savePlayerTags({ id: unknown, body: { tags: [] } }),
    leaves: {
      kind: 'player',
      object_id: '1',
      tenant_id: 2,
      player_id: pam.id,
      before: { tags: [] },
      after: { tags: ['vip'] },
    },
  },
  holdPayouts: {
    done: (sue) => sue.holdPayouts({ id: pam.id, body: { is_held: true, reason: 'chargeback', note: 'stolen' } }),
    refused: (sue) => sue.holdPayouts({ id: unknown, body: { is_held: true } }),
    leaves: {
      kind: 'player',
      object_id: '1',
      tenant_id: 2,
      player_id: pam.id,
      before: { payout_hold: false },
      after: { payout_hold: true },
      reason: 'chargeback',
      note: 'stolen',
    },
  },
  adjustBalances: {
    done: (sue) =>
      sue.adjustBalances({
        id: pam.id,
        body: { credit: 0.01, bonus: '12.50', reason: 'goodwill', note: 'late payout' },
      }),
    refused: (sue) => sue.adjustBalances({ id: pam.id, body: { credit: 1, vip: 1, vip_op: 'remove' } }),
    leaves: {
      kind: 'player',
      object_id: '1',
      tenant_id: 2,
      player_id: pam.id,
      before: { credit_balance: 350, bonus_balance: 0 },
      after: { credit_balance: 350.01, bonus_balance: 12.5 },
      reason: 'goodwill',
      note: 'late payout',
    },
  },
  activateMyPlatform: {
    before: async () => {
      await withPlatform();
      await (await as('sue')).unassignPlatform({ id: 3, body: { tenant_id: 2 } });
    },
    done: (sue) => sue.activateMyPlatform({ id: 3, tenant_id: 2 }),
    refused: (sue) => sue.activateMyPlatform({ id: 4, tenant_id: 2 }),
    leaves: {
      kind: 'assignment',
      object_id: '3',
      tenant_id: 2,
      before: { is_active: false },
      after: { is_active: true },
    },
  },
  deactivateMyPlatform: {
    before: withPlatform,
    done: (sue) => sue.deactivateMyPlatform({ id: 3, tenant_id: 2 }),
    refused: (sue) => sue.deactivateMyPlatform({ id: unknown, tenant_id: 2 }),
    leaves: {
      kind: 'assignment',
      object_id: '3',
      tenant_id: 2,
      before: { is_active: true },
      after: { is_active: false },
    },
  },
  saveMyPlatformCredentials: {
    before: withPlatform,
    done: (sue) => sue.saveMyPlatformCredentials({ id: 3, tenant_id: 2, body: { username: 'acme2', password: '' } }),
    refused: (sue) =>
      sue.saveMyPlatformCredentials({ id: 5, tenant_id: 2, body: { username: 'acme2', password: 'P-secret' } }),
    leaves: {
      kind: 'assignment',
      object_id: '3',
      tenant_id: 2,
      before: { username: 'acme' },
      after: { username: 'acme2' },
    },
  },
  createManualRedeem: {
    done: (sue) =>
      sue.createManualRedeem({
        body: {
          user_email: pam.email,
          amount: '20.50',
          platform: 'yolo',
          payout_method: 'PayPal',
          payout_address: 'pam@pay.test',
        },
      }),
    refused: (sue) =>
      sue.createManualRedeem({
        body: {
          user_email: pam.email,
          amount: '350.01',
          platform: 'yolo',
          payout_method: 'PayPal',
          payout_address: 'pam@pay.test',
        },
      }),
    leaves: {
      kind: 'redeem',
      tenant_id: 2,
      player_id: pam.id,
      before: null,
      after: {
        amount: 20.5,
        platform: 'yolo',
        payout_method: 'PayPal',
        payout_address: 'pam@pay.test',
        status: 'pending',
      },
    },
  },
  createPaymentMethod: {
    done: (sue) =>
      sue.createPaymentMethod({
        tenant_id: 2,
        payment_platform: 'apex',
        webhook_url: 'https://hook.test/',
        body: apex,
      }),
    refused: (sue) => sue.createPaymentMethod({ tenant_id: 2, payment_platform: 'flikpay', body: apex }),
    leaves: {
      kind: 'payment method',
      object_id: 'apex',
      tenant_id: 2,
      before: null,
      after: { is_active: true, webhook_url: 'https://hook.test/', api_key: MASK, secret_key: MASK, merchant_id: 'M1' },
    },
  },
  updatePaymentMethod: {
    before: withMethod,
    done: (sue) =>
      sue.updatePaymentMethod({
        tenant_id: 2,
        platform: 'apex',
        body: { api_key: 'K-secret-2', secret_key: MASK, merchant_id: 'M2' },
      }),
    refused: (sue) => sue.updatePaymentMethod({ tenant_id: 2, platform: 'btcpay', body: {} }),
    leaves: {
      kind: 'payment method',
      object_id: 'apex',
      tenant_id: 2,
      before: { api_key: MASK, merchant_id: 'M1' },
      after: { api_key: MASK, merchant_id: 'M2' },
    },
  },
  togglePaymentMethod: {
    before: withMethod,
    done: (sue) => sue.togglePaymentMethod({ tenant_id: 2, platform: 'apex' }),
    refused: (sue) => sue.togglePaymentMethod({ tenant_id: 2, platform: 'btcpay' }),
    leaves: {
      kind: 'payment method',
      object_id: 'apex',
      tenant_id: 2,
      before: { is_active: true },
      after: { is_active: false },
    },
  },
  deletePaymentMethod: {
    before: withMethod,
    done: (sue) => sue.deletePaymentMethod({ tenant_id: 2, platform: 'apex', reason: 'duplicate', note: 'see btcpay' }),
    refused: (sue) => sue.deletePaymentMethod({ tenant_id: 2, platform: 'btcpay' }),
    leaves: {
      kind: 'payment method',
      object_id: 'apex',
      tenant_id: 2,
      before: { is_active: true, api_key: MASK, secret_key: MASK, merchant_id: 'M1' },
      after: null,
      reason: 'duplicate',
      note: 'see btcpay',
    },
  },
  ...integrationCases,
  ...teamCases,
  ...listCases,
  ...loginCases,
  ...returnCases,
};
/**
 * Calls that no super admin's token makes are tested below, and in account.test.ts (one's own account),
 * imports.test.ts (imports), webhooks.test.ts and integrationApi.test.ts (other systems).
 */
const areElsewhere = Object.entries<CallSpec>(calls).filter(
  ([, { feature, who, isSigned }]) => feature === 'account' || who === 'key' || isSigned,
);
const elsewhere: readonly string[] = [
  'login',
  'loginToTenant',
  'logout',
  'submitRedeem',
  'importRows',
  'askForPasswordLink', // mailLinks.test.ts
  'choosePassword',
  ...(['beginPasskey', 'finishPasskey', 'beginNewPasskey', 'addPasskey', 'removePasskey'] as const), // passkeys.test.ts
  'beginSso', // sso.test.ts
  'finishSso',
  'saveIdentityProvider', // identityProvider.test.ts
  ...areElsewhere.map(([name]) => name),
];

test.before.each(reset);

test('every write of the contract is tried here', () =>
  assert.equal(
    writes.filter((name) => !cases[name] && !elsewhere.includes(name)),
    [],
  ));

for (const [name, { before, done, refused: fails, leaves }] of Object.entries(cases)) {
  test(`${name} leaves exactly one entry: who, from where, what, and what it changed`, async () => {
    await before?.();
    const sue = await as('sue');
    await forget();
    await done(sue);
    const entry = await onlyEntry();
    const { admin_id, email, address, call, request_id } = entry;
    assert.equal(
      { admin_id, email, address, call },
      { admin_id: people.sue.id, email: people.sue.email, address: 'unknown', call: name },
    );
    assert.match(request_id, /^[0-9a-f-]{36}$/);
    const wanted: Partial<Row> = { player_id: null, reason: null, note: null, ...leaves };
    assert.equal(Object.fromEntries(Object.keys(wanted).map((key) => [key, Reflect.get(entry, key)])), wanted);
    assert.not.match(JSON.stringify(entry), /-secret/);
  });

  test(`${name} that is refused leaves none`, async () => {
    await before?.();
    const sue = await as('sue');
    await forget();
    await refused(fails(sue));
    assert.equal(await entries(), []);
  });
}

test("a player's own redeem names who asked for it", async () => {
  await addPlayer(2, { email: people.ann.email, credit: '500' });
  const ann = await withCookie('ann');
  await forget();
  await ann.submitRedeem({ body: { platform_name: 'vblink', amount: '100' } });
  const { call, email, kind, tenant_id, player_id } = await onlyEntry();
  assert.equal(
    { call, email, kind, tenant_id, player_id },
    { call: 'submitRedeem', email: people.ann.email, kind: 'redeem', tenant_id: 2, player_id: 3 },
  );
});

test('a sign-in and a logout leave an entry each', async () => {
  const { access_token } = await signIn('ann');
  const { admin_id, email, kind, call, tenant_id, after } = await onlyEntry();
  assert.equal(
    { admin_id, email, kind, call, tenant_id, after },
    {
      admin_id: people.ann.id,
      email: people.ann.email,
      kind: 'sign-in',
      call: 'login',
      tenant_id: 2,
      after: { signed_in: true, factor: 'none' },
    },
  );
  await forget();
  await guest.loginToTenant({ tenant_id: 2, body: { email: people.ann.email, password: PASSWORD } });
  assert.is((await onlyEntry()).call, 'loginToTenant');
  await forget();
  assert.ok(access_token);
  await (await as('ann')).logout();
  const left = await onlyEntry();
  assert.equal(
    [left.call, left.email, left.tenant_id, left.after],
    ['logout', people.ann.email, 2, { signed_in: false }],
  );
});

test('a failed sign-in adds an entry too, which contains nothing that was typed [ASVS 16.3.1]', async () => {
  await refused(guest.login({ body: { email: people.ann.email, password: 'wrong-secret' } }));
  await refused(guest.login({ body: { email: 'my-secret typed in the wrong field', password: 'x' } }));
  await refused(guest.loginToTenant({ tenant_id: 3, body: { email: people.ann.email, password: PASSWORD } }));
  const rows = await entries();
  assert.equal(
    rows.map(({ admin_id, email, object_id, tenant_id }) => [admin_id, email, object_id, tenant_id]),
    [
      [null, people.ann.email, '2', 2],
      [null, '', null, null],
      [null, people.ann.email, '2', 2],
    ],
  );
  assert.equal(
    rows.map(({ after }) => after?.['why']),
    ['Invalid credentials', 'Invalid credentials', 'Access denied: You can only access your own tenant.'],
  );
  assert.not.match(JSON.stringify(rows), /-secret/);
});

test('what is only read leaves none', async () => {
  const ann = await as('ann');
  await Promise.all([
    ann.listPlayers({}),
    ann.listRedeems({}),
    ann.listPlayerCredentials({ id: pam.id }),
    ann.getAudit({}),
  ]);
  assert.equal(await entries(), []);
  assert.ok(pat.id);
});

test.run();
