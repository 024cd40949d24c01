import { LIST_MAX, PLATFORM_TENANT_ID } from '../../contract/constants';
import type {
  EligibilityRules,
  LinkTemplate,
  QueueSettings,
  ReturnSettings,
  Tenant,
  TenantFigures,
  TenantForm,
  TenantQuery,
  TenantSetup,
} from '../../contract/entities';
import { LINKS_PER_KIND, linkKinds } from '../../contract/links';
import type { Audit } from '../audit/auditLog';
import type { Caller } from '../auth/caller';
import { refuseOnceClosed } from '../books/closedMonths';
import type { Handlers } from '../core/context';
import { notFound, orConflict, Problem } from '../core/problem';
import { nameTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { definedFields } from '../db/row';
import { lockReturnSettings } from '../ledger/create';
import { lockTimeZone, recountDays } from '../totals/countFacts';

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

type Read<T> = (sql: Sql, tenant: number) => Promise<T>;

const readQueue: Read<QueueSettings> = (sql, tenant) =>
  sql<QueueSettings[]>`
    select coalesce(late_minutes, '[]') as late_minutes, coalesce(key_takes, false) as key_takes
    from tenants where id = ${tenant}`.one();

const readRules: Read<EligibilityRules> = (sql, tenant) =>
  sql<EligibilityRules[]>`
    select minimum_age, coalesce(refused_regions, '{}') as refused_regions, kyc_from,
      coalesce(kyc_first, false) as kyc_first, report_from
    from tenants where id = ${tenant}`.one();

const readReturns: Read<ReturnSettings> = (sql, tenant) =>
  sql<ReturnSettings[]>`select redeems_from_game from tenants where id = ${tenant}`.one();

const readTemplates: Read<LinkTemplate[]> = async (sql, tenant) => {
  const [row] = await sql<{ link_templates: LinkTemplate[] | null }[]>`
    select link_templates from tenants where id = ${tenant}`;
  return (row?.link_templates ?? []).slice(0, linkKinds.length * LINKS_PER_KIND);
};
/** For the audit log: each in a line. */
const toText = (all: readonly LinkTemplate[]) => ({
  links: all.map(({ kind, label, url }) => `${kind}: ${label}, ${url}`),
});

/** A handler that reads the settings of the tenant that is named. */
const reading =
  <T>(read: Read<T>) =>
  async ({ sql, caller, query }: { sql: Sql; caller: Caller; query: TenantQuery }): Promise<T> =>
    read(sql, await nameTenant(sql, caller, 'query', query.tenant_id));

/** Changes a named tenant, one at a time, and audits what is `shown`. Settling refers to the row: no stronger lock. */
async function change<T extends object>(
  { sql, caller, body, audit }: { sql: Sql; caller: Caller; body: TenantQuery; audit: Audit },
  read: Read<T>,
  columns: object,
  shown: (settings: T) => object = (settings) => settings,
): Promise<T> {
  const tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
  await sql`select 1 from tenants where id = ${tenant} for no key update`;
  const before = await read(sql, tenant);
  await sql`update tenants set ${sql(columns)} where id = ${tenant}`;
  const after = await read(sql, tenant);
  audit.about({ kind: 'tenant', id: tenant, tenant_id: tenant, before: shown(before), after: shown(after) });
  return after;
}

/** Tenants, and what each chooses for itself: late rows, links, how it pays winnings, who may play. */
export const tenants = {
  /** The platform's own tenant and the newest others. */
  listTenants: ({ sql }) => sql<Tenant[]>`
    select * from (
      select * from tenants order by id = ${PLATFORM_TENANT_ID} desc, id desc limit ${LIST_MAX}
    ) newest order by id`,

  async createTenant({ sql, body, services, audit }) {
    if (body.time_zone !== undefined) await refuseUnknownZone(sql, body.time_zone);
    const row = { time_zone: services.businessTimeZone, ...toColumns(body) };
    const tenant = await orConflict(sql<Tenant[]>`insert into tenants ${sql(row)} returning *`.one(), TAKEN);
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
    return sql<TenantSetup[]>`
      select
        exists (select 1 from tenant_platforms where tenant_id = ${params.id} and is_active) as has_platforms,
        exists (select 1 from admins where tenant_id = ${params.id} and is_active) as has_admins,
        exists (select 1 from payment_methods where tenant_id = ${params.id}) as has_payment_methods,
        exists (select 1 from players where tenant_id = ${params.id} and deleted_at is null) as has_players,
        exists (select 1 from api_keys where tenant_id = ${params.id} and revoked_at is null) as has_api_keys
      from tenants t where id = ${params.id}`.one(notFound('Tenant'));
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
    const update = sql<Tenant[]>`update tenants set ${sql(toColumns(body))} where id = ${params.id} returning *`;
    const [tenant] = await orConflict(update, TAKEN);
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

  getQueueSettings: reading(readQueue),

  changeQueueSettings: (ctx) => {
    const { late_minutes, key_takes } = ctx.body;
    return change(ctx, readQueue, { late_minutes: JSON.stringify(late_minutes), key_takes });
  },

  getEligibilityRules: reading(readRules),

  changeEligibilityRules: (ctx) => {
    const { tenant_id: _, ...rules } = ctx.body;
    return change(ctx, readRules, rules);
  },

  getReturnSettings: reading(readReturns),

  /** What waits was made by the old way and would be settled by it, so nothing may wait. */
  async changeReturnSettings(ctx) {
    const { sql, caller, body } = ctx,
      tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
    await lockReturnSettings(sql, tenant, { isAlone: true }); // waits for redeems that are being created
    const isNew = (await readReturns(sql, tenant)).redeems_from_game !== body.redeems_from_game;
    const { waiting } = await sql<{ waiting: number }[]>`
      select count(*) as waiting from redeems where tenant_id = ${tenant} and status = 'pending'`.one();
    if (isNew && waiting)
      throw new Problem(409, `${waiting} ${waiting === 1 ? 'redeem waits' : 'redeems wait'}. Settle them first`);
    return change(ctx, readReturns, { redeems_from_game: body.redeems_from_game });
  },

  /** Links that a tenant adds to players, payments and platforms (docs/extras/players.md, "Links"). */
  async listLinkTemplates({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    if (tenant === null) throw new Problem(422, 'query.tenant_id: is required');
    return readTemplates(sql, tenant);
  },

  saveLinkTemplates: (ctx) => change(ctx, readTemplates, { link_templates: ctx.sql.json(ctx.body.templates) }, toText),
} satisfies Partial<Handlers>;

/** The database counts the days, and its list of time zones may be older than ours. */
async function refuseUnknownZone(sql: Sql, zone: string): Promise<void> {
  const [known] = await sql`select 1 from pg_timezone_names where name = ${zone}`;
  if (!known) throw new Problem(422, 'body.time_zone: not known to the database');
}
