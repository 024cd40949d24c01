import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useMedia } from '../hooks';

/** A menu at the side, 220 px wide (spec 9); on a narrow screen a button that opens it as a drawer. Following a link or a tab in it closes the drawer. */
export function SideMenu({ label, children }: { label: string; children: ReactNode }) {
  const isNarrow = useMedia('(max-width: 767px)');
  const [isOpen, setOpen] = useState(false);
  if (!isNarrow) return <aside className="side" aria-label={label}>{children}</aside>;
  return (
    <>
      <button type="button" className="menu secondary" aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => setOpen(true)}>☰ {label}</button>
      {isOpen && <Drawer label={label} onClose={() => setOpen(false)}>{children}</Drawer>}
    </>
  );
}

function Drawer({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const drawer = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = drawer.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={drawer} className="drawer" aria-label={label} onClose={onClose}
      onClick={({ target }) => { if (target instanceof Element && (target === drawer.current || target.closest('nav a, nav button'))) onClose(); }}>
      <aside className="side" aria-label={label}>
        <button type="button" className="menu secondary" onClick={onClose}>Close menu</button>
        {children}
      </aside>
    </dialog>
  );
}
