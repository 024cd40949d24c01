/** A thing of Acme for every call that takes the id of one, and the calls as they are sent. */
import { calls } from '../../src/contract/allCalls';
import type { CallName } from '../../src/contract/calls';
import { permissions } from '../../src/contract/permissions';
import { secretContext } from '../../src/server/auth/secrets';
import { storeApproval } from '../../src/server/ledger/approvalSeal';
import type { Shape } from '../prove/shapes';
import { pam, people, reset, send, services, sql } from '../world';
import { goodBody, goodQuery, type Ids, pathOf, schemasOf, takes, twin } from './everyCall';

/** What is searched for, so that it would be found. */
const searched = { email: 'canary', q: 'canary', search: 'canary', text: 'canary' };

export interface Sent {
  /** Ids of another tenant's things, or of nothing. */
  at?: { ids: Ids; other?: number };
  query?: object;
  body?: object;
  token?: string | undefined;
  /** In place of `send`. */
  by?: typeof send;
}
export function make(name: CallName, { at, query, body, token, by = send }: Sent): Promise<Response> {
  const { method } = calls[name];
  const shapes = schemasOf(name);
  /** Acme is named wherever a tenant can be named. */
  const acme = (shape: Shape | undefined) => takes(shape, 'tenant_id') && { tenant_id: 2 };
  const found = Object.entries(searched).filter(([field]) => takes(shapes.query, field));
  const asked = { ...goodQuery(name), ...acme(shapes.query), ...Object.fromEntries(found), ...query };
  const search = new URLSearchParams(Object.entries(asked).map(([key, value]) => [key, String(value)]));
  return by(method, `${pathOf(name, at?.ids, at?.other)}?${search}`, {
    token,
    ...(shapes.body && { body: { ...goodBody(name), ...acme(shapes.body), ...body } }),
  });
}

/** What only Acme has: none of it may ever reach Bravo. */
export const canaries = [
  pam.email,
  'Canary-first',
  'Canary-last',
  '555-0102000',
  'canary-login',
  'canary-pass',
  'canary-panel',
  'canary-referral',
  'canary-reference',
  'canary-address',
  'canary-note',
  'canary-tag',
  'canary-hold',
  'canary-key',
  'canary-delivery',
  'canary-view',
  'canary-bell',
  'canary-channel',
  'canary-account',
  people.ann.email,
  people.oli.email,
];
export async function plantCanaries(): Promise<void> {
  await reset();
  await sql`update admins set permissions = ${[...permissions]}`; // missing ones have fences of their own, below
  await sql`
    update players set first_name = 'Canary-first', last_name = 'Canary-last', phone_number = '555-0102000',
      referral_id = 'canary-referral'
    where id = ${pam.id}`;
  await sql`
    update transactions set payment_reference = 'canary-reference', description = 'Canary-first'
    where id = ${pam.purchase}`;
  await sql`update redeems set payout_address = 'canary-address' where id = ${pam.redeem}`;
  await sql`
    insert into player_notes (tenant_id, player_id, admin_id, text)
    values (2, ${pam.id}, ${people.ann.id}, 'canary-note')`;
  await sql`insert into player_tags (tenant_id, player_id, tag) values (2, ${pam.id}, 'canary-tag')`;
  await sql`
    insert into payout_holds (tenant_id, player_id, admin_id, note)
    values (2, ${pam.id}, ${people.ann.id}, 'canary-hold')`;
  await sql`
    insert into player_exclusions (tenant_id, player_id, until, admin_id)
    values (2, ${pam.id}, '2020-02-02', ${people.ann.id})`;
  await sql`
    insert into player_eligibility (tenant_id, player_id, region, kyc_missing, kyc_reference, admin_id)
    values (2, ${pam.id}, 'US-TX', 'canary-missing', 'canary-check', ${people.ann.id})`;
  await sql`
    insert into player_limits (tenant_id, player_id, money, span, amount, admin_id)
    values (2, ${pam.id}, 'purchase', 'month', 99999, ${people.ann.id})`;
  await sql`insert into players (tenant_id, id, email) values (2, ${twin}, 'twin@mail.test')
    on conflict do nothing`;
  await sql`insert into wallets (tenant_id, player_id) values (2, ${twin}) on conflict do nothing`;
  const password = services.secrets.encrypt('canary-pass', secretContext.playerCredential(2, pam.id, 'vblink'));
  await sql`
    insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    values (2, ${pam.id}, 'vblink', 'canary-login', ${password})`;
  await sql`
    insert into tenant_platforms (tenant_id, platform_id, is_active, username, password_secret, panel_url)
    values (2, 3, true, 'canary-login', 'x', 'https://canary-panel.test/')`;
  await sql`
    insert into api_keys (tenant_id, name, prefix, key_hash, scopes, admin_id)
    values (2, 'canary-key', 'gbk_x', 'x', '{players:write}', ${people.ann.id})`;
  await storeApproval(sql, services.secrets, {
    ...{ tenant_id: 2, kind: 'balances', player_id: pam.id, first_admin_id: people.sue.id },
    change: { credit: '1', note: 'canary-note' },
  });
  await sql`
    insert into row_claims (tenant_id, money_id, kind, admin_id, claimed_until)
    values (2, ${pam.redeem}, 'redeem', ${people.ann.id}, now() + interval '10 minutes')`;
  await sql`
    insert into saved_views (tenant_id, admin_id, list, name, query)
    values (2, ${people.ann.id}, 'redeems', 'canary-view', 'text=canary-view')`;
  await sql`insert into value_accounts (tenant_id, name, kind) values (2, 'canary-account', 'cash')`;
  await sql`insert into shifts (tenant_id, admin_id) values (2, ${people.ann.id})`;
  await sql`insert into shift_counts (tenant_id, shift_id, account_id, opening) values (2, 1, 1, 1)`;
  const credentials = services.secrets.encrypt('{}', secretContext.paymentMethod(2, 'apex'));
  await sql`
    insert into payment_methods (tenant_id, payment_platform, credentials_secret)
    values (2, 'apex', ${credentials})`;
  await sql`
    insert into webhook_deliveries (tenant_id, payment_platform, delivery_id, event_type, outcome)
    values (2, 'apex', 'canary-delivery', 'payment.pending', 'attention')`;
  await sql`insert into notifications (tenant_id, kind, title) values (2, 'large_redeem', 'canary-bell')`;
  const kept = JSON.stringify({ target: 'canary-channel', code: '00000000' }),
    sealed = services.secrets.encrypt(kept, secretContext.notificationChannel(2, 1));
  await sql`
    insert into notification_channels (tenant_id, kind, target, secret)
    values (2, 'email', 'canary-channel', ${sealed})`;
  await sql`
    insert into notification_deliveries (tenant_id, notification_id, channel_id, give_up_at)
    values (2, 1, 1, now() + interval '1 day')`;
}
