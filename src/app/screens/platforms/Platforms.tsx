import { useState } from 'react';
import type { Assignment } from '../../../contract/entities';
import { isNo, orDash } from '../../api/parse';
import { useCall } from '../../hooks/useCall';
import type { Saving } from '../../hooks/useForm';
import { NARROW, useMediaQuery } from '../../hooks/useMediaQuery';
import { usePreference } from '../../hooks/usePreference';
import { useQueryParams } from '../../hooks/useQueryParams';
import { CredentialsDialog } from '../../parts/CredentialsDialog';
import { useTenants } from '../../parts/useTenants';
import { useApi, useUser } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { Field } from '../../ui/Field';
import { Select } from '../../ui/Select';
import { AssignmentMatrix } from './AssignmentMatrix';
import { useAssignments } from './useAssignments';
import { type Editing, getName, type Shown, useUnassign } from './useUnassign';

const MANY_TENANTS = 12;

const isAssigned = (assignment: Assignment | null | undefined) => !!assignment && !isNo(assignment.is_active);

/** The game platforms, and which tenants have them with what credentials (docs/product.md, "Platforms"). */
export function Platforms() {
  const api = useApi();
  const { value, choose } = usePreference('platforms as');
  const isNarrow = useMediaQuery(NARROW);
  const usual = value === 'list' || (value !== 'matrix' && !isNarrow) ? 'list' : 'matrix';
  const [{ tenant: filter, show }, setAddress] = useQueryParams({ tenant: '', show: usual });
  const hasMatrix = useUser().features !== undefined;
  const [editing, setEditing] = useState<Editing | null>(null);

  const platforms = useCall(api.listPlatforms, {}, 'Failed to fetch platforms');
  const tenants = useTenants('Failed to fetch tenants');
  const assignments = useAssignments(tenants.data);

  const words = filter.trim().toLowerCase();
  const shown = tenants.data?.filter((tenant) => orDash(tenant.name).toLowerCase().includes(words)) ?? [];
  const isMissing = tenants.failed || assignments.failed;

  return (
    <>
      <div className="bar">
        <h2>Platforms</h2>
        {hasMatrix && (
          <Select
            label="Show as"
            options={[
              { value: 'list', label: 'List' },
              { value: 'matrix', label: 'Matrix' },
            ]}
            value={show}
            onChange={({ target }) => {
              choose(target.value);
              setAddress({ show: target.value }, { replace: true });
            }}
          />
        )}
        {((tenants.data?.length ?? 0) > MANY_TENANTS || filter) && (
          <Field
            label="Filter tenants"
            type="search"
            value={filter}
            onChange={(event) => setAddress({ tenant: event.target.value }, { replace: true })}
          />
        )}
        <p role="status">{(tenants.slow || assignments.slow) && STILL_WAITING}</p>
        {isMissing && (
          <p role="alert">
            Some assignments could not be loaded.{' '}
            <Button onClick={() => void (tenants.failed ? tenants.reload() : assignments.reload())}>
              Retry assignments
            </Button>
          </p>
        )}
      </div>

      {hasMatrix && show === 'matrix' ? (
        <AssignmentMatrix platforms={platforms} tenants={shown} assignments={assignments} onEdit={setEditing} />
      ) : (
        <DataTable
          label="Platforms"
          heads={[['ID', 'number'], 'Name', 'Description', 'Active', 'Assignments']}
          of={platforms}
          empty="No platforms yet."
        >
          {(platform) => (
            <tr key={platform.id}>
              <td className="number" data-label="ID">
                {platform.id}
              </td>
              <td className="head">{getName(platform)}</td>
              <td className={platform.description ? '' : 'none'}>{orDash(platform.description)}</td>
              <td data-label="Active">{platform.is_active ? 'Yes' : 'No'}</td>
              <td aria-busy={assignments.busy}>
                <ul className="chips">
                  {shown.map((tenant) => (
                    <Chip key={tenant.id} {...{ platform, tenant, assignments }} onEdit={setEditing} />
                  ))}
                </ul>
                {tenants.data && !shown.length && (words ? 'No tenant matches.' : 'No tenants yet.')}
              </td>
            </tr>
          )}
        </DataTable>
      )}

      {editing && (
        <EditAssignment
          {...editing}
          onClose={() => setEditing(null)}
          onSaved={() => assignments.reload(editing.tenant.id)}
        />
      )}
    </>
  );
}

function Chip({ platform, tenant, assignments, onEdit }: Shown) {
  const unassign = useUnassign({ platform, tenant, assignments });
  const assignment = assignments.get(tenant.id, platform.id);
  const name = orDash(tenant.name);

  if (assignment === undefined)
    return (
      <li className="chip" aria-busy={assignments.busy}>
        {name}
      </li>
    );
  const edit = () => onEdit({ platform, tenant, assignment });
  if (!isAssigned(assignment)) {
    return (
      <li>
        <button type="button" className="chip" onClick={edit}>
          Assign to {name}
        </button>
      </li>
    );
  }
  return (
    <li className="chip success">
      <b>✓ {name}</b>
      <button type="button" aria-label={`Edit credentials for ${name}`} onClick={edit}>
        Edit
      </button>
      <button
        type="button"
        aria-label={`Unassign ${name}`}
        disabled={unassign.busy}
        onClick={() => void unassign.askAndUnassign()}
      >
        Unassign
      </button>
      {unassign.dialog}
    </li>
  );
}

/** Saves the credentials, which also assigns the platform: one call does both. */
function EditAssignment({ platform, tenant, assignment, onClose, onSaved }: Editing & Saving) {
  const api = useApi();
  return (
    <CredentialsDialog
      title="Platform Credentials"
      about={`${orDash(tenant.name)} on ${getName(platform)}`}
      initial={assignment?.credentials}
      onClose={onClose}
      send={(body, options) => api.saveAssignment({ tenant_id: tenant.id, platform_id: platform.id, body }, options)}
      done="Credentials updated"
      failed="Failed to update credentials"
      reload={onSaved}
    />
  );
}
