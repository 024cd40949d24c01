import type { LinkTemplate } from '../../contract/entities';
import { LINKS_PER_KIND, linkKinds } from '../../contract/links';
import type { Handlers } from '../core/context';
import { Problem } from '../core/problem';
import { requireTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';

/** `isLocked`: until the transaction ends. Money that is being settled refers to the row, so no stronger. */
async function readTemplates(sql: Sql, tenant: number, { isLocked = false } = {}): Promise<LinkTemplate[]> {
  const [row] = await sql<{ link_templates: LinkTemplate[] | null }[]>`
    select link_templates from tenants where id = ${tenant} ${isLocked ? sql`for no key update` : sql``}`;
  return (row?.link_templates ?? []).slice(0, linkKinds.length * LINKS_PER_KIND);
}
/** For the audit log: each in a line. */
const toText = (all: readonly LinkTemplate[]) => all.map(({ kind, label, url }) => `${kind}: ${label}, ${url}`);

/** Links that a tenant adds to players, payments and platforms (docs/extras/players.md, "Links"). */
export const linkTemplates = {
  async listLinkTemplates({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    if (tenant === null) throw new Problem(422, 'query.tenant_id: is required');
    return readTemplates(sql, tenant);
  },

  async saveLinkTemplates({ sql, caller, body, audit }) {
    const tenant = tenantScope(caller, body.tenant_id);
    if (tenant === null) throw new Problem(422, 'body.tenant_id: is required');
    await requireTenant(sql, tenant);
    const before = await readTemplates(sql, tenant, { isLocked: true });
    await sql`update tenants set link_templates = ${sql.json(body.templates)} where id = ${tenant}`;
    audit.about({
      kind: 'tenant',
      id: tenant,
      tenant_id: tenant,
      before: { links: toText(before) },
      after: { links: toText(body.templates) },
    });
    return readTemplates(sql, tenant);
  },
} satisfies Partial<Handlers>;
