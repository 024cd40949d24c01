import type { ComponentProps } from 'react';
import { MASK } from '../../contract/constants';
import { Field } from '../ui/Field';

const maskCharacters = new RegExp(MASK.charAt(0), 'g');
/** The text after a change: a mask is removed as a whole, so that no part of it is saved with the new secret. */
export const unmasked = (before: string, typed: string): string =>
  before === MASK ? typed.replace(maskCharacters, '') : typed;

type Props = Omit<ComponentProps<typeof Field>, 'value' | 'onChange' | 'type'> & {
  value: string;
  onChange: (event: { target: { value: string } }) => void;
};
/** An input for a password or key. A stored one is shown masked; the mask sent back keeps what is stored. */
export function SecretField({ value, onChange, ...field }: Props) {
  return (
    <Field
      type="password"
      autoComplete="new-password"
      value={value}
      {...field}
      onChange={(event) => onChange({ target: { value: unmasked(value, event.target.value) } })}
    />
  );
}
