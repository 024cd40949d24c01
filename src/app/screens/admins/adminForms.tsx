import type { Admin } from '../../../contract/entities';
import { usualPermissions } from '../../../contract/permissions';
import type { Saving } from '../../hooks/useForm';
import { keyNames, useRevokeKeys } from '../../parts/revokeKeys';
import { StaffForm } from '../../parts/StaffForm';
import { useApi, useFeature } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';

type CreateAdminProps = Saving & { tenantId: number; roleId: number };
export function CreateAdmin({ tenantId, roleId, onClose, onSaved }: CreateAdminProps) {
  const api = useApi(),
    { inviteTeamMember } = useDialogApi();
  const hasPermissions = useFeature('permissions');
  const mayInvite = useFeature('mail_links') && hasPermissions;
  return (
    <StaffForm
      title="Create Admin"
      staff={null}
      permissions={hasPermissions ? usualPermissions : null}
      mayInvite={mayInvite}
      draft={`new admin of ${tenantId}`}
      send={({ email, password, permissions, chosen, invites, confirmed }, options): Promise<unknown> =>
        invites
          ? inviteTeamMember({ body: { email, permissions, tenant_id: tenantId, ...confirmed } }, options)
          : api.createAdmin({ body: { email, password, tenant_id: tenantId, role_id: roleId, ...chosen } }, options)
      }
      done="Admin created"
      failed="Failed to save admin"
      reload={onSaved}
      onClose={onClose}
    />
  );
}

type EditAdminProps = Saving & { admin: Admin };
export function EditAdmin({ admin, onClose, onSaved }: EditAdminProps) {
  const api = useApi();
  const keys = keyNames(admin.api_keys);
  const revokeKeys = useRevokeKeys(keys, <>Revoke the API keys this admin made: {keys.join(', ')}</>);
  return (
    <StaffForm
      title="Edit Admin"
      staff={admin}
      permissions={useFeature('permissions') ? (admin.permissions ?? null) : null}
      {...(admin.is_self && { passwordHint: 'Change your own password under Account' })}
      draft={`admin ${admin.id}`}
      send={({ email, password, chosen }, options) => {
        const body = { email, ...(password && { password, ...revokeKeys.choice }), ...chosen };
        return api.updateAdmin({ id: admin.id, body }, options);
      }}
      done="Admin updated"
      failed="Failed to save admin"
      reload={onSaved}
      onClose={onClose}
    >
      {(isNewPassword) => isNewPassword && revokeKeys.field}
    </StaffForm>
  );
}
