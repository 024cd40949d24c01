import type { ReactNode } from 'react';
import type { Permission } from '../../contract/permissions';
import type { SendOptions } from '../api/client';
import { useForm } from '../hooks/useForm';
import { useFeature } from '../state/session';
import { CheckBox } from '../ui/CheckBox';
import { Field } from '../ui/Field';
import { FormDialog } from '../ui/FormDialog';
import { OwnPassword } from './OwnPassword';
import { fromText, PermissionFields, toText } from './PermissionFields';

export interface TypedStaff {
  email: string;
  /** Empty if it stays. */
  password: string;
  permissions: Permission[];
  chosen: { permissions?: Permission[] };
  is_active: boolean;
  /** The person gets a link by e-mail instead of a password. */
  invites: boolean;
  confirmed: { current_password: string; code?: string };
}

/** Makes or changes an account of staff: an admin of a tenant, or a colleague. */
export function StaffForm({
  title,
  submit,
  staff,
  permissions,
  offered,
  isConfirmed = false,
  mayInvite = false,
  passwordHint = 'Leave blank to keep current password',
  children,
  send,
  onClose,
  ...words
}: {
  title: string;
  submit?: string;
  /** Null for a new one. */
  staff: { id: number; email?: string | null; is_active?: boolean; is_self?: boolean } | null;
  /** Held, or proposed for a new one; null if the server knows none. */
  permissions: readonly Permission[] | null;
  offered?: readonly Permission[];
  /** Asks for the person's own password, and whether a colleague may sign in. */
  isConfirmed?: boolean;
  /** A new one can get a link by e-mail instead of a password; that needs the person's own password. */
  mayInvite?: boolean;
  passwordHint?: string;
  children?: (isNewPassword: boolean) => ReactNode;
  send: (typed: TypedStaff, options: SendOptions) => Promise<unknown>;
  draft: string;
  done: string;
  failed: string;
  reload: () => unknown;
  onClose: () => void;
}) {
  const held = toText(permissions ?? []);
  const form = useForm({
    ...words,
    initial: {
      email: staff?.email ?? '',
      password: '',
      permissions: held,
      is_active: staff?.is_active !== false,
      invites: false,
      current: '',
      code: '',
    },
    secrets: ['password', 'current', 'code'],
    shownAt: ['email', 'password'],
    send({ permissions, current, code, ...typed }, options) {
      const given = fromText(permissions);
      const chosen = permissions === held ? {} : { permissions: given };
      const confirmed = { current_password: current, ...(code && { code }) };
      return send({ ...typed, permissions: given, chosen, confirmed }, options);
    },
    onDone: onClose,
  });
  const { field, values } = form;
  const first = permissions ? 'At least 8 characters. It is not sent: tell the person.' : undefined;
  const removal = useFeature('passkeys') && !staff?.is_self ? '. A new one removes their passkeys' : '';
  return (
    <FormDialog title={title} {...(submit && { submit })} {...form.dialog} onClose={onClose}>
      <Field label="Email" type="email" required autoComplete="off" {...field('email')} />
      {mayInvite && (
        <CheckBox
          role="switch"
          label="Invite by email: the person chooses the password"
          checked={values.invites}
          onChange={(invites) => form.set({ invites, password: '' })}
        />
      )}
      {!values.invites && (
        <Field
          label="Password"
          type="password"
          required={!staff}
          autoComplete="new-password"
          hint={staff ? passwordHint + removal : first}
          disabled={staff?.is_self === true}
          {...field('password')}
        />
      )}
      {permissions && <PermissionFields {...(offered && { offered })} {...field('permissions')} />}
      {staff && isConfirmed && <CheckBox role="switch" label="May sign in" {...form.box('is_active')} />}
      {children?.(values.password !== '')}
      {(isConfirmed || values.invites) && (
        <div className="grid">
          <OwnPassword {...field('current')} code={field('code')} />
        </div>
      )}
    </FormDialog>
  );
}
