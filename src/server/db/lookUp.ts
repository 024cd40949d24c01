/** The rows of a table for those of a page, as a part of a statement that reads no more than the page needs. */
import type { Fragment, Sql } from './open';

interface LookUp {
  table: string;
  as: string;
  /** The CTE of the page, which has a tenant_id. */
  page: string;
  /** The column of the page that has the id; that of the table is `key`. */
  id: string;
  key?: string;
  /** Keeps the rows of the page that have none. */
  isOptional?: boolean;
}

/**
 * Joins one row of a table to each row of a page. For a plain join the planner would sometimes read the whole table. Of
 * one tenant, rows are looked up one by one. Of all tenants, those of each tenant are found by their ids: a distributed
 * database asks each of its machines once. It is written so that nothing but an index can find them.
 */
export function lookUp(
  sql: Sql,
  tenant: number | null,
  { table, as, page, id, key = 'id', isOptional = false }: LookUp,
): Fragment {
  const [rows, row, column, of] = [sql(table), sql(as), sql(key), sql(`${page}.${id}`)];
  const join = isOptional ? sql`left join` : sql`join`;
  return tenant === null
    ? sql`
      ${join} (
        select its.* from (select tenant_id, array_agg(${sql(id)}) as ids from ${sql(page)} group by tenant_id) page_ids
        join ${rows} its on its.tenant_id = any (array[page_ids.tenant_id]) and its.${column} = any (page_ids.ids)
        offset 0
      ) ${row} on ${sql(`${as}.tenant_id`)} = ${sql(`${page}.tenant_id`)} and ${sql(`${as}.${key}`)} = ${of}`
    : sql`
      ${join} lateral (select * from ${rows} where tenant_id = ${tenant} and ${column} = ${of} limit 1) ${row} on true`;
}
