/** The rules that fire where it happens: a sign-in from a new place, and an export of many rows. */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { RuleKind } from '../../contract/notifications';
import type { Sql } from '../db/open';
import { type Found, record } from './record';
import { activeRules } from './rules';

const findRules = (sql: Sql, kind: RuleKind, tenantId: number | null) => sql<
  { tenant_id: number; threshold: number }[]
>`
  with ${activeRules(sql, kind)}
  select tenant_id, threshold::float8 as threshold from rule
  where tenant_id in (${tenantId ?? PLATFORM_TENANT_ID}, ${PLATFORM_TENANT_ID})`;

interface SignIn {
  admin_id: number;
  email: string;
  tenant_id: number;
  network: string;
  address: string;
  browser: string;
}

/** Call it before the network is remembered. An account's first sign-in does not count. Returns whether it is new. */
export async function notifyNewPlace(sql: Sql, { admin_id, email, tenant_id, network, address, browser }: SignIn) {
  const [known] = await sql<{ is_known: boolean; has_others: boolean }[]>`
    select bool_or(network = ${network} and seen_at > now() - interval '90 days') as is_known,
      count(*) > 0 as has_others
    from known_networks where admin_id = ${admin_id}`;
  if (!known?.has_others || known.is_known) return false;
  const rules = await findRules(sql, 'new_place', tenant_id);
  const found = rules.map(
    (rule): Found => ({
      tenant_id: rule.tenant_id,
      dedup_key: `admin ${admin_id} ${network} ${new Date().toISOString().slice(0, 10)}`,
      about_tenant_id: tenant_id,
      object_id: String(admin_id),
      title: `${email} signed in from a new place`,
      detail: [address, browser].filter(Boolean).join(' · '),
    }),
  );
  await record(sql, 'new_place', found);
  return true;
}

interface Export {
  /** Null for all tenants. */
  tenant_id: number | null;
  email: string;
  list: string;
  rows: number;
  /** Of the request, to tell one export from the next. */
  request_id: string;
}

export async function notifyLargeExport(sql: Sql, exported: Export): Promise<void> {
  const { tenant_id, email, list, rows, request_id } = exported;
  if (rows === 0) return;
  const rules = await findRules(sql, 'large_export', tenant_id);
  const found = rules
    .filter(({ threshold }) => rows > threshold)
    .map(
      (rule): Found => ({
        tenant_id: rule.tenant_id,
        dedup_key: `export ${request_id}`,
        about_tenant_id: tenant_id,
        object_id: null,
        title: `${email} exported ${rows.toLocaleString('en-US')} rows of ${list}`,
        detail: `More than ${rule.threshold.toLocaleString('en-US')} rows`,
      }),
    );
  await record(sql, 'large_export', found);
}
