import type { ComponentProps } from 'react';
import { Field } from './Field';

/** An amount, typed. The wheel turned over it scrolls: browsers would count the amount up or down by it, unseen. */
export const AmountField = (props: ComponentProps<typeof Field>) => <Field type="number" ref={blurOnWheel} {...props} />;

function blurOnWheel(input: HTMLInputElement | null): void {
  input?.addEventListener('wheel', () => input.blur(), { passive: true });
}
