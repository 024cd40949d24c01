import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './Button';

/** A menu over the page. A click on a link or tab in it, or beside it, closes it. */
export function Drawer({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const drawer = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = drawer.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={drawer}
      className="drawer"
      aria-label={label}
      onClose={onClose}
      onClick={({ target }) => {
        if (target instanceof Element && (target === drawer.current || target.closest('nav a, nav button'))) onClose();
      }}
    >
      <aside className="side" aria-label={label}>
        <Button onClick={onClose}>Close menu</Button>
        {children}
      </aside>
    </dialog>
  );
}
