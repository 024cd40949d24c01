import { useState } from 'react';
import { ADMIN_ROLE } from '../../../contract/constants';
import type { Admin } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { useQueryParams } from '../../hooks/useQueryParams';
import { useResource } from '../../hooks/useResource';
import { AllowedNetworks } from '../../parts/AllowedNetworks';
import { CommandButton } from '../../parts/CommandButton';
import { IdentityProvider } from '../../parts/IdentityProvider';
import { describePermissions } from '../../parts/PermissionFields';
import { keyNames } from '../../parts/revokeKeys';
import { TenantPicker } from '../../parts/TenantPicker';
import { useAskedAction } from '../../parts/useAskedAction';
import { useTenants } from '../../parts/useTenants';
import { useApi, useFeature, useUser } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Email } from '../../ui/EmailLink';
import { RowLink } from '../../ui/RowLink';
import { CreateAdmin, EditAdmin } from './adminForms';

/** Staff accounts of one tenant at a time. Admins are disabled, never deleted (docs/product.md, "Admins"). */
export function Admins() {
  const api = useApi();
  const [{ tenant, add }, setAddress] = useQueryParams({ tenant: '', add: '' });
  const [isCreating, setIsCreating] = useState(add !== '');
  const tenantId = Number(tenant) || undefined;

  const roleId = useResource(
    async (signal) => {
      const role = (await api.listRoles({}, { signal })).find(({ name }) => name === ADMIN_ROLE);
      if (!role) throw new Error(`The server has no role '${ADMIN_ROLE}'`);
      return role.id;
    },
    [api],
    'Failed to fetch admin role',
  );

  const mayCreate = tenantId !== undefined && roleId.data !== undefined;
  return (
    <>
      <div className="bar">
        <h2>Admins</h2>
        <TenantPicker value={tenantId} onChange={(id) => setAddress({ tenant: String(id) })} />
        <CommandButton disabled={!mayCreate} onClick={() => setIsCreating(true)}>
          Create Admin
        </CommandButton>
        {tenantId !== undefined && <AllowedNetworks tenantId={tenantId} />}
        {tenantId !== undefined && <IdentityProvider tenantId={tenantId} />}
        <span role="status">{roleId.slow && STILL_WAITING}</span>
        {roleId.failed && <Button onClick={() => void roleId.reload()}>Retry admin role</Button>}
      </div>
      <AdminTable
        key={tenantId}
        tenantId={tenantId}
        roleId={isCreating ? roleId.data : undefined}
        onCreate={mayCreate ? () => setIsCreating(true) : null}
        onCreated={() => {
          setIsCreating(false);
          setAddress({ add: '' }, { replace: true });
        }}
      />
    </>
  );
}

/** What there is to choose, at our server in one click. */
function ChooseTenant() {
  const offersMore = useUser().features !== undefined;
  const tenants = useTenants(null, { enabled: offersMore });
  return (
    <>
      <p>Select a tenant to see its admins.</p>
      <span className="chips">
        {tenants.data?.map(({ id, name }) => (
          <RowLink key={id} className="chip" to={`/admins?tenant=${id}`}>
            {orDash(name)}
          </RowLink>
        ))}
      </span>
    </>
  );
}

/** With `roleId` the dialog for a new admin is open. */
function AdminTable({
  tenantId,
  roleId,
  onCreate,
  onCreated,
}: {
  tenantId: number | undefined;
  roleId: number | undefined;
  /** Null while no admin can be created. */
  onCreate: (() => void) | null;
  onCreated: () => void;
}) {
  const api = useApi();
  const [editing, setEditing] = useState<Admin | null>(null);
  const admins = useCall(api.listAdmins, tenantId ? { tenant_id: tenantId } : null, 'Failed to fetch admins');

  const offersMore = useUser().features !== undefined;
  const noAdmins = (
    <>
      No admins yet.{' '}
      {offersMore && onCreate && (
        <button type="button" onClick={onCreate}>
          Create the first one
        </button>
      )}
    </>
  );

  return (
    <>
      <DataTable
        label="Admins"
        heads={['Email', 'Active', 'Actions']}
        of={admins}
        empty={tenantId ? noAdmins : <ChooseTenant />}
      >
        {(admin) => <AdminRow key={admin.id} admin={admin} reload={admins.reload} onEdit={() => setEditing(admin)} />}
      </DataTable>
      {tenantId && roleId !== undefined && (
        <CreateAdmin tenantId={tenantId} roleId={roleId} onClose={onCreated} onSaved={admins.reload} />
      )}
      {editing && <EditAdmin admin={editing} onClose={() => setEditing(null)} onSaved={admins.reload} />}
    </>
  );
}

/** What somebody may do, how they sign in and when they last did, and their keys: of any server what it tells. */
function Facts({ admin }: { admin: Admin }) {
  const { is_active, permissions, has_two_factor, has_passkeys, last_sign_in_at: last, api_keys } = admin;
  const keys = keyNames(api_keys);
  const warns = is_active ? 'badge' : undefined;
  const facts = [
    useFeature('permissions') && permissions && describePermissions(permissions),
    has_two_factor ? 'Two-factor on' : has_two_factor === false && <span className={warns}>Two-factor off</span>,
    has_passkeys && 'Passkey',
    keys.length > 0 && `API keys: ${keys.join(', ')}`,
    last !== undefined && (last ? 'Last sign-in' : 'No sign-in in 90 days'),
  ];
  return (
    <small>
      {facts.filter(Boolean).flatMap((fact, n) => (n ? [' · ', fact] : [fact]))} {last && <DateTime at={last} />}
    </small>
  );
}

function AdminRow({ admin, reload, onEdit }: { admin: Admin; reload: () => Promise<unknown>; onEdit: () => void }) {
  const api = useApi();
  const mayEnable = useFeature('enable_admin');
  const keys = keyNames(admin.api_keys);
  const disable = useAskedAction(api.disableAdmin, {
    done: 'Admin disabled',
    failed: 'Failed to disable admin',
    onDone: reload,
    question: 'Disable this admin?',
    about: orDash(admin.email),
    submit: 'Disable',
    isDangerous: true,
    keys,
  });
  const enable = useAction(api.updateAdmin, { done: 'Admin updated', failed: 'Failed to save admin', onDone: reload });

  const mayReset = useFeature('account');
  const passkeysToo = admin.has_passkeys ? ', and their passkeys are removed' : '';
  const reset = useAskedAction(api.resetTwoFactor, {
    done: 'Two-factor sign-in reset',
    failed: detailOr('Failed to reset two-factor sign-in'),
    onDone: reload,
    question: 'Reset two-factor sign-in for this admin?',
    about: `${orDash(admin.email)}. All their sessions will end${passkeysToo}.`,
    submit: 'Reset',
    hasNoReason: true,
  });
  return (
    <tr className={admin.is_active ? undefined : 'former'}>
      <td className="head">
        <Email email={admin.email} /> <Facts admin={admin} />
      </td>
      <td data-label="Active">{admin.is_active ? 'Yes' : 'No'}</td>
      <td className="actions">
        <button type="button" onClick={onEdit}>
          Edit
        </button>
        {!admin.is_active && mayEnable ? (
          <button
            type="button"
            disabled={enable.busy}
            onClick={() => enable.run({ id: admin.id, body: { email: admin.email, is_active: true } })}
          >
            Enable
          </button>
        ) : (
          <button
            type="button"
            className="danger"
            disabled={disable.busy || !admin.is_active}
            onClick={() => void disable.ask({ id: admin.id })}
          >
            Disable
          </button>
        )}
        {(admin.has_two_factor || admin.has_passkeys) && mayReset && (
          <button type="button" disabled={reset.busy} onClick={() => void reset.ask({ id: admin.id })}>
            Reset two-factor
          </button>
        )}
        {disable.dialog}
        {reset.dialog}
      </td>
    </tr>
  );
}
