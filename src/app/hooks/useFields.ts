import { useState } from 'react';

/** The texts of a form's inputs, and the props that bind an input to each. */
export function useFields<T extends Record<string, string>>(initial: T) {
  const [values, setValues] = useState(initial);
  const field = (name: keyof T & string) => ({
    name,
    value: values[name] ?? '',
    onChange: (event: { target: { value: string } }) => setValues((old) => ({ ...old, [name]: event.target.value })),
  });
  // Keeps what was typed since: it is meant for the next submit.
  return { values, field, reset: () => setValues((old) => (old === values ? initial : old)) };
}
