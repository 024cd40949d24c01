import { type ComponentProps, type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../ui/Button';
import { CommandButton } from './CommandButton';

/**
 * A button and the dialog that it opens, which is outside of what the button is in: a bar or a table has styles of its
 * own. With `isCommand` the search offers it, too.
 */
export function DialogButton({
  isCommand = false,
  dialog,
  children,
  ...button
}: Omit<ComponentProps<'button'>, 'onClick'> & { isCommand?: boolean; dialog: (onClose: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const props = { 'aria-haspopup': 'dialog', onClick: () => setOpen(true), ...button } as const;
  return (
    <>
      {isCommand ? (
        <CommandButton {...props}>{String(children)}</CommandButton>
      ) : (
        <Button {...props}>{children}</Button>
      )}
      {isOpen &&
        createPortal(
          dialog(() => setOpen(false)),
          document.body,
        )}
    </>
  );
}
