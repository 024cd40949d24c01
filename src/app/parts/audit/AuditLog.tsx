import { useEffect } from 'react';
import { auditKinds, DATE_MAX, DATE_MIN, PLATFORM_TENANT_ID } from '../../../contract/constants';
import type { AuditEntry, AuditQuery } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { useCall } from '../../hooks/useCall';
import { useDebounced } from '../../hooks/useDebounced';
import { useFields } from '../../hooks/useFields';
import { useQueryParams } from '../../hooks/useQueryParams';
import { useApi, useUser } from '../../state/session';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { Email, EmailLink } from '../../ui/EmailLink';
import { Field } from '../../ui/Field';
import { Select } from '../../ui/Select';
import { CursorPagination, useCursors } from '../CursorPagination';
import { formatReason } from '../formatReason';
import { useTenantScope } from '../tenantScope';
import { describeCall, describeChanges, describeObject } from './describe';

const noFilters = { person: '', kind: '', object: '', from: '', to: '', tenant: '' };
const kinds = [
  { value: '', label: 'All kinds' },
  { value: 'change', label: 'All but sign-ins' },
  ...auditKinds.map((kind) => ({ value: kind, label: describeObject({ kind, object_id: null }) })),
];

export const auditColumns = ['When', 'Who', 'What', 'Changes'];

type AuditLogProps = {
  player?: { id: number; email: string } | undefined;
  of?: string;
  tenantId?: number | null;
  onClose: () => void;
};
/**
 * The audit log, newest first: who did what, when, from where and why. With `player` only that player's. Begins with
 * `of` or what a link names, such as 'redeem 12', else without sign-ins, which would fill the page.
 */
export function AuditLog({ player, of, tenantId, onClose }: AuditLogProps) {
  const api = useApi();
  const isSuper = useUser().role.is_super_admin;
  const [{ of: linked }, setAddress] = useQueryParams({ of: '' });
  useEffect(() => setAddress({ of: '' }, { replace: true }), [setAddress]); // once: not after a reload
  const usual = { ...noFilters, kind: player ? '' : 'change' };
  const [, kind = '', object = ''] = /^(.*?) ?(\d*)$/.exec(of ?? (linked || usual.kind)) ?? [];
  const { values, field, reset } = useFields(usual, {
    ...noFilters,
    kind,
    object,
    tenant: String((isSuper && tenantId) || ''),
  });
  const query = useDebounced(JSON.stringify(buildAuditQuery(values)));
  const pages = useCursors(query),
    { cursor } = pages;
  // The list says when it fails.
  const page = useCall(api.getAudit, { ...(JSON.parse(query) as AuditQuery), player_id: player?.id, cursor }, null);
  const { tenants, request } = useTenantScope();
  useEffect(() => void (isSuper && request()), [isSuper, request]);
  const entries = Array.isArray(page.data?.entries) ? toRows(page.data.entries) : undefined;
  const columns = [...auditColumns.slice(0, 3), ...(isSuper ? ['Tenant'] : []), ...auditColumns.slice(3)];

  return (
    <Dialog title="Audit" wide onClose={onClose}>
      {player && <p>{player.email}</p>}
      <form role="search" aria-label="Audit" className="grid" onSubmit={(event) => event.preventDefault()}>
        <Field label="Person" type="search" autoComplete="off" {...field('person')} />
        <Select label="Kind" options={kinds} {...field('kind')} />
        <Field label="Object ID" autoComplete="off" {...field('object')} />
        {isSuper && (
          <Select
            label="Tenant"
            options={[
              { value: '', label: 'All tenants' },
              ...[...tenants].map(([id, { name }]) => ({ value: String(id), label: orDash(name) })),
            ]}
            {...field('tenant')}
          />
        )}
        <Field label="From" type="date" min={DATE_MIN} max={DATE_MAX} {...field('from')} />
        <Field label="To" type="date" min={DATE_MIN} max={DATE_MAX} {...field('to')} />
      </form>
      <DataTable
        label="Audit"
        className="stack audit"
        heads={columns}
        of={{ ...page, data: entries }}
        empty={`No entries match.${values.kind === 'change' ? ' Sign-ins are left out.' : ''}`}
      >
        {(row) => <EntryRow key={row.entry.id} {...row} withTenant={isSuper} isOfOnePlayer={player !== undefined} />}
      </DataTable>
      <footer>
        <Button onClick={reset}>Clear filters</Button>
        <CursorPagination cursors={pages} page={page} />
        <Button onClick={onClose}>Close</Button>
      </footer>
    </Dialog>
  );
}

const whoAndWhen = ({ email, address, at }: AuditEntry) => [email, address, at.slice(0, 16)].join();
/** A person signs in with one call, and to the tenant with the next. */
const areOneSignIn = (later?: AuditEntry, login?: AuditEntry): boolean =>
  !!later &&
  !!login &&
  describeCall(later) === 'Signed in to tenant' &&
  describeCall(login) === 'Signed in' &&
  whoAndWhen(later) === whoAndWhen(login);

const toRows = (entries: readonly AuditEntry[]) =>
  entries
    .map((entry, n) => ({ entry, login: areOneSignIn(entry, entries[n + 1]) ? entries[n + 1] : undefined }))
    .filter((_, n) => !areOneSignIn(entries[n - 1], entries[n]));

function buildAuditQuery({ person, kind, object, from, to, tenant }: typeof noFilters): AuditQuery {
  return {
    person: person.trim() || undefined,
    kind: kind === 'change' ? kind : auditKinds.find((known) => known === kind),
    object_id: object.trim() || undefined,
    from: from || undefined,
    to: to || undefined,
    tenant_id: tenant ? Number(tenant) : undefined,
  };
}

type EntryRowProps = {
  entry: AuditEntry;
  login?: AuditEntry | undefined;
  withTenant?: boolean;
  isOfOnePlayer?: boolean;
};
/** One entry as a table row; with its tenant in a list that spans them. */
export function EntryRow({ entry, login, withTenant = false, isOfOnePlayer = false }: EntryRowProps) {
  const { tenants } = useTenantScope();
  const { tenant_id } = entry,
    reason = formatReason(entry),
    isSaid = reason !== '-',
    changes = describeChanges(login ? { ...entry, after: { ...entry.after, ...login.after } } : entry);
  const lines = changes.map((change) => change.join(': ')),
    more = lines.splice(6);
  const show = (of: string[]) => (entry.before ? of : [of.join(', ')]).map((line) => <div key={line}>{line}</div>);
  return (
    <tr>
      <td>
        <DateTime at={entry.at} tenantId={entry.tenant_id ?? undefined} />
      </td>
      <td>
        {entry.email ? <Email email={entry.email} /> : 'unknown account'}
        <small>
          {orDash(entry.address)}
          {entry.admin_id === null && ', not signed in'}
        </small>
      </td>
      <td>
        {login ? 'Signed in, and to the tenant' : describeCall(entry)}
        <small>
          {describeObject(entry)}
          {entry.player_email && !isOfOnePlayer && (
            <>
              , <EmailLink email={entry.player_email} playerId={entry.player_id} />
            </>
          )}
        </small>
      </td>
      {withTenant && (
        <td>
          {tenant_id === null
            ? 'All'
            : (tenants.get(Number(tenant_id))?.name ?? (tenant_id === PLATFORM_TENANT_ID ? 'Platform' : tenant_id))}
        </td>
      )}
      <td className={changes.length || isSaid ? '' : 'none'}>
        {show(lines)}
        {more.length > 0 && (
          <details>
            <summary>{more.length} more</summary>
            {show(more)}
          </details>
        )}
        {isSaid ? <div>Reason: {reason}</div> : !changes.length && '-'}
      </td>
    </tr>
  );
}
