import { type ReactNode, useId, useRef } from 'react';

/** A menu below the title bar, opened by a button. A click on a button or link in it closes it. */
export function BarMenu({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <button type="button" className="secondary who" title={label} popoverTarget={id}>
        <span className="avatar" aria-hidden="true">
          {label.slice(0, 1).toUpperCase()}
        </span>
        <span className="unseen">{label}</span>
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="bar-menu"
        role="group"
        aria-label="Account menu"
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('a, button')) menu.current?.togglePopover?.(false);
        }}
      >
        {children}
      </div>
    </>
  );
}
