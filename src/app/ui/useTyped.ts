import { type RefObject, useLayoutEffect, useRef } from 'react';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** What a person fills in, except filters, which change nothing, and messages. */
const controlsIn = (dialog: Element | null): Control[] =>
  [...(dialog?.querySelectorAll('form') ?? [])]
    .filter((form) => form.getAttribute('role') !== 'search' && !form.closest('.toasts'))
    .flatMap((form) => [...form.elements])
    .filter((element): element is Control => element.matches('input:not([readonly]), select, textarea'));
const read = (control: Control): string =>
  control instanceof HTMLInputElement && control.type === 'checkbox' ? String(control.checked) : control.value;

/** Whether something in the forms of a dialog was changed: since it was opened, or with `isRestored` before. */
export function useTyped(dialog: RefObject<Element | null>, isRestored: boolean) {
  const known = useRef(new WeakMap<Element, string>());
  /** Remembers the values of controls that are new. One can only be changed after it got the focus or the pointer. */
  const learn = () => {
    for (const control of controlsIn(dialog.current))
      if (!known.current.has(control)) known.current.set(control, read(control));
  };
  // 'Start over' brings back the values that count as unchanged.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only then
  useLayoutEffect(() => {
    known.current = new WeakMap();
    learn();
  }, [isRestored]);
  const isOther = (control: Control) => known.current.has(control) && known.current.get(control) !== read(control);
  return { learn, isChanged: () => isRestored || controlsIn(dialog.current).some(isOther) };
}
