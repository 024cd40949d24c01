import { useEffect } from 'react';
import { mountPath } from '../api/basePath';
import { useUser } from '../state/session';
import { Field } from '../ui/Field';

/**
 * Asks for the person's own password. Whoever came by single sign-on has none: their sign-in counts for ten minutes.
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
  useEffect(() => {
    if (signed_in_by && !value) onChange({ target: { value: signed_in_by } });
  });
  if (!signed_in_by)
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
      </a>
      .
    </p>
  );
}
