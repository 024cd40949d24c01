import { useState } from 'react';
import type { TeamMember } from '../../../contract/entities';
import { type Permission, permissionPresets, permissions } from '../../../contract/permissions';
import { orDash } from '../../api/parse';
import { useCall } from '../../hooks/useCall';
import type { Saving } from '../../hooks/useForm';
import { AllowedNetworks } from '../../parts/AllowedNetworks';
import { IdentityProvider } from '../../parts/IdentityProvider';
import { describePermissions } from '../../parts/PermissionFields';
import { keyNames } from '../../parts/revokeKeys';
import { StaffForm } from '../../parts/StaffForm';
import { useFeature, useUser } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';

const columns = ['Email', 'Permissions', 'Active', 'Two-factor', 'Last sign-in', 'Actions'];

/** The colleagues of a tenant's admin (docs/permissions.md, "Permissions"). */
export function Team({ onClose }: { onClose: () => void }) {
  const api = useDialogApi();
  const [open, setOpen] = useState<TeamMember | 'new' | null>(null);
  const members = useCall(api.listTeam, {}, 'Failed to fetch the team');
  const back = () => setOpen(null);
  return (
    <Dialog title="Team" wide withClose onClose={onClose}>
      <p className="bar">
        <button type="button" onClick={() => setOpen('new')}>
          Add Colleague
        </button>
        <AllowedNetworks />
        <IdentityProvider />
      </p>
      <DataTable label="Team" heads={columns} of={members} empty="No colleagues yet.">
        {(member) => (
          <tr key={member.id} className={member.is_active ? undefined : 'former'}>
            <td className="head">{orDash(member.email)}</td>
            <td>{describePermissions(member.permissions)}</td>
            <td className="on" data-label="Active">
              {member.is_active ? 'Yes' : 'No'}
            </td>
            <td data-label="Two-factor">{member.has_two_factor ? 'On' : 'Off'}</td>
            <td data-label="Last sign-in">
              {member.last_sign_in_at === null ? 'Not in 90 days' : <DateTime at={member.last_sign_in_at} />}
            </td>
            <td className="actions">
              {member.may_change ? (
                <button type="button" aria-label={`Edit ${member.email}`} onClick={() => setOpen(member)}>
                  Edit
                </button>
              ) : (
                <small>{member.is_self ? 'You' : 'Has permissions you do not have'}</small>
              )}
            </td>
          </tr>
        )}
      </DataTable>
      {open && <MemberForm member={open === 'new' ? null : open} onClose={back} onSaved={members.reload} />}
    </Dialog>
  );
}

type Props = Saving & { member: TeamMember | null };
function MemberForm({ member, onClose, onSaved }: Props) {
  const api = useDialogApi();
  const own: readonly Permission[] = useUser().permissions ?? permissions;
  const proposed = (permissionPresets['Cashier'] ?? []).filter((one) => own.includes(one));
  const keys = keyNames(member?.api_keys);
  const mayInvite = useFeature('mail_links');
  return (
    <StaffForm
      title={member ? `Colleague ${member.email}` : 'Add Colleague'}
      submit={member ? 'Save' : 'Add'}
      staff={member}
      permissions={member?.permissions ?? proposed}
      offered={own}
      isConfirmed
      mayInvite={mayInvite && !member}
      draft={`colleague ${member?.id ?? 'new'}`}
      send={({ email, password, permissions, is_active, invites, confirmed }, options): Promise<unknown> => {
        const body = { email, permissions, ...confirmed };
        if (invites) return api.inviteTeamMember({ body }, options);
        if (!member) return api.createTeamMember({ body: { ...body, password } }, options);
        const changes = { ...body, is_active, ...(password && { password }) };
        return api.updateTeamMember({ id: member.id, body: changes }, options);
      }}
      done={member ? 'Colleague updated' : 'Colleague added'}
      failed="Failed to save the colleague"
      reload={onSaved}
      onClose={onClose}
    >
      {() =>
        keys.length > 0 && (
          <p>
            <small>
              API keys of {member?.email}: {keys.join(', ')}. A new password or switching off the sign-in revokes them.
            </small>
          </p>
        )
      }
    </StaffForm>
  );
}
