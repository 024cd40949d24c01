import type { Admin } from '../../../contract/entities';
import { usualPermissions } from '../../../contract/permissions';
import { useAction } from '../../hooks/useAction';
import { useFields } from '../../hooks/useFields';
import { FormError, useFormError } from '../../parts/FormError';
import { fromText, PermissionFields, toText } from '../../parts/PermissionFields';
import { keyNames, useRevokeKeys } from '../../parts/revokeKeys';
import { useApi, useFeature } from '../../state/session';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';

export function CreateAdmin({
  tenantId,
  roleId,
  onClose,
  onSaved,
}: {
  tenantId: number;
  roleId: number;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}) {
  const api = useApi();
  const hasPermissions = useFeature('permissions');
  const usual = toText(usualPermissions);
  const {
    values: { permissions, ...values },
    field,
    draft,
  } = useFields(
    { email: '', password: '', permissions: usual },
    { draft: `new admin of ${tenantId}`, secrets: ['password'] },
  );
  const formError = useFormError();
  const save = useAction(api.createAdmin, {
    done: 'Admin created',
    failed: formError.withMessage('Failed to save admin'),
    onDone: onSaved,
  });

  async function submit() {
    formError.clear();
    const chosen = permissions !== usual && { permissions: fromText(permissions) };
    if (!(await save.run({ body: { ...values, tenant_id: tenantId, role_id: roleId, ...chosen } }))) return;
    draft.clear();
    onClose();
  }

  return (
    <FormDialog title="Create Admin" disabled={save.busy} draft={draft} onClose={onClose} onSubmit={submit}>
      <Field label="Email" type="email" required autoComplete="off" {...field('email')} />
      <Field label="Password" type="password" required autoComplete="new-password" {...field('password')} />
      {hasPermissions && <PermissionFields {...field('permissions')} />}
      <FormError error={formError} />
    </FormDialog>
  );
}

export function EditAdmin({
  admin,
  onClose,
  onSaved,
}: {
  admin: Admin;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}) {
  const api = useApi();
  const held = toText(admin.permissions ?? []);
  const {
    values: { email, password, permissions },
    field,
    draft,
  } = useFields(
    { email: admin.email ?? '', password: '', permissions: held },
    { draft: `admin ${admin.id}`, secrets: ['password'] },
  );
  const formError = useFormError();
  const save = useAction(api.updateAdmin, {
    done: 'Admin updated',
    failed: formError.withMessage('Failed to save admin'),
    onDone: onSaved,
  });

  const keys = keyNames(admin.api_keys);
  const revokeKeys = useRevokeKeys(keys, <>Revoke the API keys this admin made: {keys.join(', ')}</>);

  async function submit() {
    formError.clear();
    const body = {
      email,
      ...(password && { password, ...revokeKeys.choice }),
      ...(permissions !== held && { permissions: fromText(permissions) }),
    };
    if (!(await save.run({ id: admin.id, body }))) return;
    draft.clear();
    onClose();
  }

  return (
    <FormDialog title="Edit Admin" disabled={save.busy} draft={draft} onClose={onClose} onSubmit={submit}>
      <Field label="Email" type="email" required autoComplete="off" {...field('email')} />
      <Field
        label="Password"
        type="password"
        autoComplete="new-password"
        hint={admin.is_self ? 'Change your own password under Account' : 'Leave blank to keep current password'}
        disabled={admin.is_self === true}
        {...field('password')}
      />
      {password && revokeKeys.field}
      {admin.permissions && <PermissionFields {...field('permissions')} />}
      <FormError error={formError} />
    </FormDialog>
  );
}
