/**
 * The seal of an approval: an HMAC of what the first person agreed to, kept while it waits. One that was changed or
 * invented past the server is not carried out, and `npm run verify` finds it. Once ended it has none, so that it cannot
 * be opened again.
 */
import type { Approval } from '../../contract/entities';
import type { Secrets } from '../auth/secrets';
import { TamperingFound } from '../core/problem';
import type { Database, Sql } from '../db/open';

type Mac = Pick<Secrets, 'mac' | 'isMac'>;

export interface SealedApproval {
  tenant_id: number;
  id: number;
  kind: Approval['kind'];
  redeem_id: number | null;
  return_id: number | null;
  player_id: number | null;
  /** How much, whose and from where: a redeem has a seal of its own, a return has none. */
  returned: string | null;
  /** As it stands in the table. */
  change_text: string | null;
  first_admin_id: number;
  seal: Buffer | null;
}

/** The columns of SealedApproval from approvals o. */
export const sealedApproval = (sql: Sql) => sql`
  o.tenant_id, o.id, o.kind, o.redeem_id, o.return_id, o.player_id, o.change::text as change_text, o.first_admin_id,
  o.seal,
  (select concat_ws(' ', b.amount, b.player_id, b.platform) from public.transactions b
    where b.tenant_id = o.tenant_id and b.id = o.return_id) as returned`;

const toText = (row: SealedApproval): string =>
  JSON.stringify([
    ...['approval', row.tenant_id, row.id, row.kind, row.redeem_id, row.return_id],
    ...[row.returned, row.player_id, row.change_text, row.first_admin_id],
  ]);

const isIntact = ({ isMac }: Mac, row: SealedApproval) => row.seal !== null && isMac(toText(row), row.seal);

export interface NewApproval extends Pick<SealedApproval, 'tenant_id' | 'kind' | 'player_id' | 'first_admin_id'> {
  redeem_id?: number;
  return_id?: number;
  change?: object;
}

export async function storeApproval(sql: Sql, secrets: Mac, { change, ...row }: NewApproval): Promise<number> {
  const values = { ...row, ...(change && { change: JSON.stringify(change) }) };
  const { id } = await sql<{ id: number }[]>`insert into approvals ${sql(values)} returning id`.one();
  const stored = sql<SealedApproval[]>`
    select ${sealedApproval(sql)} from approvals o where o.tenant_id = ${row.tenant_id} and o.id = ${id}`;
  await saveSeal(sql, secrets, await stored.one());
  return id;
}

const saveSeal = (sql: Sql, { mac }: Mac, row: SealedApproval) => sql`
  update approvals set seal = ${mac(toText(row))}
  where tenant_id = ${row.tenant_id} and id = ${row.id} and ended_at is null`;

/** Refuses to carry out an approval that is not as it was stored: 409, and the transaction must be rolled back. */
export function refuseChangedApproval(secrets: Mac, row: SealedApproval): void {
  if (isIntact(secrets, row)) return;
  const { kind, tenant_id, player_id } = row;
  throw new TamperingFound(
    'This approval was changed in the database after it was stored. It cannot be carried out. ' +
      'Refuse it, and tell the operator of the server.',
    kind === 'redeem' || kind === 'return'
      ? { kind, id: row.redeem_id ?? row.return_id, tenant_id, player_id }
      : { kind: player_id === null ? 'tenant' : 'player', id: player_id ?? tenant_id, tenant_id, player_id },
  );
}

const findWaiting = (sql: Sql) => sql<SealedApproval[]>`
  select ${sealedApproval(sql)} from public.approvals o where o.ended_at is null order by o.tenant_id, o.id`;

/** While the key is being changed: gives each intact seal the MAC of the present key. It can be repeated. */
export const resealApprovals = (db: Database, secrets: Mac): Promise<void> =>
  db.tx(async (sql) => {
    for (const row of await findWaiting(sql)) if (isIntact(secrets, row)) await saveSeal(sql, secrets, row);
  });

/** Returns a sentence for each approval that waits and is not as it was stored. */
export const verifyApprovals = async (sql: Sql, secrets: Mac): Promise<string[]> =>
  (await findWaiting(sql))
    .filter((row) => !isIntact(secrets, row))
    .map(
      ({ tenant_id, id, first_admin_id }) =>
        `Approval ${id} of tenant ${tenant_id} is not what admin ${first_admin_id} approved: its seal does not match.`,
    );
