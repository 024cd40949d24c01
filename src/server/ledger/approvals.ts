/**
 * Two people agree on a large payout, return or edit of a balance (docs/permissions.md, "Two people"). The first
 * decision is stored, the second carries it out. Whoever decides is a person: an API key stands for whoever made it,
 * and can only be first.
 */
import { ADMIN_ROLE } from '../../contract/constants';
import type { Approval, ApprovalLimits } from '../../contract/entities';
import { neededFor } from '../../contract/permissions';
import { removePasskeys } from '../auth/passkeys';
import type { Secrets } from '../auth/secrets';
import { notFound, Problem } from '../core/problem';
import type { Fragment, Sql } from '../db/open';
import {
  type NewApproval,
  refuseChangedApproval,
  type SealedApproval,
  sealedApproval,
  storeApproval,
} from './approvalSeal';
import { chooserOf, findSamePeople, type SamePerson } from './samePerson';

export interface Decider {
  admin_id: number;
  /** By an API key of this person. */
  isKey?: boolean;
  key?: { id: number } | undefined;
}

/** Whether the first person of approvals o may still do it. Expects their account f, and its role fr. */
export const mayStill = (sql: Sql) => sql`(
  f.is_active and (fr.name = 'super_admin' or (fr.name = ${ADMIN_ROLE} and
    case when o.kind = 'redeem' then ${neededFor.redeem} when o.kind = 'balances' then ${neededFor.balances}
      when o.kind = 'return' then ${neededFor.return} when o.kind = 'account' then ${neededFor.account}
      else ${neededFor.limits} end = any(f.permissions))))`;

export interface OpenApproval extends SealedApproval {
  first_email: string;
  /** Whether the first person may still do it; otherwise what they agreed to counts no more. */
  is_valid: boolean;
}

/** The columns of OpenApproval from approvals o. */
export const openApproval = (sql: Sql) => sql`
  ${sealedApproval(sql)},
  (select email from admins where id = o.first_admin_id) as first_email,
  (select ${mayStill(sql)} from admins f join roles fr on fr.id = f.role_id
    where f.id = o.first_admin_id) as is_valid`;

type First = Pick<OpenApproval, 'tenant_id' | 'first_admin_id' | 'first_email'>;
/** What follows 'ann@acme.test has approved this'. */
const onePerson: Record<NonNullable<SamePerson>, string> = {
  own: ' and has set your password. Change it under Account first',
  first: ' with a password that you have set. They must change it under Account and approve this again',
  both: ', and one colleague has set the passwords of both of you. Change yours under Account first',
  provider: ', and whoever chose the identity provider can be both of you. Somebody else must approve it',
};

/** Why somebody cannot be the second person of each of these; null if they can. */
export async function whyNotSecond(
  sql: Sql,
  firsts: readonly First[],
  { admin_id, isKey = false }: Decider,
): Promise<(string | null)[]> {
  const accounts = firsts.map((first) => ({ admin_id: first.first_admin_id, tenant_id: first.tenant_id }));
  const same = await findSamePeople(sql, accounts, admin_id);
  return firsts.map(({ first_admin_id, first_email }, n) => {
    const waits = `${first_email} has approved this`,
      how = same[n];
    if (isKey) return `${waits}. A person must approve it too`;
    if (first_admin_id === admin_id) return 'You have approved this. A second person must, too';
    return how ? `${waits}${onePerson[how]}` : null;
  });
}

export async function refuseSamePerson(sql: Sql, first: First, by: Decider): Promise<void> {
  const [why] = await whyNotSecond(sql, [first], by);
  if (why) throw new Problem(409, why);
}

export type Outcome = 'approved' | 'withdrawn' | 'refused';

/**
 * Before the first decision is stored. The lock makes whoever disables this person wait, and refuse what is stored here
 * (`refuseApprovalsBy`), or they were first. The caller is locked already, but whoever made an API key is not.
 */
async function lockFirst(sql: Sql, adminId: number, kind: Approval['kind']): Promise<void> {
  const still = await sql`
    select 1 from admins f join roles fr on fr.id = f.role_id cross join (select ${kind}::text as kind) o
    where f.id = ${adminId} and ${mayStill(sql)} for no key update of f`;
  if (!still.length) throw new Problem(409, 'Whoever made this API key may no longer do this');
}

/** Whether it was still waiting; false if somebody has ended it since it was read. */
export async function endApproval(
  sql: Sql,
  { tenant_id, id }: Pick<OpenApproval, 'tenant_id' | 'id'>,
  outcome: Outcome,
  by: number | null,
): Promise<boolean> {
  const { count } = await sql`
    update approvals set outcome = ${outcome}, ended_at = now(), ended_by = ${by}, seal = null
    where tenant_id = ${tenant_id} and id = ${id} and ended_at is null`;
  return count > 0;
}

/** After an account lost rights, in the same transaction: what it approved and may not any more is refused for good. */
export const refuseApprovalsBy = (sql: Sql, adminId: number, by: number): Promise<void> =>
  refuseAll(sql, adminId, by, sql`not ${mayStill(sql)}`);

/** Before a password is replaced that another person set and knew: who approved with it is not certain. */
export const refuseApprovalsWithSetPassword = (sql: Sql, adminId: number, by: number | null): Promise<void> =>
  refuseAll(sql, adminId, by, sql`f.sign_in_set_by is not null`);

/**
 * The same before these accounts `a` are no longer those whom somebody else can be by the identity provider. API keys
 * stay that were made so, so it counts like a password that was set, until the owner sets another.
 */
export async function refuseApprovalsByProvider(sql: Sql, which: Fragment, by: number | null): Promise<void> {
  const named = await sql<{ id: number; chooser: number }[]>`
    select a.id, ${chooserOf(sql)} as chooser from admins a
    where ${which} and ${chooserOf(sql)} is not null order by a.id`;
  for (const { id, chooser } of named) {
    await refuseAll(sql, id, by, sql`true`);
    await sql`
      update admins set sign_in_set_by = coalesce(sign_in_set_by, ${chooser}), updated_at = now() where id = ${id}`;
  }
}

/** An account goes to somebody else: no passkey or identity is theirs. Returns what the audit log says. */
export async function handOver(sql: Sql, adminId: number, by: number | null) {
  await refuseApprovalsByProvider(sql, sql`a.id = ${adminId}`, by);
  const removed = await removePasskeys(sql, adminId),
    gone = await sql<{ issuer: string }[]>`delete from identities where admin_id = ${adminId} returning issuer`;
  return { ...removed, ...(gone.length && { removed_identities: gone.map(({ issuer }) => issuer) }) };
}

/** `which`: those of approvals o, account f and role fr of the person who was first. */
async function refuseAll(sql: Sql, adminId: number, by: number | null, which: Fragment): Promise<void> {
  const lost = await sql<Pick<OpenApproval, 'tenant_id' | 'id'>[]>`
    select o.tenant_id, o.id
    from approvals o join admins f on f.id = o.first_admin_id join roles fr on fr.id = f.role_id
    where o.first_admin_id = ${adminId} and o.ended_at is null and ${which}
    order by o.tenant_id, o.id`;
  for (const approval of lost) await endApproval(sql, approval, 'refused', by);
}

/** What one person settles below a limit of the tenant: its table, its limit, and its column in approvals. */
const decided = {
  redeem: { table: 'redeems', limit: 'payout_approval_from', column: 'redeem_id' },
  return: { table: 'transactions', limit: 'edit_approval_from', column: 'return_id' },
} as const;
export type DecidedKind = keyof typeof decided;

interface Deciding {
  id: number;
  tenant: number;
  by: Decider;
  secrets: Pick<Secrets, 'mac' | 'isMac'>;
  /** The account of the tenant that a first of two names. */
  account_id?: number | undefined;
}
export interface Decided {
  isFirst: boolean;
  /** Of a second one: who was first, and the account that they named. */
  first?: number;
  account_id?: number | undefined;
}

/**
 * Whether it is the first of two decisions, which is stored instead. Locks the row: of two at once one is first. A
 * begun approval stays valid, whatever the limit is by now.
 */
export async function decideAsOneOfTwo(
  sql: Sql,
  kind: DecidedKind,
  { id, tenant, by, secrets, account_id }: Deciding,
): Promise<Decided> {
  const { table, limit, column } = decided[kind];
  // A statement of its own: one that waits for a lock reads other tables as they were before.
  await sql`select 1 from ${sql(table)} where tenant_id = ${tenant} and id = ${id} and status = 'pending' for update`;
  const [payout] = await sql<(Partial<OpenApproval> & { of: number; of_player: number; is_large: boolean })[]>`
    select r.tenant_id as of, r.player_id as of_player, coalesce(r.amount >= ${sql(`t.${limit}`)}, false) as is_large,
      ${openApproval(sql)}
    from ${sql(table)} r join tenants t on t.id = r.tenant_id
      left join approvals o on o.tenant_id = r.tenant_id and ${sql(`o.${column}`)} = r.id and o.ended_at is null
    where r.tenant_id = ${tenant} and r.id = ${id} and r.status = 'pending'`;
  if (!payout) return { isFirst: false };
  const approval = isApproval(payout) ? payout : null;
  if (approval?.is_valid) {
    await refuseSamePerson(sql, approval, by);
    refuseChangedApproval(secrets, approval);
    if (await endApproval(sql, approval, 'approved', by.admin_id))
      return { isFirst: false, first: approval.first_admin_id, account_id: toNamedAccount(approval) };
    // The first was withdrawn at the same moment, and nobody else is needed now.
    if (!payout.is_large) return { isFirst: false };
  } else if (approval) await endApproval(sql, approval, 'refused', null);
  else if (!payout.is_large) return { isFirst: false };
  await lockFirst(sql, by.admin_id, kind);
  const { of: tenant_id, of_player: player_id } = payout;
  const change = account_id === undefined ? {} : { change: { account_id } };
  const first = { tenant_id, kind, [column]: id, player_id, first_admin_id: by.admin_id, ...change };
  await storeApproval(sql, secrets, first);
  return { isFirst: true };
}

/** From the text that the seal is of. */
const toNamedAccount = ({ change_text }: OpenApproval): number | undefined =>
  change_text === null ? undefined : JSON.parse(change_text).account_id;

const isApproval = (row: Partial<OpenApproval>): row is OpenApproval => typeof row.id === 'number';

/** Both limits of a tenant, as they are now. */
export async function findLimits(sql: Sql, tenantId: number): Promise<ApprovalLimits> {
  return sql<ApprovalLimits[]>`
    select payout_approval_from as payouts_from, edit_approval_from as edits_from
    from tenants where id = ${tenantId}`.one(notFound('Tenant'));
}

interface OfTwo {
  admin_id: number;
  kind: 'balances' | 'limits' | 'account';
  change: object;
}
/** Stores the first of two decisions about something that is not a row of a queue. Returns the id of the approval. */
export async function storeFirst(
  sql: Sql,
  secrets: Secrets,
  { admin_id, ...first }: Pick<NewApproval, 'tenant_id' | 'player_id'> & OfTwo,
): Promise<number> {
  await lockFirst(sql, admin_id, first.kind);
  return storeApproval(sql, secrets, { ...first, first_admin_id: admin_id });
}

/** When a redeem or a return is refused, so is what one person has approved. */
export const refuseApprovalOf = (sql: Sql, kind: DecidedKind, tenantId: number, id: number, by: number | null) => sql`
  update approvals set outcome = 'refused', ended_at = now(), ended_by = ${by}, seal = null
  where tenant_id = ${tenantId} and ${sql(decided[kind].column)} = ${id} and ended_at is null`;
