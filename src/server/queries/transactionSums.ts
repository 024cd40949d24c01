import { type MoneyList, type Status, SUM_ROWS } from '../../contract/constants';
import type { ListFilter, ListSums, StatusSum } from '../../contract/entities';
import type { Sql } from '../db/open';
import { hasStatus, listSources, selectRows } from './transactionFilter';

/**
 * The number and the sum of the rows of each status that match a filter. At most `SUM_ROWS` rows are read; if there are
 * more, the figures are lower bounds.
 */
export async function sumListed(
  sql: Sql,
  list: MoneyList,
  tenant: number | null,
  filter: ListFilter,
): Promise<ListSums> {
  const source = listSources[list],
    isNet = list === 'purchases';
  const sums = await sql<(StatusSum & { status: Status })[]>`
    select status, count(*) as total, sum(amount) as amount ${isNet ? sql`, sum(net_amount) as net_amount` : sql``}
    from (
      select m.status, m.amount ${isNet ? sql`, coalesce(m.net_amount, m.amount) as net_amount` : sql``}
      ${selectRows(sql, source, tenant, filter)} and ${hasStatus(sql, filter)}
      limit ${SUM_ROWS + 1}
    ) m group by status`;
  const get = (status: Status): StatusSum => {
    const { total = 0, amount = 0, net_amount = 0 } = sums.find((one) => one.status === status) ?? {};
    return { total, amount, ...(isNet && { net_amount }) };
  };
  return {
    pending: get('pending'),
    success: get('success'),
    failed: get('failed'),
    is_complete: sums.reduce((all, { total }) => all + total, 0) <= SUM_ROWS,
  };
}
