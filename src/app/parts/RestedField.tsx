import type { ComponentProps } from 'react';
import { useDebouncedInput } from '../hooks/useDebouncedInput';
import { Field } from '../ui/Field';

/** An input that reports its text once typing pauses, and follows its value when it changes elsewhere. */
export function RestedField({
  value,
  onValue,
  ...field
}: { label: string; note?: string; value: string; onValue: (value: string) => void } & Omit<
  ComponentProps<'input'>,
  'value' | 'onChange'
>) {
  const [typed, setTyped] = useDebouncedInput(value, onValue);
  return <Field {...field} value={typed} onChange={(event) => setTyped(event.target.value)} />;
}
