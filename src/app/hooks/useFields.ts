import { type Draft, useDraft } from './useDraft';

interface Options<T> {
  /** The name under which the tab keeps what was typed; without it nothing is kept. */
  draft?: string;
  /** Fields that are never kept. */
  secrets?: readonly (keyof T)[];
}

/** The texts of a form's inputs, and the props that bind an input to each. */
export function useFields<T extends Record<string, string>>(
  initial: T,
  { draft: name = '', secrets }: Options<T> = {},
) {
  const draft: Draft<T> = useDraft(name, initial, secrets);
  const { value: values, set } = draft;
  const field = (key: keyof T & string) => ({
    name: key,
    value: values[key] ?? '',
    onChange: (event: { target: { value: string } }) => set((old) => ({ ...old, [key]: event.target.value })),
  });
  // Keeps what was typed since: it is meant for the next submit.
  return { values, field, draft, reset: () => set((old) => (old === values ? initial : old)) };
}
