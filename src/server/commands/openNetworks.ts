/** `npm run open-networks`: lets the people of a tenant, or super admins, in from everywhere again. */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import { writeAsServer } from '../audit/auditLog';
import { readKeys } from '../auth/keyFile';
import { openKeyring } from '../auth/keyring';
import { DatabaseRefused } from '../db/open';
import { withDatabase } from '../db/withDatabase';
import { type Env, readCommand, type Say, wrongUsage } from './arguments';

const USAGE = 'npm run open-networks -- [TENANT_ID] [--demo]';

/** For whoever is locked out, from the machine itself; also while the server runs. Without a tenant: super admins. */
export async function openNetworks(args: string[], env: Env, say: Say): Promise<void> {
  const { positionals, settings } = readCommand(USAGE, args, env, {});
  const [id = String(PLATFORM_TENANT_ID), ...more] = positionals;
  if (more.length || !/^\d{1,15}$/.test(id)) throw wrongUsage(USAGE);
  const before = await withDatabase(settings, { mustExist: true }, async (db) => {
    const secrets = await openKeyring(db.sql, () => readKeys(settings));
    return writeAsServer(db, secrets, 'open-networks', async (sql, audit) => {
      const [tenant] = await sql<{ id: number; name: string; allowed_networks: string[] }[]>`
        select id, name, allowed_networks from tenants where id = ${Number(id)} for no key update`;
      if (!tenant) throw new DatabaseRefused(`There is no tenant with the number ${id}.`);
      await sql`update tenants set allowed_networks = '{}' where id = ${tenant.id}`;
      const { allowed_networks } = tenant;
      const changed = { before: { allowed_networks }, after: { allowed_networks: [] } };
      audit.about({ kind: 'tenant', id: tenant.id, tenant_id: tenant.id, ...changed });
      return tenant;
    });
  });
  say(
    before.allowed_networks.length
      ? `${before.name} can be used from everywhere again; before from ${before.allowed_networks.join(', ')}.`
      : `${before.name} could be used from everywhere before.`,
  );
}
