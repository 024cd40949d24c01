import { LIST_MAX, PLATFORM_TENANT_ID, SAVED_VIEWS_MAX } from '../../contract/constants';
import type { SavedView } from '../../contract/entities';
import type { Caller } from '../auth/caller';
import type { Handlers } from '../core/context';
import { notFound, orConflict, Problem } from '../core/problem';
import type { Sql } from '../db/open';

const ofCaller = (sql: Sql, caller: Caller) =>
  sql`tenant_id = ${tenantOf(caller) ?? PLATFORM_TENANT_ID} and admin_id = ${caller.admin_id}`;

const tenantOf = ({ role, tenant_id }: Caller) => (role.is_super_admin ? null : tenant_id);
const toSubject = (caller: Caller, id: number) => ({ kind: 'saved view', id, tenant_id: tenantOf(caller) }) as const;

/** Lists as people keep them under a name (docs/extras/lists.md, "Saved views"). The audit log has the list alone. */
export const savedViews = {
  listSavedViews: ({ sql, caller, query }) => sql<SavedView[]>`
    select id, list, name, query from saved_views where ${ofCaller(sql, caller)} and list = ${query.list}
    order by lower(name), id limit ${LIST_MAX}`,

  async createSavedView({ sql, caller, body, audit }) {
    await sql`select 1 from admins where id = ${caller.admin_id} for no key update`; // counts them one at a time
    const { count } = await sql<{ count: number }[]>`
      select count(*)::int as count from saved_views where ${ofCaller(sql, caller)}`.one();
    if (count >= SAVED_VIEWS_MAX) throw new Problem(409, `You have ${SAVED_VIEWS_MAX} views, which is the most`);
    const { list, name, query } = body;
    const row = { tenant_id: tenantOf(caller) ?? PLATFORM_TENANT_ID, admin_id: caller.admin_id, list, name, query };
    const insert = sql<SavedView[]>`insert into saved_views ${sql(row)} returning id, list, name, query`;
    const made = await orConflict(insert.one(), 'You have a view with this name already');
    audit.about({ ...toSubject(caller, made.id), after: { list } });
    return made;
  },

  async deleteSavedView({ sql, caller, params, audit }) {
    const [view] = await sql<{ id: number; list: string }[]>`
      delete from saved_views where ${ofCaller(sql, caller)} and id = ${params.id} returning id, list`;
    if (!view) throw notFound('View');
    audit.about({ ...toSubject(caller, view.id), before: { list: view.list } });
  },
} satisfies Partial<Handlers>;
