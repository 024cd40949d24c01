/** Whose data is on screen: one tenant's, or that of all (docs/extras/screen.md, "Tenants on screen"). */
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Tenant } from '../../contract/entities';
import { isTimeZone } from '../../contract/timeZones';
import { useFeature, useUser } from '../state/session';
import { ZonesContext } from '../ui/zones';
import { useMetrics, useTenantDirectory } from './polled';

export type Tenants = ReadonlyMap<number, Tenant>;
interface Scope {
  tenants: Tenants;
  name: string | undefined;
  /** A super admin asked for the view of a tenant: whether there is one. */
  isKnown: boolean | 'loading';
  /** Lists are of all tenants, and the server says whose each row is. */
  isSpanning: boolean;
  request: () => void;
}
const noTenants: Tenants = new Map();
const ScopeContext = createContext<Scope>({
  tenants: noTenants,
  name: undefined,
  isKnown: true,
  isSpanning: false,
  request: () => undefined,
});

export const useTenantScope = (): Scope => useContext(ScopeContext);
/** The tenants of the list around; null in the view of one tenant, or if the server does not say whose the rows are. */
export function useSpanning(): Tenants | null {
  const { tenants, isSpanning } = useTenantScope();
  return isSpanning ? tenants : null;
}

type Props = { tenantId: number | undefined; needsTenants: boolean; children: ReactNode };
/** Around the view of one tenant, or screens of all. `needsTenants` requests all tenants: for a super admin only. */
export function TenantScope({ tenantId, needsTenants, children }: Props) {
  const user = useUser();
  const hasRows = useFeature('tenant_rows'),
    hasZones = useFeature('time_zone');
  const [isRequested, setRequested] = useState(false);
  const directory = useTenantDirectory(undefined, { isEnabled: needsTenants || isRequested });
  const { data, busy, failed } = directory;

  const scope = useMemo<Scope>(() => {
    // Number(): another server may send ids as text.
    const tenants = new Map(
      data?.flatMap((one) => (Number(one.id) === PLATFORM_TENANT_ID ? [] : [[Number(one.id), one] as const])),
    );
    const isOwn = tenantId !== undefined && !user.role.is_super_admin;
    const isThere = tenantId === PLATFORM_TENANT_ID || (tenantId !== undefined && tenants.has(tenantId));
    const isElsewhere = user.features === undefined; // another server may know more tenants than it lists
    const isKnown = tenantId === undefined || isOwn || isThere || isElsewhere || failed || (busy ? 'loading' : false);
    const name = isOwn ? user.tenant_name : tenants.get(tenantId ?? 0)?.name;
    return {
      tenants,
      name: tenantId === undefined || isOwn || !isKnown ? name : (name ?? `Tenant ${tenantId}`),
      isKnown,
      isSpanning: tenantId === undefined && hasRows,
      request: () => setRequested(true),
    };
  }, [data, busy, failed, tenantId, user, hasRows]);

  const [newest] = useMetrics(tenantId, { isEnabled: scope.isKnown === true }).data?.time_zones ?? [];
  // A super admin may have moved the tenant to another zone since the sign-in; the figures come with the newest one.
  const signedInZone = user.role.is_super_admin ? undefined : user.time_zone;
  const zones = useMemo(() => {
    const { tenants, isSpanning } = scope;
    const known = (zone: string | undefined) => (zone && isTimeZone(zone) ? zone : undefined);
    if (!isSpanning || !hasZones)
      return {
        zone: tenantId === undefined ? undefined : known(newest ?? tenants.get(tenantId)?.time_zone ?? signedInZone),
      };
    const all = new Set([...tenants.values()].map(({ time_zone }) => known(time_zone) ?? 'UTC'));
    const [first = 'UTC'] = all;
    // What belongs to no tenant is in the zone that all share, or in UTC.
    const ofTenant = (id: number | undefined) =>
      known(tenants.get(Number(id))?.time_zone) ?? (all.size === 1 ? first : 'UTC');
    return { ofTenant, isMixed: all.size !== 1 };
  }, [scope, hasZones, tenantId, newest, signedInZone]);

  return (
    <ScopeContext value={scope}>
      <ZonesContext value={zones}>{children}</ZonesContext>
    </ScopeContext>
  );
}

/** Around a list of one tenant on a screen of all: its rows need not say whose they are. */
export function OneTenant({ zone, children }: { zone: string | undefined; children: ReactNode }) {
  const scope = useTenantScope();
  const one = useMemo(() => ({ ...scope, isSpanning: false }), [scope]);
  const zones = useMemo(() => ({ zone: zone && isTimeZone(zone) ? zone : undefined }), [zone]);
  return (
    <ScopeContext value={one}>
      <ZonesContext value={zones}>{children}</ZonesContext>
    </ScopeContext>
  );
}
