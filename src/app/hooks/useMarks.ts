import { useEffect, useRef } from 'react';

/** Blank, or what was typed names nothing that was chosen. */
const isMissing = ({ required, value, dataset }: HTMLInputElement): boolean =>
  required && (!value.trim() || 'unchosen' in dataset);

let lastId = 0;
/** Says below a field, in the browser's words, why it is invalid: a bubble would cover the next field. */
function sayInvalid(event: Event): void {
  const field = event.target as HTMLInputElement;
  const place = field.closest('.field');
  if (!place) return;
  event.preventDefault();
  if (!place.querySelector('.error')) {
    const words = place.appendChild(document.createElement('small'));
    words.className = 'error said';
    words.textContent = field.validationMessage;
    words.id = `said${++lastId}`;
    field.setAttribute('aria-describedby', `${field.getAttribute('aria-describedby') ?? ''} ${words.id}`.trim());
    field.setAttribute('aria-invalid', 'true');
    field.addEventListener('input', () => unmark(field), { once: true });
  }
  field.form?.querySelector<HTMLElement>('.field [aria-invalid]')?.focus();
}
function unmark(field: Element): void {
  const place = field.closest('.field'),
    words = place?.querySelector('.said');
  words?.remove();
  const others = field
    .getAttribute('aria-describedby')
    ?.replace(words?.id ?? '', '')
    .trim();
  if (words && others) field.setAttribute('aria-describedby', others);
  else if (words) field.removeAttribute('aria-describedby');
  // What has an error of its own keeps its mark.
  if (!place?.querySelector('.error')) field.removeAttribute('aria-invalid');
}
document.addEventListener('invalid', sayInvalid, true);

/**
 * Marks the fields of the open form that are required and have nothing; the first has the focus. A mark goes with its
 * reason: something was typed, or it is required no more.
 */
export function useMarks(values: object): () => void {
  const marked = useRef<HTMLInputElement[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of a value
  useEffect(() => {
    for (const field of marked.current) if (!isMissing(field)) unmark(field);
    for (const words of document.querySelectorAll('.said')) {
      const field = words.closest('.field')?.querySelector<HTMLInputElement>('input, select, textarea');
      if (field?.validity.valid) unmark(field);
    }
    marked.current = marked.current.filter(isMissing);
  }, [values]);
  return () => {
    // Some browsers do not focus a button that is clicked.
    const form = document.activeElement?.closest('form') ?? [...document.querySelectorAll('dialog[open] form')].at(-1);
    const fields = [...(form?.querySelectorAll<HTMLInputElement>('input, select') ?? [])];
    marked.current = fields.filter(isMissing);
    for (const field of marked.current) {
      field.checkValidity(); // says why
      field.setAttribute('aria-invalid', 'true');
    }
    const hasRequired = fields.some(({ required }) => required);
    (hasRequired ? marked.current[0] : fields.find(({ value }) => !value.trim()))?.focus();
  };
}
