import { useZone, zoneName } from './zones';

/** The zone in which days begin, in short and in a sentence, of one tenant; empty if the server does not say. */
export function useZoneNote(tenantId?: number): { note?: string; title?: string } {
  const { zone, isMixed } = useZone(tenantId);
  if (!zone) return {};
  if (isMixed && !tenantId)
    return { note: 'tenant’s zone', title: 'Days begin at midnight in the time zone of each tenant' };
  return { note: zoneName(zone), title: `Days begin at midnight, ${zone}` };
}

/** The same as text beside a figure or a field. */
export function ZoneNote({ tenantId }: { tenantId?: number | undefined }) {
  const { note, title } = useZoneNote(tenantId);
  return (
    note && (
      <small className="zone" title={title}>
        ({note})
      </small>
    )
  );
}
