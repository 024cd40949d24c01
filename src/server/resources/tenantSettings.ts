/** What a tenant chooses for itself: late rows, links, how it pays winnings, who may play. */
import type { EligibilityRules, LinkTemplate, QueueSettings, ReturnSettings } from '../../contract/entities';
import { LINKS_PER_KIND, linkKinds } from '../../contract/links';
import type { Audit } from '../audit/auditLog';
import type { Handlers } from '../core/context';
import { Problem } from '../core/problem';
import { nameTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { onlyRow } from '../db/row';
import { lockReturnSettings } from '../ledger/create';

type Read<T> = (sql: Sql, tenant: number) => Promise<T>;

const readQueue: Read<QueueSettings> = (sql, tenant) =>
  onlyRow(sql<QueueSettings[]>`
    select coalesce(late_minutes, '[]') as late_minutes, coalesce(key_takes, false) as key_takes
    from tenants where id = ${tenant}`);

const readRules: Read<EligibilityRules> = (sql, tenant) =>
  onlyRow(sql<EligibilityRules[]>`
    select minimum_age, coalesce(refused_regions, '{}') as refused_regions, kyc_from,
      coalesce(kyc_first, false) as kyc_first, report_from
    from tenants where id = ${tenant}`);

const readReturns: Read<ReturnSettings> = (sql, tenant) =>
  onlyRow(sql<ReturnSettings[]>`select redeems_from_game from tenants where id = ${tenant}`);

const readTemplates: Read<LinkTemplate[]> = async (sql, tenant) => {
  const [row] = await sql<{ link_templates: LinkTemplate[] | null }[]>`
    select link_templates from tenants where id = ${tenant}`;
  return (row?.link_templates ?? []).slice(0, linkKinds.length * LINKS_PER_KIND);
};
/** For the audit log: each in a line. */
const toText = (all: readonly LinkTemplate[]) => ({
  links: all.map(({ kind, label, url }) => `${kind}: ${label}, ${url}`),
});

/**
 * Makes a change, one after another, with its audit entry, which has what is `shown`. Returns what counts now. Money
 * that is being settled refers to the tenant's row, so it is locked no stronger.
 */
async function change<T extends object>(
  { sql, audit }: { sql: Sql; audit: Audit },
  tenant: number,
  read: Read<T>,
  write: (before: T) => PromiseLike<unknown>,
  shown: (settings: T) => object = (settings) => settings,
): Promise<T> {
  await sql`select 1 from tenants where id = ${tenant} for no key update`;
  const before = await read(sql, tenant);
  await write(before);
  const after = await read(sql, tenant);
  audit.about({ kind: 'tenant', id: tenant, tenant_id: tenant, before: shown(before), after: shown(after) });
  return after;
}

export const tenantSettings = {
  async getQueueSettings({ sql, caller, query }) {
    return readQueue(sql, await nameTenant(sql, caller, 'query', query.tenant_id));
  },

  async changeQueueSettings(ctx) {
    const { sql, caller, body } = ctx,
      tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
    return change(
      ctx,
      tenant,
      readQueue,
      () => sql`
        update tenants set late_minutes = ${JSON.stringify(body.late_minutes)}::text::json,
          key_takes = ${body.key_takes}
        where id = ${tenant}`,
    );
  },

  async getEligibilityRules({ sql, caller, query }) {
    return readRules(sql, await nameTenant(sql, caller, 'query', query.tenant_id));
  },

  async changeEligibilityRules(ctx) {
    const { sql, caller, body } = ctx,
      tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
    return change(
      ctx,
      tenant,
      readRules,
      () => sql`
        update tenants set minimum_age = ${body.minimum_age}, refused_regions = ${body.refused_regions},
          kyc_from = ${body.kyc_from}::numeric, kyc_first = ${body.kyc_first},
          report_from = ${body.report_from}::numeric
        where id = ${tenant}`,
    );
  },

  async getReturnSettings({ sql, caller, query }) {
    return readReturns(sql, await nameTenant(sql, caller, 'query', query.tenant_id));
  },

  /** What waits was made by the old way and would be settled by it, so nothing may wait. */
  async changeReturnSettings(ctx) {
    const { sql, caller, body } = ctx,
      tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
    await lockReturnSettings(sql, tenant, { isAlone: true }); // waits for redeems that are being created
    return change(ctx, tenant, readReturns, async (before) => {
      if (before.redeems_from_game === body.redeems_from_game) return;
      const { waiting } = await onlyRow(sql<{ waiting: number }[]>`
        select count(*) as waiting from redeems where tenant_id = ${tenant} and status = 'pending'`);
      if (waiting)
        throw new Problem(409, `${waiting} ${waiting === 1 ? 'redeem waits' : 'redeems wait'}. Settle them first`);
      await sql`update tenants set redeems_from_game = ${body.redeems_from_game} where id = ${tenant}`;
    });
  },

  /** Links that a tenant adds to players, payments and platforms (docs/extras/players.md, "Links"). */
  async listLinkTemplates({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    if (tenant === null) throw new Problem(422, 'query.tenant_id: is required');
    return readTemplates(sql, tenant);
  },

  async saveLinkTemplates(ctx) {
    const { sql, caller, body } = ctx,
      tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
    const templates = sql.json(body.templates);
    const write = () => sql`update tenants set link_templates = ${templates} where id = ${tenant}`;
    return change(ctx, tenant, readTemplates, write, toText);
  },
} satisfies Partial<Handlers>;
