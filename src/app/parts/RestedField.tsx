import type { ComponentProps } from 'react';
import { useDebouncedInput } from '../hooks/useDebouncedInput';
import { Field } from '../ui/Field';

type Props = Omit<ComponentProps<typeof Field>, 'value' | 'onChange'> & {
  value: string;
  onValue: (value: string) => void;
};
/** An input that reports its text once typing pauses, and follows its value when it changes elsewhere. */
export function RestedField({ value, onValue, ...field }: Props) {
  const [typed, setTyped] = useDebouncedInput(value, onValue);
  return <Field {...field} value={typed} onChange={(event) => setTyped(event.target.value)} />;
}
