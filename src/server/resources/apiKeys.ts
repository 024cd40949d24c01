import { LIST_MAX } from '../../contract/constants';
import type { ApiKey } from '../../contract/entities';
import { KEYS_MAX } from '../../contract/integrations';
import { permissionsOfScope } from '../../contract/permissions';
import { closeGate } from '../auth/accountGate';
import { isActiveKey, newApiKey } from '../auth/apiKeys';
import { requirePermissions } from '../auth/authenticate';
import { confirmIdentity, requireUnchanged } from '../auth/reauthentication';
import type { Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import { inTenant, nameTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { setKeepsEvents } from '../notifications/publishEvents';

/** Never includes the hash. */
const columns = (sql: Sql) => sql`
  k.id, k.tenant_id, k.name, k.prefix, k.scopes, a.email as created_by, a.is_active as created_by_active, k.created_at,
  k.expires_at, k.revoked_at, k.last_used_at`;
const audited = ({ name, prefix, scopes, expires_at }: DbRow<ApiKey>) => ({ name, prefix, scopes, expires_at });

/** When a new key ends: after its last day there, or in a year. Refuses a past day, and one key too many. */
async function checkNewKey(sql: Sql, tenantId: number, lastDay: string | undefined): Promise<Date> {
  const { expires_at, is_over, active } = await sql<{ expires_at: Date; is_over: boolean; active: number }[]>`
    select e.expires_at, e.expires_at <= now() as is_over,
      (select count(*) from api_keys k where k.tenant_id = t.id and ${isActiveKey(sql)})::int as active
    from tenants t cross join lateral (
      select (coalesce(${lastDay ?? null}::date, ((now() at time zone t.time_zone) + interval '1 year')::date) + 1)
        ::timestamp at time zone t.time_zone as expires_at) e
    where t.id = ${tenantId}`.one();
  if (is_over) throw new Problem(422, 'body.expires_on: must not be in the past');
  if (active >= KEYS_MAX)
    throw new Problem(409, `A tenant can have ${KEYS_MAX} active API keys. Revoke one that nobody needs`);
  return expires_at;
}

export const apiKeys = {
  /** Includes revoked keys, so that what was done with them stays traceable. */
  listApiKeys: ({ sql, caller, query }) => sql<DbRow<ApiKey>[]>`
    select ${columns(sql)} from api_keys k join admins a on a.id = k.admin_id
    where ${inTenant(sql, tenantScope(caller, query.tenant_id), 'k.tenant_id')}
    order by k.revoked_at is not null, k.id desc limit ${LIST_MAX}`,

  /** Needs the password, and a code with two-factor sign-in. The key appears in this answer and in no other. */
  async createApiKey(ctx) {
    const { caller, body, audit } = ctx;
    const tenant = await nameTenant(ctx.sql, caller, 'body', body.tenant_id);
    const needed = body.scopes.flatMap((scope) => permissionsOfScope[scope]);
    requirePermissions(caller, needed);
    await checkNewKey(ctx.sql, tenant, body.expires_on);
    const password_hash = await confirmIdentity(ctx, body);
    return ctx.inTransaction(async (sql) => {
      await requireUnchanged(sql, caller, password_hash); // whoever changes it revokes the person's keys
      await sql`select 1 from tenants where id = ${tenant} for no key update`; // keys of one tenant are counted in turn
      const expires_at = await checkNewKey(sql, tenant, body.expires_on);
      const { key, prefix, key_hash } = newApiKey();
      const row = {
        tenant_id: tenant,
        name: body.name,
        prefix,
        key_hash,
        scopes: [...new Set(body.scopes)],
        admin_id: caller.admin_id,
        expires_at,
      };
      const made = await sql<DbRow<ApiKey>[]>`
        with k as (insert into api_keys ${sql(row)} returning *)
        select ${columns(sql)} from k join admins a on a.id = k.admin_id`.one();
      await setKeepsEvents(sql, tenant);
      audit.about({ kind: 'api key', id: made.id, tenant_id: tenant, after: audited(made) });
      return { ...made, key };
    });
  },

  /** Takes effect with the next call; may be repeated. */
  async revokeApiKey({ sql, caller, params, audit }) {
    const [key] = await sql<{ id: number; tenant_id: number; admin_id: number }[]>`
      select id, tenant_id, admin_id from api_keys where id = ${params.id} and ${inTenant(sql, tenantScope(caller))}`;
    if (!key) throw notFound('API key');
    await closeGate(sql, key.admin_id);
    const revoked = await sql`
      update api_keys set revoked_at = now()
      where tenant_id = ${key.tenant_id} and id = ${key.id} and revoked_at is null returning id`;
    await setKeepsEvents(sql, key.tenant_id);
    const before = { revoked: revoked.length === 0 };
    audit.about({ kind: 'api key', id: key.id, tenant_id: key.tenant_id, before, after: { revoked: true } });
  },
} satisfies Partial<Handlers>;
