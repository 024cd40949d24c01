import { type ComponentProps, type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../ui/Button';
import { CommandButton } from './CommandButton';

type Props = Omit<ComponentProps<'button'>, 'onClick'> & {
  isCommand?: boolean;
  dialog: (onClose: () => void) => ReactNode;
};
/** A button and its dialog, outside of what the button is in with its styles. `isCommand`: also in the search. */
export function DialogButton({ isCommand = false, dialog, children, ...button }: Props) {
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
