/** Writes the purchases, deposits and redeems of a file that have nothing wrong. */
import { balanceKinds } from '../../contract/constants';
import type { TransactionSql } from '../db/open';
import { createDeposit, createRedeem, createReturn, createTopUp } from '../ledger/create';
import { addHistory, assignMoneyIds } from '../ledger/opening';
import { asRecords, dryRun, type ImportContext, type Outcome, writeRows } from './batch';
import type { MoneyCells, OwnedRow } from './moneyCells';

type Made = MoneyCells & { id: number };

/** Writes the rows, or only tries it for a check. */
export async function createMoney(context: ImportContext, rows: readonly OwnedRow[], outcome: Outcome) {
  const { sql, isCheck } = context;
  const past = rows.filter(({ cells }) => cells.status !== 'pending'),
    pending = rows.filter(({ cells }) => cells.status === 'pending');
  const made: Made[] = [];
  const createAllPending = async (inner: TransactionSql) => {
    for (const row of pending)
      await writeRows(inner, [row], outcome, async (innermost) => {
        made.push(await createPending(innermost, context, row));
      });
  };
  if (isCheck) {
    outcome.created.push(...past);
    if (pending.length) await dryRun(sql, createAllPending); // only trying shows what a balance allows
    return [];
  }
  // In the order of the ids, as everywhere: the rows lock the wallets in that of the file.
  await sql`
    select 1 from wallets
    where tenant_id = ${context.tenantId} and player_id = any(${rows.map(({ player_id }) => player_id)}::bigint[])
    order by player_id for update`;
  await createAllPending(sql);
  await writeRows(sql, past, outcome, async (inner, some) => {
    made.push(...(await createPast(inner, context, some)));
  });
  return made;
}

async function createPast(sql: TransactionSql, context: ImportContext, rows: readonly OwnedRow[]): Promise<Made[]> {
  const numbered = await assignMoneyIds(sql, rows);
  const past = numbered.flatMap(({ cells, player_id, id }) => {
    const { source_id: _, user_email: _e, user_source_id: _u, ...money } = cells;
    const { transaction_type: type, status, completed_at, ...rest } = money;
    return status === 'pending' || completed_at === undefined
      ? []
      : [{ ...rest, type, status, completed_at, player_id, id }];
  });
  await addHistory(sql, { tenant_id: context.tenantId, admin_id: context.adminId, past });
  await saveImported(sql, context, numbered);
  return numbered.map(({ cells, id }) => ({ ...cells, id }));
}

/** Uses the verbs of the calls, so a pending redeem or deposit is taken out of the balance. */
async function createPending(sql: TransactionSql, context: ImportContext, row: OwnedRow): Promise<Made> {
  const { cells, player_id } = row;
  const { amount, description, platform = '', payment_reference, deposit_type } = cells;
  const initiated_at = new Date(cells.initiated_at),
    made = { tenant_id: context.tenantId, player_id, amount, description, initiated_at };
  const kind = balanceKinds.find((known) => known.toUpperCase() === deposit_type) ?? 'credit';
  let id: number;
  if (cells.transaction_type === 'TOP_UP') {
    id = await createTopUp(sql, {
      ...made,
      has_arrived: true, // a file tells what has happened
      net_amount: cells.net_amount,
      payment_method: cells.payment_method,
      payment_reference,
      payment_metadata: deposit_type ? { type: deposit_type } : null,
    });
  } else if (cells.transaction_type === 'DEPOSIT') {
    id = await createDeposit(sql, { ...made, kind, platform, payment_reference });
  } else if (cells.transaction_type === 'RETURN') {
    id = await createReturn(sql, { ...made, platform, payment_reference });
  } else {
    const redeem = await createRedeem(sql, {
      ...made,
      platform,
      payout_method: cells.payout_method,
      payout_address: cells.payout_address,
      is_manual: true,
      admin_id: context.adminId,
      secrets: context.secrets,
    });
    id = redeem.id;
  }
  await saveImported(sql, context, [{ ...row, id }]);
  return { ...cells, id };
}

const saveImported = (
  sql: TransactionSql,
  { tenantId, batch }: ImportContext,
  rows: readonly { id: number; key: string; prints: string }[],
) => sql`
  insert into imported (tenant_id, kind, object_id, key, prints, batch)
  select ${tenantId}, 'transactions', id, key, prints, ${batch} from ${asRecords(
    sql,
    rows.map(({ id, key, prints }) => ({ id, key, prints })),
  )} as f (id bigint, key text, prints text)`;
