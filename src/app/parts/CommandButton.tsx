import { type ComponentProps, useEffect, useRef } from 'react';

/** What a button does: the search offers it, too. */
export interface Command {
  /** As on the button. */
  name: string;
  run: () => void;
}

/** What can be done now, in the order in which the buttons came. */
export const commands = new Set<Command>();

/** A button whose action the search offers while it is there and can be pressed. */
export function CommandButton({
  children,
  onClick,
  ...button
}: Omit<ComponentProps<'button'>, 'onClick'> & { children: string; onClick: () => void }) {
  const latest = useRef(onClick);
  latest.current = onClick;
  const { disabled } = button;
  useEffect(() => {
    const command = { name: children, run: () => latest.current() };
    if (!disabled) commands.add(command);
    return () => void commands.delete(command);
  }, [children, disabled]);
  return (
    <button type="button" onClick={onClick} {...button}>
      {children}
    </button>
  );
}
