import { useEffect, useState } from 'react';
import { mountPath } from '../api/basePath';
import { useCall } from '../hooks/useCall';
import { useApi, useFeature, useUser } from '../state/session';
import { Field } from '../ui/Field';
import { CodeField } from './CodeField';

interface Input {
  name: string;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
}
interface Props extends Input {
  label?: string;
  hint?: string;
  required?: boolean;
  code?: Input;
  /** Whether a code is needed; looked up unless the form knows. */
  hasTwoFactor?: boolean | undefined;
}
/** Asks for the person's own password and a code; after single sign-on, that counts instead for ten minutes. */
export function OwnPassword({ label = 'Your password', value, onChange, code, hasTwoFactor: known, ...field }: Props) {
  const { signed_in_by, tenant_id } = useUser();
  const [isTyped, setIsTyped] = useState(!signed_in_by);
  const isAsked = useFeature('account') && isTyped && code !== undefined && known === undefined;
  const account = useCall(useApi().getAccount, isAsked ? {} : null, 'Failed to fetch your account');
  const hasTwoFactor = known ?? account.data?.has_two_factor;
  useEffect(() => {
    if (signed_in_by && !isTyped && !value) onChange({ target: { value: signed_in_by } });
  });
  function type() {
    setIsTyped(true);
    onChange({ target: { value: '' } });
  }
  if (isTyped)
    return (
      <>
        <Field {...{ label, value, onChange }} type="password" required autoComplete="current-password" {...field} />
        {code && hasTwoFactor !== false && !(account.busy && !account.failed && !account.data) && (
          <CodeField
            required={hasTwoFactor && field.required !== false}
            hint={hasTwoFactor ? 'From the app, or a recovery code' : 'If you use two-factor sign-in'}
            {...code}
          />
        )}
      </>
    );
  return (
    <p>
      You came by single sign-on, which counts instead of a password for ten minutes. After that,{' '}
      <a
        href={`${mountPath()}/sso/${tenant_id}?${new URLSearchParams({ again: location.pathname + location.search })}`}
      >
        sign in again
      </a>{' '}
      or{' '}
      <button type="button" className="link" onClick={type}>
        use your password
      </button>
      .
    </p>
  );
}
