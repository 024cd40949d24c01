import { useState } from 'react';
import type { TeamMember } from '../../../contract/entities';
import { type Permission, permissionPresets, permissions } from '../../../contract/permissions';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { useFields } from '../../hooks/useFields';
import { useResource } from '../../hooks/useResource';
import { CodeField } from '../../parts/CodeField';
import { FormError, useFormError } from '../../parts/FormError';
import { describePermissions, fromText, PermissionFields, toText } from '../../parts/PermissionFields';
import { keyNames } from '../../parts/revokeKeys';
import { useApi, useUser } from '../../state/session';
import { CloseButton, Dialog } from '../../ui/Dialog';
import { Field } from '../../ui/Field';
import { Rows } from '../../ui/Rows';
import { TableFrame } from '../../ui/TableFrame';

/** The colleagues of a tenant's admin (docs/permissions.md, "Permissions"). */
export function Team({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const [open, setOpen] = useState<TeamMember | 'new' | null>(null);
  const members = useResource((signal) => api.listTeam({}, { signal }), [api], 'Failed to fetch the team');
  const back = () => setOpen(null);
  return (
    <Dialog title="Team" wide onClose={onClose}>
      {open ? (
        <MemberForm member={open === 'new' ? null : open} onClose={back} onSaved={members.reload} />
      ) : (
        <>
          <p className="bar">
            <button type="button" onClick={() => setOpen('new')}>
              Add Colleague
            </button>
          </p>
          <TableFrame label="Team">
            <table className="stack">
              <thead>
                <tr>
                  <th>Email</th>
                  <th>Permissions</th>
                  <th>Active</th>
                  <th>Two-factor</th>
                  <th>Actions</th>
                </tr>
              </thead>
              <Rows of={members} span={5} empty="No colleagues yet.">
                {(member) => (
                  <tr key={member.id}>
                    <td className="head">{orDash(member.email)}</td>
                    <td data-label="Permissions">{describePermissions(member.permissions)}</td>
                    <td data-label="Active">{member.is_active ? 'Yes' : 'No'}</td>
                    <td data-label="Two-factor">{member.has_two_factor ? 'On' : 'Off'}</td>
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
              </Rows>
            </table>
          </TableFrame>
          <footer>
            <CloseButton />
          </footer>
        </>
      )}
    </Dialog>
  );
}

/** One colleague; null for a new one. */
function MemberForm({
  member,
  onClose,
  onSaved,
}: {
  member: TeamMember | null;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}) {
  const api = useApi();
  const own: readonly Permission[] = useUser().permissions ?? permissions;
  const usual = (permissionPresets['Cashier'] ?? []).filter((one) => own.includes(one));
  const { values, field, draft } = useFields(
    {
      email: member?.email ?? '',
      password: '',
      permissions: toText(member?.permissions ?? usual),
      isActive: member?.is_active === false ? '' : 'yes',
      current: '',
      code: '',
    },
    { draft: `colleague ${member?.id ?? 'new'}`, secrets: ['password', 'current', 'code'] },
  );
  const formError = useFormError();
  const save = useAction(
    async () => {
      const { email, password, current: current_password, code } = values;
      const confirmed = { current_password, ...(code && { code }) };
      const body = { email, permissions: fromText(values.permissions), ...confirmed };
      if (!member) return api.createTeamMember({ body: { ...body, password } });
      const is_active = values.isActive !== '';
      return api.updateTeamMember({ id: member.id, body: { ...body, is_active, ...(password && { password }) } });
    },
    {
      done: member ? 'Colleague updated' : 'Colleague added',
      failed: formError.withMessage('Failed to save the colleague'),
      onDone: onSaved,
    },
  );

  async function submit() {
    formError.clear();
    if (!(await save.run(undefined))) return;
    draft.clear();
    onClose();
  }

  const keys = keyNames(member?.api_keys);
  return (
    <form
      aria-label={member ? `Colleague ${member.email}` : 'New colleague'}
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.busy) void submit();
      }}
    >
      <div className="grid">
        <Field label="Email" type="email" required autoComplete="off" {...field('email')} />
        <Field
          label="Password"
          type="password"
          required={!member}
          autoComplete="new-password"
          {...(member && { hint: 'Leave blank to keep current password' })}
          {...field('password')}
        />
      </div>
      <PermissionFields offered={own} {...field('permissions')} />
      {member && (
        <label>
          <input
            type="checkbox"
            role="switch"
            checked={values.isActive !== ''}
            onChange={({ target }) => field('isActive').onChange({ target: { value: target.checked ? 'yes' : '' } })}
          />
          May sign in
        </label>
      )}
      {keys.length > 0 && (
        <p>
          <small>
            API keys of {member?.email}: {keys.join(', ')}. A new password or switching off the sign-in revokes them.
          </small>
        </p>
      )}
      <div className="grid">
        <Field label="Your password" type="password" required autoComplete="current-password" {...field('current')} />
        <CodeField hint="If you use two-factor sign-in" {...field('code')} />
      </div>
      <FormError error={formError} />
      <footer>
        <button
          type="button"
          className="secondary"
          onClick={() => {
            draft.clear();
            onClose();
          }}
        >
          Back
        </button>
        <button disabled={save.busy}>{member ? 'Save' : 'Add'}</button>
      </footer>
    </form>
  );
}
