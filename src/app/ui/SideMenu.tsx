import { useEffect, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useMediaQuery } from '../hooks/useMediaQuery';
import { lazyWithRetry } from './lazyWithRetry';

// Whoever opens it goes on to what comes in the same file.
const Drawer = lazyWithRetry(() => import('./Drawer').then((file) => file.Drawer));

/**
 * A menu at the side, 220 px wide (spec 9); on a narrow screen, or where another menu needs the side, a button in the title bar that opens it as a drawer.
 * Following a link or a tab in it closes the drawer.
 */
export function SideMenu({ label, folded = false, children }: { label: string; folded?: boolean; children: ReactNode }) {
  const isNarrow = useMediaQuery('(max-width: 767px)');
  const [isOpen, setOpen] = useState(false);
  const [bar, setBar] = useState<Element | null>(null);
  useEffect(() => setBar(document.querySelector('#menus')), []);
  if (!isNarrow && !folded) return <aside className="side" aria-label={label}>{children}</aside>;
  const button = <button type="button" className="secondary" aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => setOpen(true)}>☰ {label}</button>;
  return (
    <>
      {bar ? createPortal(button, bar) : button}
      {isOpen && <Drawer label={label} onClose={() => setOpen(false)}>{children}</Drawer>}
    </>
  );
}
