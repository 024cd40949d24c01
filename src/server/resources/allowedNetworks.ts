import { isAllowed, isNetwork } from '../auth/allowedNetworks';
import { confirmIdentity, requireUnchanged } from '../auth/reauthentication';
import type { Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import { tenantOrPlatform } from '../core/tenancy';
import type { Sql } from '../db/open';

async function read(sql: Sql, tenantId: number, { isLocked = false } = {}): Promise<string[]> {
  const tenant = await sql<{ networks: string[] }[]>`
    select allowed_networks as networks from tenants where id = ${tenantId}
    ${isLocked ? sql`for no key update` : sql``}`.one(notFound('Tenant'));
  return tenant.networks;
}

/** From where the people of a tenant sign in and work (docs/extras/account.md). */
export const allowedNetworks = {
  getAllowedNetworks: async ({ sql, caller, query, exchange }) => ({
    networks: await read(sql, tenantOrPlatform(caller, query.tenant_id)),
    your_address: exchange.address,
  }),

  /** Nobody locks themselves out: whoever saves networks of their own tenant does so from one of them. */
  async saveAllowedNetworks(ctx) {
    const { caller, body, exchange, audit, inTransaction } = ctx;
    const tenantId = tenantOrPlatform(caller, body.tenant_id),
      networks = [...new Set(body.networks)];
    const wrong = networks.find((network) => !isNetwork(network));
    if (wrong !== undefined) throw new Problem(422, `body.networks: ${wrong} is no network such as 192.0.2.0/24`);
    if (tenantId === caller.tenant_id && !isAllowed(networks, exchange.address))
      throw new Problem(409, `Your own address, ${exchange.address}, must be in one of the networks`);
    const confirmed = await confirmIdentity(ctx, { password: body.current_password, code: body.code });
    return inTransaction(async (sql) => {
      await requireUnchanged(sql, caller, confirmed);
      const before = await read(sql, tenantId, { isLocked: true });
      await sql`update tenants set allowed_networks = ${networks}::text[] where id = ${tenantId}`;
      const change = { before: { allowed_networks: before }, after: { allowed_networks: networks } };
      audit.about({ kind: 'tenant', id: tenantId, tenant_id: tenantId, ...change });
      return { networks, your_address: exchange.address };
    });
  },
} satisfies Partial<Handlers>;
