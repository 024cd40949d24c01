import { type BalanceKind, LIST_MAX, REDEEM_MAX, REDEEM_MIN } from '../../contract/constants';
import type {
  PlayerNamed,
  PushedMoney,
  PushedPlayer,
  PushedPlayerAnswer,
  SegmentPage,
  WorkItem,
} from '../../contract/entities';
import { EVENTS_MAX, type EventKind } from '../../contract/events';
import { isRedeemAmount } from '../../contract/rules';
import { type Audit, toPlayer } from '../audit/auditLog';
import { refuseAdminEmail } from '../auth/adminEmails';
import { requireWork } from '../auth/apiKeys';
import type { Caller } from '../auth/caller';
import type { Handlers } from '../core/context';
import { notFound, orConflict, Problem } from '../core/problem';
import { getTenantId, type Owner } from '../core/tenancy';
import type { Sql } from '../db/open';
import { type DbRow, definedFields } from '../db/row';
import { openWallet } from '../ledger/adjust';
import { createDeposit, createRedeem, createReturn, createTopUp } from '../ledger/create';
import { findDisguise } from '../ledger/processors';
import { moneyKinds } from '../ledger/rows';
import { settlePurchase, settleRedeem } from '../ledger/settle';
import { type KeptEvent, toMessage } from '../notifications/webhook';
import {
  assignReference,
  findNamedPlayer,
  normalizeMethod,
  type PaymentReference,
  reserveReference,
} from '../payments/paymentReferences';
import { noteDecision } from '../queries/noteDecision';
import { requirePlatformName } from '../queries/platformCredentials';
import { inSegment } from '../queries/segment';

type Money = DbRow<PushedMoney>;
const TAKEN = 'Another user has this email or external_id';

async function findMoney(sql: Sql, tenantId: number, id: number): Promise<Money> {
  return sql<Money[]>`
    select id, transaction_type as type, player_id as user_id, status, amount, payment_reference, initiated_at,
      completed_at
    from transactions where tenant_id = ${tenantId} and id = ${id}
    union all
    select r.id, 'REDEEM', r.player_id, r.status, r.amount, p.reference, r.initiated_at, r.completed_at
    from redeems r left join payment_references p on p.tenant_id = r.tenant_id and p.money_id = r.id
    where r.tenant_id = ${tenantId} and r.id = ${id}`.one(notFound('Transaction'));
}

interface Pushed extends PlayerNamed {
  amount: number | string;
  payment_reference: string;
  description?: string | undefined;
}
interface Common extends Owner {
  amount: string;
  payment_reference: string;
  description: string | null;
}

/** Creates money once per reference; `make` returns its id. The audit entry has the `terms`, for `npm run verify`. */
async function makeOnce(
  { sql, caller, body, audit }: { sql: Sql; caller: Caller; body: Pushed; audit: Audit },
  kind: PaymentReference['kind'],
  method: string,
  terms: { payment_method?: string; net_amount?: number | null; platform?: string; balance?: BalanceKind },
  make: (common: Common, player: { is_active: boolean }) => Promise<number>,
): Promise<Money> {
  const tenant_id = getTenantId(caller),
    at = { tenant_id, kind, method, reference: body.payment_reference };
  const player = await findNamedPlayer(sql, tenant_id, body);
  if (!player) throw notFound('User');
  const taken = await reserveReference(sql, at);
  if (taken !== null) throw new Problem(409, `This payment_reference belongs to transaction ${taken}`);
  const owner = { tenant_id, player_id: player.id };
  const { payment_reference, description } = body;
  const common = { ...owner, amount: String(body.amount), payment_reference, description: description || null };
  const id = await make(common, player);
  await assignReference(sql, at, id);
  const money = await findMoney(sql, tenant_id, id);
  const { amount, status } = money;
  audit.about({ kind: moneyKinds[kind], id, ...owner, after: { amount, ...terms, payment_reference, status } });
  return money;
}

function requireActive({ is_active }: { is_active: boolean }): void {
  if (!is_active) throw new Problem(400, 'This player account is not active');
}

export const integrationApi = {
  async pushPlayer({ sql, caller, body, audit }) {
    const tenant_id = getTenantId(caller),
      row = definedFields(body), // its schema has the columns of the table alone
      known = await lockPushed(sql, tenant_id, body);
    await refuseAdminEmail(sql, caller, { tenantId: tenant_id, email: body.email, before: known?.email });
    const insert = sql<Saved[]>`
      insert into players ${sql({ ...row, tenant_id })} on conflict do nothing returning ${saved(sql)}`;
    const [made] = known ? [] : await insert;
    if (made) await openWallet(sql, tenant_id, made.id);
    const found = made ? null : (known ?? (await lockPushed(sql, tenant_id, body))); // created by a parallel request
    const update = sql<Saved[]>`
      update players set ${sql(row)}, updated_at = now()
      where tenant_id = ${tenant_id} and id = ${found?.id ?? 0} returning ${saved(sql)}`;
    const [updated] = found ? await orConflict(update, TAKEN) : [];
    const player = made ?? updated;
    if (!player) throw new Problem(409, TAKEN);
    const subject = toPlayer({ tenant_id, player_id: player.id });
    audit.about({ ...subject, before: found, after: found ? { ...found, ...row } : row });
    return { ...player, is_new: made !== undefined };
  },

  /** A selection is made first: in the order of ids, the few of a rare tag would be looked for among all players. */
  async readPlayers({ sql, caller, query: { segment = '', after = 0, limit = LIST_MAX } }) {
    const tenant = sql`${getTenantId(caller)}`;
    const rows = await sql<DbRow<SegmentPage['players'][number]>[]>`
      with hits as ${segment ? sql`materialized` : sql`not materialized`} (
        select p.id, p.email, p.external_id, p.is_active, w.individual_ggr, w.last_purchase_at
        from players p join wallets w on w.tenant_id = ${tenant} and w.player_id = p.id and w.closed_at is null
        where p.tenant_id = ${tenant} and p.deleted_at is null and p.id > ${after} and ${inSegment(sql, tenant, segment)})
      select * from hits order by id limit ${limit + 1}`;
    const players = rows.slice(0, limit);
    return { players, next: rows.length > limit ? (players.at(-1)?.id ?? null) : null };
  },

  /** Also for an inactive player, because the money has arrived or will; for one on a break only if it has. */
  async pushTopUp(ctx) {
    const { sql, body } = ctx,
      { payment_method, net_amount, has_arrived } = body;
    const disguise = findDisguise(payment_method);
    if (disguise) throw new Problem(422, `body.payment_method: ${disguise}`);
    const net = net_amount === undefined ? null : String(net_amount),
      terms = { payment_method, net_amount: net === null ? null : Number(net) };
    return makeOnce(ctx, 'TOP_UP', normalizeMethod(payment_method), terms, (common) =>
      createTopUp(sql, { ...common, payment_method, net_amount: net, has_arrived }),
    );
  },

  async pushDeposit(ctx) {
    const { sql, body } = ctx,
      { platform, balance = 'credit' } = body;
    await requirePlatformName(sql, platform);
    return makeOnce(ctx, 'DEPOSIT', platform, { platform, balance }, (common, player) => {
      requireActive(player);
      return createDeposit(sql, { ...common, kind: balance, platform });
    });
  },

  /** Also for an inactive player, because the money has left the game. */
  async pushReturn(ctx) {
    const { sql, body } = ctx,
      { platform } = body;
    await requirePlatformName(sql, platform);
    return makeOnce(ctx, 'RETURN', platform, { platform }, (common) => createReturn(sql, { ...common, platform }));
  },

  /** Follows the rules of a player's own redeem: the limits per redeem and per day (docs/product.md, "Redeems"). */
  async pushRedeem(ctx) {
    const { sql, body, services } = ctx,
      { platform, payout_method = null, payout_address = null } = body;
    if (!isRedeemAmount(Number(body.amount)))
      throw new Problem(422, `body.amount: Min ${REDEEM_MIN}, Max ${REDEEM_MAX} per day`);
    await requirePlatformName(sql, platform);
    const { secrets } = services,
      asked = { platform, payout_method, payout_address, is_manual: false, admin_id: null, day_limit: REDEEM_MAX };
    return makeOnce(ctx, 'REDEEM', platform, { platform }, async (common, player) => {
      requireActive(player);
      return (await createRedeem(sql, { ...common, ...asked, secrets })).id;
    });
  },

  async pushStatus({ sql, caller, params, body, services: { secrets }, audit }) {
    const tenant_id = getTenantId(caller),
      { type, user_id } = await findMoney(sql, tenant_id, params.id);
    requireWork(caller, type);
    const { status } = await (type === 'REDEEM' ? settleRedeem : settlePurchase)(sql, {
      id: params.id,
      tenant: tenant_id,
      status: body.status,
      admin_id: null,
      by: { admin_id: caller.key?.admin_id ?? 0, isKey: true, key: caller.key },
      secrets,
    });
    await noteDecision(sql, audit, moneyKinds[type], { id: params.id, tenant_id, player_id: user_id, status }, body);
    return findMoney(sql, tenant_id, params.id);
  },

  async readTransaction({ sql, caller, params }) {
    const money = await findMoney(sql, getTenantId(caller), params.id);
    requireWork(caller, money.type);
    return money;
  },

  async readEvents({ sql, caller, query: { after = 0, limit = EVENTS_MAX } }) {
    const rows = await sql<(KeptEvent & { kind: EventKind })[]>`
      select id, kind, data, at from events
      where tenant_id = ${getTenantId(caller)} and id > ${after} order by id limit ${limit}`;
    const found = rows.map((event) => ({ id: event.id, ...toMessage(event, false), type: event.kind }));
    return { events: found, next: rows.at(-1)?.id ?? (after || null) };
  },

  listWork: ({ sql, caller, query: { platform, limit = EVENTS_MAX } }) => sql<DbRow<WorkItem>[]>`
    select m.id, m.transaction_type as type, m.platform, m.amount, m.player_id as user_id, p.email, p.external_id,
      lower(m.payment_metadata ->> 'type') as balance, l.platform_username as username, m.initiated_at,
      coalesce(a.email, k.name) as claimed_by, c.claimed_until
    from transactions m
      join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
      left join player_credentials l on l.tenant_id = m.tenant_id and l.player_id = m.player_id
        and l.platform_name = m.platform and l.is_active
      left join row_claims c on c.tenant_id = m.tenant_id and c.money_id = m.id and c.claimed_until > now()
      left join admins a on a.id = c.admin_id
      left join api_keys k on k.tenant_id = c.tenant_id and k.id = c.api_key_id
    where m.tenant_id = ${getTenantId(caller)} and m.status = 'pending' and m.transaction_type in ('DEPOSIT', 'RETURN')
      and m.platform is not null and ${platform === undefined ? sql`true` : sql`m.platform = ${platform}`}
    order by m.initiated_at, m.id limit ${limit}`,
} satisfies Partial<Handlers>;

/** The player with this external_id, else this e-mail, locked; 409: the e-mail belongs to another external_id. */
async function lockPushed(sql: Sql, tenantId: number, { email, external_id }: PushedPlayer): Promise<Profile | null> {
  const named = external_id === undefined ? null : await lockPlayer(sql, tenantId, { external_id });
  const found = named ?? (await lockPlayer(sql, tenantId, { email }));
  if (found?.external_id && external_id !== undefined && found.external_id !== external_id)
    throw new Problem(409, TAKEN);
  return found;
}

const saved = (sql: Sql) => sql`id, email, external_id, is_active`;
type Saved = Omit<PushedPlayerAnswer, 'is_new'>;
type Profile = Pick<Saved, 'id' | 'email' | 'external_id'>;

async function lockPlayer(sql: Sql, tenantId: number, by: { external_id: string } | { email: string }) {
  const [player] = await sql<Profile[]>`
    select id, email, external_id, first_name, last_name, phone_number, referral_id, affiliate_id, is_active
    from players
    where tenant_id = ${tenantId} and deleted_at is null
      and ${'email' in by ? sql`lower(email) = lower(${by.email})` : sql`external_id = ${by.external_id}`} for update`;
  return player ?? null;
}
