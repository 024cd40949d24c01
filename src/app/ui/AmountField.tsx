import type { ComponentProps } from 'react';
import { Field } from './Field';

/** An input for an amount. The mouse wheel scrolls the page and does not change the number. */
export const AmountField = (props: ComponentProps<typeof Field>) => (
  <Field type="number" ref={blurOnWheel} {...props} />
);

function blurOnWheel(input: HTMLInputElement | null): void {
  input?.addEventListener('wheel', () => input.blur(), { passive: true });
}
