import type { Fragment, Sql } from '../db/open';

/** Which tenants (id) have minutes of their own for which list: (list, late, overdue). */
export const ownMinutes = (sql: Sql): Fragment => sql`(
  select t.id, o.list, o.late, o.overdue
  from tenants t, json_to_recordset(t.late_minutes) as o (list text, late int, overdue int))`;
