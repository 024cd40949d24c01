import { LIST_MAX } from '../../contract/constants';
import type { ApiKey } from '../../contract/entities';
import { newApiKey } from '../auth/apiKeys';
import type { Handlers } from '../context';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { notFound, Problem } from '../problem';
import { inTenant, requireTenant, tenantScope } from '../tenancy';

/** Never includes the hash. */
const columns = (sql: Sql) => sql`
  k.id, k.tenant_id, k.name, k.prefix, k.scopes, a.email as created_by, k.created_at, k.expires_at, k.revoked_at,
  k.last_used_at`;
const audited = ({ name, prefix, scopes, expires_at }: DbRow<ApiKey>) => ({ name, prefix, scopes, expires_at });

export const apiKeys = {
  /** Includes revoked keys, so that what was done with them stays traceable. */
  listApiKeys: ({ sql, caller, query }) => sql<DbRow<ApiKey>[]>`
    select ${columns(sql)} from api_keys k join admins a on a.id = k.admin_id
    where ${inTenant(sql, tenantScope(caller, query.tenant_id), 'k.tenant_id')}
    order by k.revoked_at is not null, k.id desc limit ${LIST_MAX}`,

  /** The key appears in this answer and in no other. */
  async createApiKey({ sql, caller, body, audit }) {
    const tenant = tenantScope(caller, body.tenant_id);
    if (tenant === null) throw new Problem(422, 'body.tenant_id: is required');
    await requireTenant(sql, tenant);
    const { key, prefix, key_hash } = newApiKey();
    const day = body.expires_on ?? null;
    const [made] = await sql<(DbRow<ApiKey> & { is_over: boolean })[]>`
      with k as (
        insert into api_keys (tenant_id, name, prefix, key_hash, scopes, admin_id, expires_at)
        select id, ${body.name}, ${prefix}, ${key_hash}, ${[...new Set(body.scopes)]}::text[], ${caller.admin_id},
          (${day}::date + 1)::timestamp at time zone time_zone
        from tenants where id = ${tenant}
        returning *
      )
      select ${columns(sql)}, coalesce(k.expires_at <= now(), false) as is_over
      from k join admins a on a.id = k.admin_id`;
    if (!made || made.is_over) throw new Problem(422, 'body.expires_on: must not be in the past');
    audit.about({ kind: 'api key', id: made.id, tenant_id: tenant, after: audited(made) });
    return { ...made, key };
  },

  /** Takes effect with the next call; may be repeated. */
  async revokeApiKey({ sql, caller, params, audit }) {
    const [key] = await sql<{ id: number; tenant_id: number; is_revoked: boolean }[]>`
      select id, tenant_id, revoked_at is not null as is_revoked from api_keys
      where id = ${params.id} and ${inTenant(sql, tenantScope(caller))} for update`;
    if (!key) throw notFound('API key');
    if (!key.is_revoked)
      await sql`update api_keys set revoked_at = now() where tenant_id = ${key.tenant_id} and id = ${key.id}`;
    audit.about({
      kind: 'api key',
      id: key.id,
      tenant_id: key.tenant_id,
      before: { revoked: key.is_revoked },
      after: { revoked: true },
    });
    return { ok: true as const };
  },
} satisfies Partial<Handlers>;
