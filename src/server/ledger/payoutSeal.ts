/** The seal of a redeem: an HMAC of how much goes to whom and where. A redeem that was changed is not paid out. */
import type { Secrets } from '../auth/secrets';
import { TamperingFound } from '../core/problem';
import type { Owner } from '../core/tenancy';
import type { Database, Sql, TransactionSql } from '../db/open';

type Mac = Pick<Secrets, 'mac' | 'isMac'>;

/** What the seal covers. A number has at most 14 digits, so it is exact. */
export interface Payout extends Owner {
  id: number;
  amount: number | string;
  platform: string;
  payout_method: string | null;
  payout_address: string | null;
  from_game: boolean;
}
interface SealedPayout extends Payout {
  payout_seal: Buffer | null;
}

const toText = ({ tenant_id, id, player_id, amount, platform, payout_method, payout_address, ...of }: Payout) =>
  JSON.stringify([
    'payout',
    tenant_id,
    id,
    player_id,
    Number(amount).toFixed(2),
    platform,
    payout_method,
    payout_address,
    ...(of.from_game ? ['from_game'] : []), // nothing for the others: their seals were made without it
  ]);

export const computePayoutSeal = ({ mac }: Mac, payout: Payout): Buffer => mac(toText(payout));

const isIntact = ({ isMac }: Mac, row: SealedPayout): boolean =>
  row.payout_seal !== null && isMac(toText(row), row.payout_seal);

/** Refuses to pay out a redeem that is not as it was entered: 409, and the transaction must be rolled back. */
export function refuseTampered(secrets: Mac, row: SealedPayout): void {
  if (isIntact(secrets, row)) return;
  const { id, tenant_id, player_id } = row;
  throw new TamperingFound(
    'The amount or the payout address of this redeem was changed in the database after it was entered. ' +
      'It cannot be paid out; tell the operator of the server.',
    { kind: 'redeem', id, tenant_id, player_id },
  );
}

const sealedColumns = (sql: Sql) => sql`
  r.tenant_id, r.id, r.player_id, r.amount, r.platform, r.payout_method, r.payout_address, r.payout_seal, r.from_game`;

const BATCH = 1000,
  MAX_SENTENCES = 1000;

/** Seals pending redeems where none was sealed: upgrade, sample data. Expects that nobody else writes the table. */
export async function sealPendingRedeems(sql: Sql, secrets: Mac): Promise<void> {
  for (;;) {
    const rows = await sql<SealedPayout[]>`
      select ${sealedColumns(sql)} from redeems r
      where status = 'pending' and payout_seal is null limit ${BATCH}`;
    if (!rows.length) return;
    const sealed = rows.map((row) => ({ ...row, seal: computePayoutSeal(secrets, row) }));
    await saveSeals(sql, sealed);
  }
}

/** Replaces the seals that are still as they were read. */
async function saveSeals(sql: Sql, rows: readonly (SealedPayout & { seal: Buffer })[]): Promise<void> {
  await sql`
    update redeems r set payout_seal = decode(s.seal, 'hex')
    from unnest(${rows.map(({ tenant_id }) => tenant_id)}::bigint[], ${rows.map(({ id }) => id)}::bigint[],
      ${rows.map(({ seal }) => seal.toString('hex'))}::text[],
      ${rows.map(({ payout_seal }) => payout_seal?.toString('hex') ?? null)}::text[]) as s (tenant_id, id, seal, was)
    where r.tenant_id = s.tenant_id and r.id = s.id and r.payout_seal is not distinct from decode(s.was, 'hex')`;
}

/** While the key is being changed: gives each intact seal the MAC of the present key. It can be repeated. */
export async function resealRedeems(db: Database, secrets: Mac): Promise<void> {
  for (let last = { tenant_id: 0, id: 0 }, isOver = false; !isOver; ) {
    await db.tx(async (sql) => {
      const rows = await sql<SealedPayout[]>`
        select ${sealedColumns(sql)} from redeems r
        where payout_seal is not null and (tenant_id, id) > (${last.tenant_id}, ${last.id})
        order by tenant_id, id limit ${BATCH}`;
      const sealed = rows.flatMap((row) => {
        const seal = computePayoutSeal(secrets, row);
        return seal.equals(row.payout_seal ?? seal) || !isIntact(secrets, row) ? [] : [{ ...row, seal }];
      });
      await saveSeals(sql, sealed);
      last = rows.at(-1) ?? last;
      isOver = rows.length < BATCH;
    });
  }
}

/**
 * Returns a sentence for each redeem that is not as it was entered, at most 1000. Those of players who were deleted,
 * as the audit log says, have no payout address any more. Those that were settled before there were seals
 * (`lastUnsealed`), or elsewhere, never had a seal.
 */
export async function verifyPayouts(sql: TransactionSql, secrets: Mac, { lastUnsealed }: { lastUnsealed: number }) {
  const sentences: string[] = [];
  const rows = sql<SealedPayout[]>`
    select ${sealedColumns(sql)}
    from public.redeems r join public.wallets w on w.tenant_id = r.tenant_id and w.player_id = r.player_id
    where not r.is_history
      and (w.closed_at is null or (r.tenant_id, r.player_id) not in (
        select tenant_id, player_id from public.audit_log
        where call = 'deletePlayer' and tenant_id is not null and player_id is not null))
      and (r.status = 'pending' or r.payout_seal is not null or r.id > ${lastUnsealed})`.cursor(BATCH);
  for await (const some of rows)
    for (const row of some)
      if (!isIntact(secrets, row) && sentences.length < MAX_SENTENCES)
        sentences.push(
          `Redeem ${row.id} of tenant ${row.tenant_id} is not as it was entered: ` +
            'its seal does not match its amount, player, platform, payout method and payout address.',
        );
  return sentences;
}
