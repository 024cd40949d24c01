import { LIST_MAX, PLATFORM_TENANT_ID, SAVED_VIEWS_MAX } from '../../contract/constants';
import type { SavedView } from '../../contract/entities';
import { requirePermissions } from '../auth/authenticate';
import type { Caller } from '../auth/caller';
import type { Handlers } from '../core/context';
import { notFound, orConflict, Problem } from '../core/problem';
import type { Sql } from '../db/open';
import { definedFields, onlyRow } from '../db/row';

const TAKEN = 'You have a view with this name already';

/** Whose colleagues share views: those of the own tenant; super admins share theirs with one another. */
const teamOf = ({ role, tenant_id }: Caller): number => (role.is_super_admin ? PLATFORM_TENANT_ID : (tenant_id ?? 0));

const mayShare = ({ permissions }: Caller): boolean => permissions.includes('settings');

/** Everybody changes their own views; a shared one is changed by whoever has the permission `settings`. */
const columns = (sql: Sql, caller: Caller) => sql`
  s.id, s.list, s.name, s.query, s.is_shared, s.admin_id = ${caller.admin_id} as is_own, a.email as by,
  case when s.is_shared then ${mayShare(caller)}::boolean else true end as may_change`;

const viewOf = async (sql: Sql, caller: Caller, id: number): Promise<SavedView> =>
  onlyRow(
    await sql<SavedView[]>`
      select ${columns(sql, caller)} from saved_views s join admins a on a.id = s.admin_id
      where s.tenant_id = ${teamOf(caller)} and s.id = ${id}`,
  );

interface Stored {
  id: number;
  admin_id: number;
  list: string;
  name: string;
  query: string;
  is_shared: boolean;
}

/** A view of the caller's or one that is shared with them, locked; for anybody else it does not exist (404). */
async function lockView(sql: Sql, caller: Caller, id: number): Promise<Stored> {
  const [view] = await sql<Stored[]>`
    select id, admin_id, list, name, query, is_shared from saved_views
    where tenant_id = ${teamOf(caller)} and id = ${id} and (is_shared or admin_id = ${caller.admin_id})
    for update`;
  if (!view) throw notFound('View');
  return view;
}

/** Nothing of a private view is told, and of a shared one not the words searched for, which may name a player. */
function toAudited({ list, name, query, is_shared }: Omit<Stored, 'id' | 'admin_id'>): object {
  if (!is_shared) return { list, is_shared };
  const filters = new URLSearchParams(query);
  for (const typed of ['search', 'text']) filters.delete(typed);
  return { list, name, is_shared, filters: filters.toString() };
}
const toSubject = (caller: Caller, id: number) =>
  ({ kind: 'saved view', id, tenant_id: caller.role.is_super_admin ? null : caller.tenant_id }) as const;

/** Lists as people keep them under a name (docs/extras/lists.md, "Saved views"). */
export const savedViews = {
  listSavedViews: ({ sql, caller, query }) => sql<SavedView[]>`
    select ${columns(sql, caller)} from saved_views s join admins a on a.id = s.admin_id
    where s.tenant_id = ${teamOf(caller)} and s.list = ${query.list}
      and (s.is_shared or s.admin_id = ${caller.admin_id})
    order by s.admin_id <> ${caller.admin_id}, lower(s.name), s.id limit ${LIST_MAX}`,

  async createSavedView({ sql, caller, body, audit }) {
    if (body.is_shared) requirePermissions(caller, ['settings']);
    await sql`select 1 from admins where id = ${caller.admin_id} for no key update`; // counts them one at a time
    const { count } = onlyRow(
      await sql<{ count: number }[]>`
        select count(*)::int as count from saved_views
        where tenant_id = ${teamOf(caller)} and admin_id = ${caller.admin_id}`,
    );
    if (count >= SAVED_VIEWS_MAX) throw new Problem(409, `You have ${SAVED_VIEWS_MAX} views, which is the most`);
    const { list, name, query, is_shared } = body;
    const row = { tenant_id: teamOf(caller), admin_id: caller.admin_id, list, name, query, is_shared };
    const { id } = onlyRow(
      await orConflict(sql<{ id: number }[]>`insert into saved_views ${sql(row)} returning id`, TAKEN),
    );
    audit.about({ ...toSubject(caller, id), after: toAudited(row) });
    return viewOf(sql, caller, id);
  },

  async updateSavedView({ sql, caller, params, body, audit }) {
    const before = await lockView(sql, caller, params.id);
    if (before.is_shared || body.is_shared) requirePermissions(caller, ['settings']);
    const { name, query, is_shared } = body;
    const changes = { name: before.name, ...definedFields({ name, query, is_shared }) };
    await orConflict(
      sql`update saved_views set ${sql(changes)} where tenant_id = ${teamOf(caller)} and id = ${before.id}`,
      TAKEN,
    );
    const after = await viewOf(sql, caller, before.id);
    audit.about({ ...toSubject(caller, before.id), before: toAudited(before), after: toAudited(after) });
    return after;
  },

  async deleteSavedView({ sql, caller, params, audit }) {
    const before = await lockView(sql, caller, params.id);
    if (before.is_shared) requirePermissions(caller, ['settings']);
    await sql`delete from saved_views where tenant_id = ${teamOf(caller)} and id = ${before.id}`;
    audit.about({ ...toSubject(caller, before.id), before: toAudited(before) });
    return { ok: true as const };
  },
} satisfies Partial<Handlers>;
