import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { NARROW, useMediaQuery } from '../hooks/useMediaQuery';
import { Button } from './Button';
import { lazyWithRetry } from './lazyWithRetry';

// It comes with the screens, which the next click in it needs anyway.
const Drawer = lazyWithRetry(() => import('./Drawer').then((file) => file.Drawer));

/** A menu at the side, on a narrow screen a button with a drawer (docs/product.md, "Limits and constants"). */
export function SideMenu({ label, children }: { label: string; children: ReactNode }) {
  const isNarrow = useMediaQuery(NARROW);
  const [isOpen, setOpen] = useState(false);
  const [bar, setBar] = useState<Element | null>(null);
  useLayoutEffect(() => setBar(document.querySelector('#menus')), []);
  if (!isNarrow)
    return (
      <aside className="side" aria-label={label}>
        {children}
      </aside>
    );
  const button = (
    <Button aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => setOpen(true)}>
      ☰<span className="unseen"> {label}</span>
    </Button>
  );
  return (
    <>
      {bar ? createPortal(button, bar) : button}
      {isOpen && (
        <Drawer label={label} onClose={() => setOpen(false)}>
          {children}
        </Drawer>
      )}
    </>
  );
}
