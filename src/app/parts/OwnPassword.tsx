import { useEffect, useState } from 'react';
import { mountPath } from '../api/basePath';
import { useUser } from '../state/session';
import { Field } from '../ui/Field';

/**
 * Asks for the person's own password. Whoever came by single sign-on may have none: their sign-in counts for ten
 * minutes, if the provider says when it asked them.
 */
export function OwnPassword({
  label = 'Your password',
  value,
  onChange,
  ...field
}: {
  label?: string;
  name: string;
  value: string;
  hint?: string;
  required?: boolean;
  onChange: (event: { target: { value: string } }) => void;
}) {
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
      <Field
        label={label}
        type="password"
        required
        autoComplete="current-password"
        {...{ value, onChange }}
        {...field}
      />
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
