import { useEffect, useState } from 'react';
import { mountPath } from '../api/basePath';
import { useUser } from '../state/session';
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
  hasTwoFactor?: boolean | undefined;
}
/** Asks for the person's own password and a code; after single sign-on, that counts instead for ten minutes. */
export function OwnPassword({ label = 'Your password', value, onChange, code, hasTwoFactor, ...field }: Props) {
  const { signed_in_by, tenant_id } = useUser();
  const [isTyped, setIsTyped] = useState(!signed_in_by);
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
        {code && hasTwoFactor !== false && (
          <CodeField
            required={hasTwoFactor}
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
