/** Walks every write of the contract: done, it leaves exactly one entry; refused, none. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../../src/contract/calls';
import { MASK } from '../../../src/contract/constants';
import { readAuditLog as entries } from '../../audit';
import { ann, sue } from '../../callers';
import { addPlayer } from '../../seed';
import { guest, PASSWORD, pam, pastTriggers, people, refused, reset, signIn, sql, withCookie } from '../../world';
import { apex, assignment, type Cases, login, method, NOTHING, ofNothing, player, redeem, tenant } from './auditCase';
import { integrationCases } from './auditIntegrationCases';
import { playerCases } from './auditPlayerCases';
import { teamCases } from './auditTeamCases';

const writes = (Object.entries(calls) as [CallName, CallSpec][])
  .filter(([, { method, isRead, isPersonal }]) => method !== 'GET' && !isRead && !isPersonal)
  .map(([name]) => name);

async function onlyEntry() {
  const rows = await entries();
  assert.is(rows.length, 1);
  return rows[0]!;
}

/** What must be there first, and is no part of what is tested. */
const forget = () => pastTriggers(['audit_log'], (tx) => tx`truncate audit_log`);
const withMethod = () => sue.createPaymentMethod({ tenant_id: 2, payment_platform: 'apex', body: apex });
const withLogin = () =>
  sql`
    insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    values (2, ${pam.id}, 'vblink', 'pam1', 'x')`;
const given = { tenant_id: 2, platform_id: 3, body: { username: 'acme', password: 'P-secret' } };
const withPlatform = () => sue.saveAssignment(given);
const paid = { user_email: pam.email, payout_address: 'pam@pay.test' };
const wish = { platform: 'yolo', payout_method: 'PayPal' } as const;
const atBtcpay = { tenant_id: 2, platform: 'btcpay' } as const;
const atApex = { tenant_id: 2, platform: 'apex' } as const;

const cases: Cases = {
  createTenant: {
    done: { body: { name: 'Charlie', description: 'New' } },
    refused: { body: { name: 'Acme' } },
    leaves: {
      ...{ kind: 'tenant', object_id: '4', tenant_id: 4, before: null },
      after: {
        ...{ name: 'Charlie', description: 'New', is_active: true, time_zone: 'UTC' },
        ...{ require_two_factor: false, redeems_from_game: false, mail_links: false, allowed_networks: [] },
      },
    },
  },
  updateTenant: {
    done: { id: 2, body: { name: 'Acme Two' } },
    refused: { id: 2, body: { name: 'Bravo' } },
    leaves: { ...tenant, before: { name: 'Acme' }, after: { name: 'Acme Two' } },
  },
  saveAssignment: {
    done: given,
    refused: { ...given, platform_id: NOTHING },
    leaves: { ...assignment, before: null, after: { is_active: true, username: 'acme', password: MASK } },
  },
  unassignPlatform: {
    before: withPlatform,
    done: { id: 3, body: { tenant_id: 2 } },
    leaves: { ...assignment, before: { is_active: true }, after: { is_active: false } },
  },
  updateAdmin: {
    done: { id: people.ann.id, body: { email: 'ann@new.test', password: 'A-secret' } },
    refused: { id: people.ann.id, body: { email: people.ben.email } },
    leaves: {
      ...{ kind: 'admin', object_id: '2', tenant_id: 2 },
      before: { email: people.ann.email, password: MASK },
      after: { email: 'ann@new.test', password: MASK },
    },
  },
  disableAdmin: {
    done: { id: people.ann.id, reason: 'other', note: 'has left' },
    refused: { id: people.sue.id },
    leaves: {
      ...{ kind: 'admin', object_id: '2', tenant_id: 2, reason: 'other', note: 'has left' },
      ...{ before: { is_active: true }, after: { is_active: false } },
    },
  },
  changePurchaseStatus: {
    done: { id: pam.purchase, body: { status: 'failed', reason: 'chargeback', note: 'card stolen' } },
    leaves: {
      ...{ kind: 'purchase', object_id: String(pam.purchase), tenant_id: 2, player_id: pam.id },
      ...{ before: { status: 'pending' }, after: { status: 'failed' }, reason: 'chargeback', note: 'card stolen' },
    },
  },
  changeRedeemStatus: {
    done: { id: pam.redeem, body: { status: 'success', note: 'paid' } },
    leaves: { ...redeem, before: { status: 'pending' }, after: { status: 'success' }, note: 'paid' },
  },
  updatePlayerCredential: {
    before: withLogin,
    done: { user_id: pam.id, credential_id: 1, body: { platform_username: 'pam2', platform_password: 'C-secret' } },
    leaves: {
      ...login,
      before: { platform_username: 'pam1', password: MASK },
      after: { platform_username: 'pam2', password: MASK },
    },
  },
  createPlayer: {
    done: { body: { email: 'new@mail.test', password: 'U-secret', first_name: 'New', tenant_id: 2 } },
    refused: { body: { email: pam.email, password: 'U-secret', tenant_id: 2 } },
    leaves: {
      ...{ kind: 'player', object_id: '3', tenant_id: 2, player_id: 3, before: null },
      after: { email: 'new@mail.test', first_name: 'New', tenant_id: 2, password: MASK },
    },
  },
  updatePlayer: {
    done: { id: pam.id, body: { email: pam.email, first_name: 'Pamela', last_name: null, password: 'U-secret' } },
    leaves: {
      ...player,
      before: { first_name: 'Pam', last_name: 'Poe', password: null },
      after: { first_name: 'Pamela', last_name: null, password: MASK },
    },
  },
  deletePlayer: {
    before: () => addPlayer(2, { email: 'gone@mail.test' }),
    done: { id: 3, reason: 'customer_request' },
    refused: { id: pam.id },
    leaves: {
      ...{ kind: 'player', object_id: '3', tenant_id: 2, player_id: 3, reason: 'customer_request' },
      ...{ before: { deleted: false }, after: { deleted: true } },
    },
  },
  addPlayerNote: {
    done: { id: pam.id, body: { text: 'Called back' } },
    leaves: { ...player, before: null, after: { staff_note: 'Called back' } },
  },
  savePlayerTags: {
    done: { id: pam.id, body: { tags: ['vip'] } },
    leaves: { ...player, before: { tags: [] }, after: { tags: ['vip'] } },
  },
  holdPayouts: {
    done: { id: pam.id, body: { is_held: true, reason: 'chargeback', note: 'stolen' } },
    leaves: {
      ...player,
      ...{ before: { payout_hold: false }, after: { payout_hold: true }, reason: 'chargeback', note: 'stolen' },
    },
  },
  adjustBalances: {
    done: { id: pam.id, body: { credit: 0.01, bonus: '12.50', reason: 'goodwill', note: 'late payout' } },
    refused: { id: pam.id, body: { credit: 1, vip: 1, vip_op: 'remove' } },
    leaves: {
      ...{ ...player, reason: 'goodwill', note: 'late payout' },
      before: { credit_balance: 350, bonus_balance: 0 },
      after: { credit_balance: 350.01, bonus_balance: 12.5 },
    },
  },
  activateMyPlatform: {
    before: () => withPlatform().then(() => sue.unassignPlatform({ id: 3, body: { tenant_id: 2 } })),
    done: { id: 3, tenant_id: 2 },
    refused: { id: 4, tenant_id: 2 },
    leaves: { ...assignment, before: { is_active: false }, after: { is_active: true } },
  },
  deactivateMyPlatform: {
    before: withPlatform,
    done: { id: 3, tenant_id: 2 },
    leaves: { ...assignment, before: { is_active: true }, after: { is_active: false } },
  },
  saveMyPlatformCredentials: {
    before: withPlatform,
    done: { id: 3, tenant_id: 2, body: { username: 'acme2', password: '' } },
    refused: { id: 5, tenant_id: 2, body: { username: 'acme2', password: 'P-secret' } },
    leaves: { ...assignment, before: { username: 'acme' }, after: { username: 'acme2' } },
  },
  createManualRedeem: {
    done: { body: { ...paid, ...wish, amount: '20.50' } },
    refused: { body: { ...paid, ...wish, amount: '350.01' } },
    leaves: {
      ...{ kind: 'redeem', tenant_id: 2, player_id: pam.id, before: null },
      after: { ...wish, amount: 20.5, payout_address: paid.payout_address, status: 'pending' },
    },
  },
  createPaymentMethod: {
    done: { tenant_id: 2, payment_platform: 'apex', webhook_url: 'https://hook.test/', body: apex },
    refused: { tenant_id: 2, payment_platform: 'flikpay', body: apex },
    leaves: {
      ...{ ...method, before: null },
      after: { is_active: true, webhook_url: 'https://hook.test/', api_key: MASK, secret_key: MASK, merchant_id: 'M1' },
    },
  },
  updatePaymentMethod: {
    before: withMethod,
    done: { ...atApex, body: { api_key: 'K-secret-2', secret_key: MASK, merchant_id: 'M2' } },
    refused: { ...atBtcpay, body: {} },
    leaves: { ...method, before: { api_key: MASK, merchant_id: 'M1' }, after: { api_key: MASK, merchant_id: 'M2' } },
  },
  togglePaymentMethod: {
    before: withMethod,
    done: atApex,
    refused: atBtcpay,
    leaves: { ...method, before: { is_active: true }, after: { is_active: false } },
  },
  deletePaymentMethod: {
    before: withMethod,
    done: { ...atApex, reason: 'duplicate', note: 'see btcpay' },
    refused: atBtcpay,
    leaves: {
      ...{ ...method, after: null, reason: 'duplicate', note: 'see btcpay' },
      before: { is_active: true, api_key: MASK, secret_key: MASK, merchant_id: 'M1' },
    },
  },
  ...integrationCases,
  ...teamCases,
  ...playerCases,
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

test('every write of the contract is tried here', () => {
  const untried = writes.filter((name) => !cases[name] && !elsewhere.includes(name));
  assert.equal(untried, []);
});

const all = Object.entries(cases) as [string, NonNullable<Cases[CallName]>][];
for (const [name, { before, done, refused: wrong = ofNothing(done), leaves }] of all) {
  const call: (input: object) => Promise<unknown> = Reflect.get(sue, name);
  test(`${name} leaves exactly one entry: who, from where, what, and what it changed`, async () => {
    await before?.();
    await forget();
    await call(done);
    const entry = await onlyEntry();
    assert.match(entry.request_id, /^[0-9a-f-]{36}$/);
    const by = { admin_id: people.sue.id, email: people.sue.email, address: 'unknown', call: name };
    const wanted: object = { ...by, player_id: null, reason: null, note: null, ...leaves };
    assert.equal(Object.fromEntries(Object.keys(wanted).map((key) => [key, Reflect.get(entry, key)])), wanted);
    assert.not.match(JSON.stringify(entry), /-secret/);
  });

  test(`${name} that is refused leaves none`, async () => {
    await before?.();
    await forget();
    await refused(call(wrong));
    assert.equal(await entries(), []);
  });
}

test("a player's own redeem names who asked for it", async () => {
  await addPlayer(2, { email: people.ann.email, credit: '500' });
  const checkout = await withCookie('ann');
  await forget();
  await checkout.submitRedeem({ body: { platform_name: 'vblink', amount: '100' } });
  const { call, email, kind, tenant_id, player_id } = await onlyEntry();
  assert.equal([call, email, kind, tenant_id, player_id], ['submitRedeem', people.ann.email, 'redeem', 2, 3]);
});

test('a sign-in and a logout leave an entry each', async () => {
  await signIn('ann');
  const { admin_id, email, kind, call, tenant_id, after } = await onlyEntry();
  assert.equal([admin_id, email, kind, call, tenant_id], [people.ann.id, people.ann.email, 'sign-in', 'login', 2]);
  assert.equal(after, { signed_in: true, factor: 'none' });
  await forget();
  await guest.loginToTenant({ tenant_id: 2, body: { email: people.ann.email, password: PASSWORD } });
  assert.is((await onlyEntry()).call, 'loginToTenant');
  await forget();
  await ann.logout();
  const left = await onlyEntry();
  assert.equal([left.call, left.email, left.tenant_id], ['logout', people.ann.email, 2]);
  assert.equal(left.after, { signed_in: false });
});

test('a failed sign-in adds an entry too, which contains nothing that was typed [ASVS 16.3.1]', async () => {
  await refused(guest.login({ body: { email: people.ann.email, password: 'wrong-secret' } }));
  await refused(guest.login({ body: { email: 'my-secret typed in the wrong field', password: 'x' } }));
  await refused(guest.loginToTenant({ tenant_id: 3, body: { email: people.ann.email, password: PASSWORD } }));
  const rows = await entries();
  const told = rows.map(({ admin_id, email, object_id, tenant_id, after }) => [
    ...[admin_id, email, object_id, tenant_id, after?.['why']],
  ]);
  assert.equal(told, [
    [null, people.ann.email, '2', 2, 'Invalid credentials'],
    [null, '', null, null, 'Invalid credentials'],
    [null, people.ann.email, '2', 2, 'Access denied: You can only access your own tenant.'],
  ]);
  assert.not.match(JSON.stringify(rows), /-secret/);
});

test('what is only read leaves none', async () => {
  await ann.listPlayers({});
  await ann.listRedeems({});
  await ann.listPlayerCredentials({ id: pam.id });
  await ann.getAudit({});
  assert.equal(await entries(), []);
});

test.run();
