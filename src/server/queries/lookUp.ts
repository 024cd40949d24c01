/** The rows of a table for those of a page: a part of a statement that reads no more of the table than the page needs. */
import type { Fragment, Sql } from '../db/open';

interface LookUp {
  table: string;
  /** What a row found is called. */
  as: string;
  /** The CTE of the page, which has a tenant_id. */
  page: string;
  /** The column of the page that has the id; that of the table is `key`. */
  id: string;
  key?: string;
}

/**
 * Joins one row of a table to each row of a page. For a plain join the planner would sometimes read the whole table. Of
 * one tenant, rows are looked up one by one. Of all tenants, those of each tenant are found by their ids: a distributed
 * database asks each of its machines once.
 */
export function lookUp(sql: Sql, tenant: number | null, { table, as, page, id, key = 'id' }: LookUp): Fragment {
  const [row, ids] = [sql(as), sql(`ids_of_${as}`)];
  const [its, of] = [sql(`${as}.${key}`), sql(`${page}.${id}`)];
  const itsTenant = sql(`${as}.tenant_id`);
  return tenant === null
    ? sql`
      cross join (select tenant_id, array_agg(${sql(id)}) as ids from ${sql(page)} group by tenant_id) ${ids}
      join ${sql(table)} ${row} on ${itsTenant} = ${sql(`ids_of_${as}.tenant_id`)}
        and ${its} = any (${sql(`ids_of_${as}.ids`)})
        and ${itsTenant} = ${sql(`${page}.tenant_id`)} and ${its} = ${of}`
    : sql`
      cross join lateral (
        select * from ${sql(table)} where tenant_id = ${tenant} and ${sql(key)} = ${of} limit 1) ${row}`;
}
