import type { ComponentProps } from 'react';
import { MASK } from '../../contract/constants';
import { Field } from '../ui/Field';

const maskCharacters = new RegExp(MASK.charAt(0), 'g');
/** What stands in the field after a change: a mask is replaced as a whole, so that none of it is ever saved with the new secret. */
export const unmasked = (before: string, typed: string): string => (before === MASK ? typed.replace(maskCharacters, '') : typed);

/** A password or key. A stored one stands there masked, and sent back masked it keeps what is stored. */
export function SecretField({ value, onChange, ...field }: Omit<ComponentProps<typeof Field>, 'value' | 'onChange' | 'type'> & {
  value: string; onChange: (event: { target: { value: string } }) => void;
}) {
  return (
    <Field type="password" autoComplete="new-password" value={value} {...field}
      onChange={(event) => onChange({ target: { value: unmasked(value, event.target.value) } })} />
  );
}
