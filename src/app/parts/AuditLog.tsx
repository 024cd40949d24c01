import { auditKinds, DATE_MAX, DATE_MIN } from '../../contract/constants';
import type { AuditEntry, AuditQuery } from '../../contract/entities';
import { orDash } from '../api/parse';
import { useDebounced } from '../hooks/useDebounced';
import { useFields } from '../hooks/useFields';
import { useResource } from '../hooks/useResource';
import { useApi, useUser } from '../state/session';
import { DateTime } from '../ui/DateTime';
import { Dialog } from '../ui/Dialog';
import { Email } from '../ui/EmailLink';
import { Field } from '../ui/Field';
import { Rows } from '../ui/Rows';
import { Select } from '../ui/Select';
import { TableFrame } from '../ui/TableFrame';
import { CursorPagination, useCursors } from './CursorPagination';
import { formatReason } from './formatReason';
import { useTenantScope } from './tenantScope';

const noFilters = { person: '', kind: '', object: '', day: '', tenant: '' };
const kinds = [{ value: '', label: 'All kinds' }, ...auditKinds];

/**
 * The audit log, newest first: who did what, when, from where and why. With `player` only what concerns that player.
 */
export function AuditLog({
  player,
  onClose,
}: {
  player?: { id: number; email: string } | undefined;
  onClose: () => void;
}) {
  const api = useApi();
  const isSuper = useUser().role.is_super_admin;
  const { values, field, reset } = useFields(noFilters);
  const query = useDebounced(JSON.stringify(buildAuditQuery(values)));
  const pages = useCursors(query),
    { cursor } = pages;
  const page = useResource(
    (signal) => api.getAudit({ ...(JSON.parse(query) as AuditQuery), player_id: player?.id, cursor }, { signal }),
    [api, query, player?.id, cursor],
    'Failed to fetch the audit log',
  );
  const entries = Array.isArray(page.data?.entries) ? page.data.entries : undefined;
  const columns = ['When', 'Who', 'IP address', 'What', 'Object', ...(isSuper ? ['Tenant'] : []), 'Changes', 'Reason'];

  return (
    <Dialog title="Audit" wide onClose={onClose}>
      {player && <p>{player.email}</p>}
      <form role="search" aria-label="Audit" className="grid" onSubmit={(event) => event.preventDefault()}>
        <Field label="Person" type="search" autoComplete="off" {...field('person')} />
        <Select label="Kind" options={kinds} {...field('kind')} />
        <Field label="Object ID" autoComplete="off" {...field('object')} />
        <Field label="Day" type="date" min={DATE_MIN} max={DATE_MAX} {...field('day')} />
        {isSuper && <Field label="Tenant ID" inputMode="numeric" autoComplete="off" {...field('tenant')} />}
      </form>
      <TableFrame label="Audit">
        <table>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <Rows of={{ ...page, data: entries }} span={columns.length} empty="No entries match.">
            {(entry) => <EntryRow key={entry.id} entry={entry} withTenant={isSuper} />}
          </Rows>
        </table>
      </TableFrame>
      <footer>
        <button type="button" className="secondary" onClick={reset}>
          Clear filters
        </button>
        <CursorPagination cursors={pages} page={page} />
        <button type="button" className="secondary" onClick={onClose}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}

/** An empty field is no filter; an invalid tenant id is left out. */
function buildAuditQuery({ person, kind, object, day, tenant }: typeof noFilters): AuditQuery {
  return {
    person: person.trim() || undefined,
    kind: auditKinds.find((known) => known === kind),
    object_id: object.trim() || undefined,
    day: day || undefined,
    tenant_id: /^\s*\d{1,15}\s*$/.test(tenant) ? Number(tenant) : undefined,
  };
}

/** One entry as a table row. */
export function EntryRow({ entry, withTenant }: { entry: AuditEntry; withTenant: boolean }) {
  const { tenants } = useTenantScope();
  return (
    <tr>
      <td>
        <DateTime at={entry.at} tenantId={entry.tenant_id ?? undefined} />
      </td>
      <td>
        {entry.email ? <Email email={entry.email} /> : 'unknown account'}
        {entry.admin_id === null && <small> not signed in</small>}
      </td>
      <td>{orDash(entry.address)}</td>
      <td>{formatCallName(orDash(entry.call))}</td>
      <td>
        {orDash(entry.kind)} {entry.object_id}
      </td>
      {withTenant && <td>{tenants.get(Number(entry.tenant_id))?.name ?? orDash(entry.tenant_id)}</td>}
      <td>
        {formatChanges(entry).map(([name, words]) => (
          <div key={name}>
            {name}: {words}
          </div>
        ))}
      </td>
      <td>{formatReason(entry)}</td>
    </tr>
  );
}

/** A call's name as text: changeRedeemStatus becomes 'change redeem status'. */
const formatCallName = (call: string): string => call.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const shown = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '-'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

/** The changed fields with the old and the new value; for a record that was created or deleted, the only one. */
function formatChanges({ before, after }: AuditEntry): [name: string, words: string][] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => [
    name,
    before && after
      ? `${shown(before[name])} → ${shown(after[name])}`
      : `${shown((after ?? before)?.[name])}${after ? '' : ' (gone)'}`,
  ]);
}
