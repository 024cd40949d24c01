import type { ComponentProps } from 'react';
import { Field } from '../ui/Field';

/** A code from the authenticator app, which the browser may fill in. */
export const CodeField = (field: Omit<ComponentProps<typeof Field>, 'label'>) => (
  <Field label="Code" inputMode="numeric" autoComplete="one-time-code" {...field} />
);
