import { type ComponentProps, useEffect } from 'react';

/** What a button does: the search offers it, too. */
export interface Command {
  name: string;
  run: () => void;
}

export const commands = new Set<Command>();

type Props = Omit<ComponentProps<'button'>, 'onClick'> & { children: string; onClick: () => void };
/** A button whose action the search offers while it is there and can be pressed. */
export function CommandButton({ children, onClick, ...button }: Props) {
  useEffect(() => {
    if (button.disabled) return;
    const command = { name: children, run: onClick };
    commands.add(command);
    return () => void commands.delete(command);
  });
  return (
    <button type="button" onClick={onClick} {...button}>
      {children}
    </button>
  );
}
