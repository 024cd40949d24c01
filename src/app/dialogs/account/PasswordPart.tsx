import { useForm } from '../../hooks/useForm';
import { OwnPassword } from '../../parts/OwnPassword';
import { useEnding, useRevokeKeys } from '../../parts/revokeKeys';
import { useSession } from '../../state/session';
import { storedToken } from '../../state/storage';
import { useDialogApi } from '../../state/useDialogApi';
import { Field } from '../../ui/Field';
import { FormError } from '../../ui/FormError';

interface Props {
  email: string | undefined;
  hasTwoFactor: boolean;
  apiKeys: readonly string[];
  passkeys: readonly string[] | undefined;
  onChanged: () => unknown;
}
/** Changes the user's own password. `apiKeys`, `passkeys`: the names of those that the user has; undefined: unknown. */
export function PasswordPart({ email, hasTwoFactor, apiKeys, passkeys, onChanged }: Props) {
  const api = useDialogApi(),
    keepToken = useNewToken();
  const revokeKeys = useRevokeKeys(apiKeys, <>Revoke the API keys that you made: {[...new Set(apiKeys)].join(', ')}</>);
  const removal = useEnding('passkeys', passkeys ?? [], <>Remove your passkeys: {passkeys?.join(', ')}</>);
  const form = useForm({
    initial: { current_password: '', new_password: '', code: '' },
    send: ({ code, ...passwords }, options) => {
      const kept = { ...revokeKeys.choice, ...(removal.isKept && { keep_passkeys: true }) };
      const body = { ...passwords, ...(hasTwoFactor && { code }), ...kept };
      return keepToken(() => api.changePassword({ body }, options));
    },
    done: 'Password changed',
    failed: 'Failed to change the password',
    reload: onChanged,
  });
  const { field } = form;

  return (
    <section aria-label="Password">
      <h3>Password</h3>
      <form onSubmit={form.onSubmit}>
        <input type="text" hidden readOnly autoComplete="username" value={email ?? ''} />
        <div className="grid">
          <OwnPassword
            label="Current password"
            hasTwoFactor={hasTwoFactor}
            {...field('current_password')}
            code={field('code')}
          />
          <Field
            label="New password"
            type="password"
            required
            minLength={8}
            maxLength={1000}
            autoComplete="new-password"
            hint="At least 8 characters. All your other sessions will end."
            {...field('new_password')}
          />
        </div>
        {revokeKeys.field}
        {removal.field}
        <FormError reason={form.reason} />
        <div className="bar">
          <button disabled={form.busy || !passkeys}>Change password</button>
        </div>
      </form>
    </section>
  );
}

/** Makes a call that may replace this session's token. Tabs with a 401 in between wait for it (state/session.tsx). */
function useNewToken() {
  const { session, signIn } = useSession();
  return (call: () => Promise<{ access_token?: string }>): Promise<void> => {
    const replace = async () => {
      const { access_token: token } = await call();
      if (token && session.user && storedToken() === session.token) signIn(token, session.user);
    };
    const locks: LockManager | undefined = navigator.locks;
    return locks ? locks.request('token', replace) : replace();
  };
}
