import { useEffect, useRef } from 'react';

/** Blank, or what was typed names nothing that was chosen. */
const isMissing = ({ required, value, dataset }: HTMLInputElement): boolean =>
  required && (!value.trim() || 'unchosen' in dataset);

/**
 * Marks the fields of the open form that are required and have nothing; the first has the focus. A mark goes with its
 * reason: something was typed, or it is required no more.
 */
export function useMarks(values: object): () => void {
  const marked = useRef<HTMLInputElement[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of a value
  useEffect(() => {
    // What has an error of its own keeps its mark.
    for (const field of marked.current)
      if (!isMissing(field) && !field.closest('.field')?.querySelector('.error')) field.removeAttribute('aria-invalid');
    marked.current = marked.current.filter(isMissing);
  }, [values]);
  return () => {
    // Some browsers do not focus a button that is clicked.
    const form = document.activeElement?.closest('form') ?? [...document.querySelectorAll('dialog[open] form')].at(-1);
    const fields = [...(form?.querySelectorAll<HTMLInputElement>('input, select') ?? [])];
    marked.current = fields.filter(isMissing);
    for (const field of marked.current) field.setAttribute('aria-invalid', 'true');
    const hasRequired = fields.some(({ required }) => required);
    (hasRequired ? marked.current[0] : fields.find(({ value }) => !value.trim()))?.focus();
  };
}
