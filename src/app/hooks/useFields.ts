import { useState } from 'react';

/** What has been typed into a form, all of it text, and the props that bind an input to each value. */
export function useFields<T extends Record<string, string>>(initial: T) {
  const [values, setValues] = useState(initial);
  const field = (name: keyof T & string) => ({
    name,
    value: values[name] ?? '',
    onChange: (event: { target: { value: string } }) => setValues((old) => ({ ...old, [name]: event.target.value })),
  });
  // What has been typed since is meant for the next time.
  return { values, field, reset: () => setValues((old) => (old === values ? initial : old)) };
}
