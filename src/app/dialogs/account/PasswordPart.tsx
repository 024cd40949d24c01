import { useAction } from '../../hooks/useAction';
import { useFields } from '../../hooks/useFields';
import { CodeField } from '../../parts/CodeField';
import { FormError, useFormError } from '../../parts/FormError';
import { useRevokeKeys } from '../../parts/revokeKeys';
import { useApi } from '../../state/session';
import { Field } from '../../ui/Field';
import { useNewToken } from './newToken';

/** Changes the user's own password. `apiKeys`: the names of the API keys that the user made. */
export function PasswordPart({
  email,
  hasTwoFactor,
  apiKeys,
  onChanged,
}: {
  email: string | undefined;
  hasTwoFactor: boolean;
  apiKeys: readonly string[];
  onChanged: () => unknown;
}) {
  const api = useApi(),
    keepToken = useNewToken();
  const { values, field, reset } = useFields({ current_password: '', new_password: '', code: '' });
  const formError = useFormError();
  const revokeKeys = useRevokeKeys(apiKeys, <>Revoke the API keys that you made: {apiKeys.join(', ')}</>);
  const change = useAction(
    (input: Parameters<typeof api.changePassword>[0]) => keepToken(() => api.changePassword(input)),
    {
      done: 'Password changed',
      failed: formError.withMessage('Failed to change the password'),
      onDone: onChanged,
    },
  );

  return (
    <section aria-label="Password">
      <h3>Password</h3>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          formError.clear();
          const { code, ...passwords } = values;
          if (await change.run({ body: { ...passwords, ...(hasTwoFactor && { code }), ...revokeKeys.choice } }))
            reset();
        }}
      >
        <input type="text" hidden readOnly autoComplete="username" value={email ?? ''} />
        <div className="grid">
          <Field
            label="Current password"
            type="password"
            required
            autoComplete="current-password"
            {...field('current_password')}
          />
          {hasTwoFactor && <CodeField required hint="From the app, or a recovery code" {...field('code')} />}
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
        <FormError error={formError} />
        <div className="bar">
          <button disabled={change.busy}>Change password</button>
        </div>
      </form>
    </section>
  );
}
