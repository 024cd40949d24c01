import type { ComponentProps } from 'react';
import { Field } from './Field';
import { focusOnMount } from './focusOnMount';

/** An input for an amount. The mouse wheel scrolls the page and does not change the number. */
export const AmountField = ({ autoFocus = false, ...props }: ComponentProps<typeof Field>) => (
  <Field type="number" ref={autoFocus ? focused : blurOnWheel} {...props} />
);

function focused(input: HTMLInputElement | null): void {
  focusOnMount(input);
  blurOnWheel(input);
}

function blurOnWheel(input: HTMLInputElement | null): void {
  input?.addEventListener('wheel', () => input.blur(), { passive: true });
}
