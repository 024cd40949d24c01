import { useState } from 'react';
import type { Platform, Tenant } from '../../../contract/entities';
import { tenantAddress } from '../../../contract/routes';
import { isNo, orDash } from '../../api/parse';
import type { Resource } from '../../hooks/useResource';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { Menu } from '../../ui/Menu';
import { RowLink } from '../../ui/RowLink';
import { getName, type Shown, useUnassign } from './useUnassign';

type Props = Pick<Shown, 'assignments' | 'onEdit'> & { platforms: Resource<Platform[]>; tenants: readonly Tenant[] };
/** Which tenant has which platform, at one look: a platform in each row, a tenant in each column. */
export function AssignmentMatrix({ platforms, tenants, assignments, onEdit }: Props) {
  return (
    <DataTable
      label="Assignments"
      className="matrix"
      heads={[
        'Platform',
        ...tenants.map(({ id, name }) => (
          <th key={id}>
            <RowLink to={tenantAddress(id, 'platforms')}>{orDash(name)}</RowLink>
          </th>
        )),
      ]}
      of={platforms}
      empty="No platforms yet."
    >
      {(platform) => (
        <tr key={platform.id} aria-busy={assignments.busy}>
          <th scope="row">
            {getName(platform)}
            {!platform.is_active && <small> inactive</small>}
          </th>
          {tenants.map((tenant) => (
            <MatrixCell key={tenant.id} {...{ platform, tenant, assignments, onEdit }} />
          ))}
        </tr>
      )}
    </DataTable>
  );
}

function MatrixCell({ platform, tenant, assignments, onEdit }: Shown) {
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const unassign = useUnassign({ platform, tenant, assignments });
  const assignment = assignments.get(tenant.id, platform.id);
  const [what, whose] = [getName(platform), orDash(tenant.name)];
  if (assignment === undefined) return <td>…</td>;
  const edit = () => onEdit({ platform, tenant, assignment });
  if (!assignment || isNo(assignment.is_active))
    return (
      <td>
        <Button aria-label={`Assign ${what} to ${whose}`} onClick={edit}>
          +
        </Button>
      </td>
    );
  return (
    <td className="success">
      <button
        type="button"
        aria-label={`${what} is assigned to ${whose}`}
        aria-haspopup="menu"
        disabled={unassign.busy}
        onClick={({ currentTarget }) => setOpener(opener ? null : currentTarget)}
      >
        ✓
      </button>
      {opener && (
        <Menu
          label={`${what}, ${whose}`}
          opener={opener}
          items={[
            { label: 'Edit credentials', onSelect: edit },
            { label: 'Unassign', onSelect: () => void unassign.askAndUnassign() },
          ]}
          onClose={() => setOpener(null)}
        />
      )}
      {unassign.dialog}
    </td>
  );
}
