import { type ReactNode, useMemo } from 'react';
import { useZone, ZonesContext } from './zones';

/** Around what belongs to one tenant, on a screen of all: its dates are in the zone of that tenant. */
export function ZoneOf({ tenantId, children }: { tenantId: number | undefined; children: ReactNode }) {
  const { zone } = useZone(tenantId);
  const zones = useMemo(() => ({ zone }), [zone]);
  return <ZonesContext value={zones}>{children}</ZonesContext>;
}
