import type { ComponentProps } from 'react';

/** A button beside the main one of a form or a screen. `busy`: what it did last is not done yet. */
export const Button = ({ busy = false, disabled = false, ...rest }: ComponentProps<'button'> & { busy?: boolean }) => (
  <button type="button" className="secondary" disabled={disabled || busy} aria-busy={busy || undefined} {...rest} />
);
