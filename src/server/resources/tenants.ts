import type { Tenant, TenantForm } from '../../contract/entities';
import { notFound } from '../problem';
import { orConflict, type Handlers } from '../resource';

const TAKEN = 'A tenant with this name already exists';

/** What the form says; what it leaves out is not among it. */
const changesOf = ({ name, description, email }: TenantForm) => ({
  name,
  ...(description !== undefined && { description: description || null }),
  ...(email !== undefined && { email: email || null }),
});

export const tenants = {
  listTenants: ({ sql }) => sql<Tenant[]>`select id, name, description, is_active, email from tenants order by id`,

  async createTenant({ sql, body, services }) {
    const row = { ...changesOf(body), time_zone: services.businessTimeZone };
    const [tenant] = await orConflict(sql<Tenant[]>`insert into tenants ${sql(row)} returning *`, TAKEN);
    return tenant!;
  },

  async updateTenant({ sql, params, body }) {
    const [tenant] = await orConflict(sql<Tenant[]>`update tenants set ${sql(changesOf(body))} where id = ${params.id} returning *`, TAKEN);
    if (!tenant) throw notFound('Tenant');
    return tenant;
  },
} satisfies Partial<Handlers>;
