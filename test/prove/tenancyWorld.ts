/** Two tenants in which everything has one number: 7001 at home, 8001 away. */
import { scopes } from '../../src/contract/integrations';
import { permissions } from '../../src/contract/permissions';
import { secretContext } from '../../src/server/auth/secrets';
import type { TransactionSql } from '../../src/server/db/open';
import { adjustBalances, openWallet } from '../../src/server/ledger/adjust';
import { createRedeem, createTopUp } from '../../src/server/ledger/create';
import { db, hashOfPassword, people, reset, services, sql } from '../world';

export const [HOME, AWAY, UNKNOWN] = [7001, 8001, 9001];
/** In lower case: whatever is compared with it is, too. */
export const canary = { home: 'homecanary', away: 'awaycanary', none: 'nonecanary' } as const;

/** Kinds of caller; `home admin` and `home key` are the foreign tenant's to everything that is away. */
export type Kind =
  | 'no token'
  | 'empty token'
  | 'made-up token'
  | 'tampered token'
  | 'expired token'
  | 'idle token'
  | 'revoked token'
  | 'disabled account'
  | 'inactive tenant'
  | 'other role'
  | 'home admin'
  | 'admin without permissions'
  | 'super admin'
  | 'unfinished admin'
  | 'revoked key'
  | 'expired key'
  | "inactive tenant's key"
  | 'key for nothing'
  | 'home key';
export const keyKinds = [
  'revoked key',
  'expired key',
  "inactive tenant's key",
  'key for nothing',
  'home key',
] as const satisfies readonly Kind[];
/** The key of each kind that has one. */
const keyOf = (kind: (typeof keyKinds)[number]) => `gbk_${kind.replace(/\W/g, '_').padEnd(43, '_')}`;

export async function openTenants(): Promise<void> {
  await reset();
  await db.tx(async (tx) => {
    await tx`
      insert into platforms (id, name, display_name)
      values (${HOME}, 'first', 'First'), (${AWAY}, 'second', 'Second')`;
    await fill(tx, HOME, canary.home);
    await fill(tx, AWAY, canary.away);
    // Views of super admins are their own; so that there is one, it has the same id.
    await tx`
      insert into saved_views (tenant_id, id, admin_id, list, name, query, is_shared) overriding system value
      values (1, ${HOME}, ${people.sue.id}, 'redeems', 'Large', 'min=500', true)`;
    await tx`
      insert into tenants (id, name, is_active, time_zone)
      values (6001, 'Closed', false, 'UTC'), (6004, 'Strict', true, 'UTC')`;
    await tx`update tenants set require_two_factor = true where id = 6004`;
    await tx`
      insert into admins (id, tenant_id, role_id, email, password_hash, is_active)
      select a.id, tenant, r.id, email, ${hashOfPassword}, active from roles r join (values
        (6004, 6004, 'admin', 'unfinished@x.test', true),
        (6001, 6001, 'admin', 'closed@x.test', true),
        (6002, 1, 'super_admin', 'gone@x.test', false),
        (6003, ${HOME}, 'support', 'support@x.test', true),
        (6005, ${HOME}, 'admin', 'watcher@x.test', true))
        as a (id, tenant, role, email, active) on a.role = r.name`;
    await tx`update admins set permissions = ${[...permissions]} where id in (${HOME}, ${AWAY})`;
    await tx`update admins set permissions = '{}' where id = 6005`;
    for (const [n, kind] of keyKinds.entries()) {
      const tenant = kind === "inactive tenant's key" ? 6001 : HOME;
      await tx`
        insert into api_keys (tenant_id, id, name, prefix, key_hash, scopes, admin_id, expires_at, revoked_at)
        overriding system value
        values (
          ${tenant}, ${HOME + n}, ${kind}, 'gbk_', sha256(${keyOf(kind)}::text::bytea),
          ${kind === 'key for nothing' ? [] : [...scopes]}::text[], ${HOME},
          ${kind === 'expired key' ? tx`now() - interval '1 second'` : null},
          ${kind === 'revoked key' ? tx`now()` : null})`;
    }
  });
}

/** Everything a tenant can have, each with the tenant's number and its canary in every text. */
async function fill(tx: TransactionSql, id: number, word: string): Promise<void> {
  const email = `${word}@mail.test`,
    of = { tenant_id: id, player_id: id },
    { secrets } = services;
  await tx`
    insert into tenants (id, name, description, email, time_zone)
    values (${id}, ${word}, ${word}, ${email}, 'UTC')`;
  await tx`
    insert into admins (id, tenant_id, role_id, email, username, password_hash)
    select ${id}, ${id}, id, ${`admin-${email}`}, ${word}, ${hashOfPassword} from roles where name = 'admin'`;
  await tx`
    insert into players
      (tenant_id, id, email, first_name, last_name, phone_number, referral_id, affiliate_id, external_id)
    values (${id}, ${id}, ${email}, ${word}, ${word}, ${word}, ${word}, ${word}, ${word})`;
  await openWallet(tx, id, id);
  await adjustBalances(tx, {
    ...of,
    admin_id: people.sue.id,
    changes: [{ kind: 'credit', operation: 'add', amount: '5000' }],
  });
  await tx`select setval('money_ids', ${id}, false)`;
  await createTopUp(tx, {
    ...of,
    amount: '80',
    payment_method: word,
    payment_metadata: { note: word },
    payment_reference: word,
    description: word,
  });
  await tx`select setval('money_ids', ${id}, false)`;
  await createRedeem(tx, {
    ...of,
    amount: '100',
    platform: 'yolo',
    payout_method: 'PayPal',
    payout_address: word,
    description: word,
    is_manual: true,
    admin_id: people.sue.id,
    secrets,
  });
  const playerPassword = secrets.encrypt(word, secretContext.playerCredential(id, id, 'yolo'));
  await tx`
    insert into player_credentials (tenant_id, id, player_id, platform_name, platform_username, password_secret)
    values (${id}, ${id}, ${id}, 'yolo', ${word}, ${playerPassword})`;
  for (const platform of [HOME, AWAY]) {
    const password = secrets.encrypt(word, secretContext.platformCredentials(id, platform));
    await tx`
      insert into tenant_platforms (tenant_id, platform_id, is_active, username, password_secret)
      values (${id}, ${platform}, true, ${word}, ${password})`;
  }
  const credentials = secrets.encrypt(
    JSON.stringify({ api_key: word, secret_key: word, merchant_id: word }),
    secretContext.paymentMethod(id, 'apex'),
  );
  await tx`
    insert into sessions (id, token_hash, checkout_hash, admin_id, address, browser, expires_at)
    overriding system value
    values (${id}, ${`t${id}`}, ${`c${id}`}, ${id}, ${word}, ${word}, now() + interval '1 hour')`;
  await tx`
    insert into approvals (tenant_id, id, kind, player_id, change, first_admin_id) overriding system value
    values (${id}, ${id}, 'balances', ${id}, ${JSON.stringify({ credit: '5', note: word })}::text::json, ${id})`;
  await tx`
    insert into saved_views (tenant_id, id, admin_id, list, name, query, is_shared) overriding system value
    values (${id}, ${id}, ${id}, 'redeems', ${word}, ${`text=${word}`}, true)`;
  await tx`insert into player_notes (tenant_id, player_id, admin_id, text) values (${id}, ${id}, ${id}, ${word})`;
  await tx`insert into player_tags (tenant_id, player_id, tag) values (${id}, ${id}, ${word})`;
  await tx`insert into payout_holds (tenant_id, player_id, admin_id, note) values (${id}, ${id}, ${id}, ${word})`;
  await tx`
    insert into webhook_deliveries (tenant_id, payment_platform, delivery_id, event_type, reference, outcome, detail)
    values (${id}, 'apex', ${word}, ${word}, ${word}, 'attention', ${word})`;
  await tx`insert into notification_rules (tenant_id, kind, is_active, threshold) values (${id}, 'digest', false, 8)`;
  await tx`insert into notification_hours (tenant_id, quiet_from, quiet_to) values (${id}, 22, 7)`;
  await tx`
    insert into notifications (tenant_id, id, kind, title, detail, object_id) overriding system value
    values (${id}, ${id}, 'large_redeem', ${word}, ${word}, ${word})`;
  await tx`
    insert into notification_channels (tenant_id, id, kind, target, secret)
    values (${id}, ${id}, 'email', ${word}, 'x')`;
  await tx`
    insert into notification_deliveries (tenant_id, id, notification_id, channel_id, answer, give_up_at)
    overriding system value values (${id}, ${id}, ${id}, ${id}, ${word}, now() + interval '1 day')`;
  await tx`
    insert into payment_references (tenant_id, kind, method, reference, money_id)
    values (${id}, 'TOP_UP', ${word}, ${word}, ${id})`;
  if (id === AWAY)
    await tx`
      insert into api_keys (tenant_id, id, name, prefix, key_hash, scopes, admin_id) overriding system value
      values (${id}, ${id}, ${word}, ${word}, 'x', '{players:write}', ${id})`;
  await tx`
    insert into payment_methods (tenant_id, id, payment_platform, webhook_url, credentials_secret)
    values (${id}, ${id}, 'apex', ${`https://${word}.test/`}, ${credentials})`;
}

const accounts: Partial<Record<Kind, number>> = {
  'expired token': people.sue.id,
  'idle token': people.sue.id,
  'revoked token': people.sue.id,
  'disabled account': 6002,
  'inactive tenant': 6001,
  'other role': 6003,
  'unfinished admin': 6004,
  'home admin': HOME,
  'admin without permissions': 6005,
  'super admin': people.sue.id,
};

/** A token for each kind of caller. */
export async function signInAll(
  kinds: readonly Kind[] = Object.keys(accounts) as Kind[],
): Promise<Record<Kind, string | null>> {
  const tokens: Record<Kind, string | null> = {
    'no token': null,
    'empty token': '',
    'made-up token': 'eyJhbGciOiJub25lIn0.eyJzdWIiOjF9.',
    'tampered token': '',
    'expired token': null,
    'idle token': null,
    'revoked token': null,
    'disabled account': null,
    'inactive tenant': null,
    'other role': null,
    'home admin': null,
    'admin without permissions': null,
    'super admin': null,
    'unfinished admin': null,
    'revoked key': keyOf('revoked key'),
    'expired key': keyOf('expired key'),
    "inactive tenant's key": keyOf("inactive tenant's key"),
    'key for nothing': keyOf('key for nothing'),
    'home key': keyOf('home key'),
  };
  for (const kind of kinds) {
    const account = accounts[kind];
    if (account === undefined) continue;
    const { token } = await services.sessions.start(sql, account, 'test');
    tokens[kind] = token;
    const own = sql`token_hash = sha256(${token}::text::bytea)`;
    // If there is only one caller, what has that number is theirs.
    if (kinds.length === 1) await sql`update sessions set admin_id = ${account} where id = ${HOME}`;
    if (kind === 'expired token') await sql`update sessions set expires_at = now() - interval '1 second' where ${own}`;
    if (kind === 'idle token') await sql`update sessions set last_seen_at = now() - interval '31 minutes' where ${own}`;
    if (kind === 'revoked token') await services.sessions.end(sql, token);
  }
  tokens['tampered token'] = (tokens['super admin'] ?? '').replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
  return tokens;
}

/** Everything the other tenant has, in every table that says whose its rows are. */
export async function awayNow(): Promise<string> {
  const tables = await sql<{ table_name: string }[]>`
    select c.table_name
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and column_name = 'tenant_id' and table_type = 'BASE TABLE' order by 1`;
  const rows = await Promise.all(
    tables.map(async ({ table_name }) => {
      const owned = await sql`
        select to_jsonb(t) as row from ${sql(table_name)} t where tenant_id = ${AWAY} order by 1`;
      return `${table_name} ${JSON.stringify(owned)}`;
    }),
  );
  return rows.join('\n');
}
