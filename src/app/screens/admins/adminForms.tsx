import type { Admin } from '../../../contract/entities';
import { useAction } from '../../hooks/useAction';
import { useFields } from '../../hooks/useFields';
import { FormError, useFormError } from '../../parts/FormError';
import { keyNames, useRevokeKeys } from '../../parts/revokeKeys';
import { useApi } from '../../state/session';
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
  const { values, field, draft } = useFields(
    { email: '', password: '' },
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
    if (!(await save.run({ body: { ...values, tenant_id: tenantId, role_id: roleId } }))) return;
    draft.clear();
    onClose();
  }

  return (
    <FormDialog title="Create Admin" disabled={save.busy} draft={draft} onClose={onClose} onSubmit={submit}>
      <Field label="Email" type="email" required autoComplete="off" {...field('email')} />
      <Field label="Password" type="password" required autoComplete="new-password" {...field('password')} />
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
  const {
    values: { email, password },
    field,
    draft,
  } = useFields({ email: admin.email ?? '', password: '' }, { draft: `admin ${admin.id}`, secrets: ['password'] });
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
    const body = password ? { email, password, ...revokeKeys.choice } : { email };
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
      <FormError error={formError} />
    </FormDialog>
  );
}
