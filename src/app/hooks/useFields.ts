import { useState } from 'react';

/** The texts of filters, with which they start, and the props that bind an input to each. A form has `useForm`. */
export function useFields<T extends Record<string, string>>(initial: T, start = initial) {
  const [values, setValues] = useState(start);
  const field = (key: keyof T & string) => ({
    name: key,
    value: values[key] ?? '',
    onChange: ({ target }: { target: { value: string } }) => setValues((old) => ({ ...old, [key]: target.value })),
  });
  return { values, field, reset: () => setValues(initial) };
}
