import { LIST_MAX, PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Tenant, TenantFigures, TenantForm, TenantSetup } from '../../contract/entities';
import { refuseOnceClosed } from '../books/closedMonths';
import type { Handlers } from '../core/context';
import { notFound, orConflict, Problem } from '../core/problem';
import type { Sql } from '../db/open';
import { definedFields, onlyRow } from '../db/row';
import { lockTimeZone, recountDays } from '../totals/recountDays';

const TAKEN = 'A tenant with this name already exists';

/** The columns that the form contains; fields that are left out are not changed. */
const toColumns = ({ name, description, email, require_two_factor, mail_links, time_zone }: TenantForm) =>
  definedFields({
    name,
    description: description === '' ? null : description,
    email: email === '' ? null : email,
    require_two_factor,
    mail_links,
    time_zone,
  } satisfies Record<keyof TenantForm, unknown>);

export const tenants = {
  /** The platform's own tenant and the newest others. */
  listTenants: ({ sql }) => sql<Tenant[]>`
    select * from (
      select * from tenants order by id = ${PLATFORM_TENANT_ID} desc, id desc limit ${LIST_MAX}
    ) newest order by id`,

  async createTenant({ sql, body, services, audit }) {
    if (body.time_zone !== undefined) await refuseUnknownZone(sql, body.time_zone);
    const row = { time_zone: services.businessTimeZone, ...toColumns(body) };
    const tenant = await onlyRow(orConflict(sql<Tenant[]>`insert into tenants ${sql(row)} returning *`, TAKEN));
    audit.about({ kind: 'tenant', id: tenant.id, tenant_id: tenant.id, after: tenant });
    return tenant;
  },

  /** Of the newest, as they are listed. */
  listTenantFigures: ({ sql }) => sql<TenantFigures[]>`
    select tenant_id, sum(players)::int as players, sum(pending)::int as pending from (
      select tenant_id, players, 0 as pending from player_counts
      union all
      select tenant_id, 0, 1 from transactions where status = 'pending'
      union all
      select tenant_id, 0, 1 from redeems where status = 'pending') one
    group by tenant_id order by tenant_id desc limit ${LIST_MAX}`,

  /** Each is one look into an index, however much a tenant has. */
  async getTenantSetup({ sql, params }) {
    const [setup] = await sql<TenantSetup[]>`
      select
        exists (select 1 from tenant_platforms where tenant_id = ${params.id} and is_active) as has_platforms,
        exists (select 1 from admins where tenant_id = ${params.id} and is_active) as has_admins,
        exists (select 1 from payment_methods where tenant_id = ${params.id}) as has_payment_methods,
        exists (select 1 from players where tenant_id = ${params.id} and deleted_at is null) as has_players,
        exists (select 1 from api_keys where tenant_id = ${params.id} and revoked_at is null) as has_api_keys
      from tenants t where id = ${params.id}`;
    if (!setup) throw notFound('Tenant');
    return setup;
  },

  /**
   * When a second factor becomes required, the sessions of accounts without one end; their next sign-in leads to
   * setting one up. When the time zone changes, all business days are counted again (docs/product.md, "Business day").
   */
  async updateTenant({ sql, params, body, services, audit }) {
    if (body.require_two_factor && params.id === PLATFORM_TENANT_ID)
      throw new Problem(400, 'For super admins use the REQUIRE_TWO_FACTOR setting');
    if (body.mail_links && params.id === PLATFORM_TENANT_ID)
      throw new Problem(400, 'A super admin gets a new password by npm run reset-password, never by email');
    if (body.time_zone !== undefined) {
      await refuseUnknownZone(sql, body.time_zone);
      await lockTimeZone(sql, params.id);
    }
    // Money that is being settled refers to the tenant, so its row must not be locked any stronger.
    const [before] = await sql<Tenant[]>`select * from tenants where id = ${params.id} for no key update`;
    const [tenant] = await orConflict(
      sql<Tenant[]>`update tenants set ${sql(toColumns(body))} where id = ${params.id} returning *`,
      TAKEN,
    );
    if (!before || !tenant) throw notFound('Tenant');
    if (tenant.time_zone !== before.time_zone) {
      await refuseOnceClosed(sql, tenant.id, 'The time zone');
      await recountDays(sql, tenant.id);
    }
    if (tenant.require_two_factor && !before.require_two_factor)
      await services.sessions.endWithoutTwoFactor(sql, tenant.id);
    audit.about({ kind: 'tenant', id: tenant.id, tenant_id: tenant.id, before, after: tenant });
    return tenant;
  },
} satisfies Partial<Handlers>;

/** The database counts the days, and its list of time zones may be older than ours. */
async function refuseUnknownZone(sql: Sql, zone: string): Promise<void> {
  const [known] = await sql`select 1 from pg_timezone_names where name = ${zone}`;
  if (!known) throw new Problem(422, 'body.time_zone: not known to the database');
}
