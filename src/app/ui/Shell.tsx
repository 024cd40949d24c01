import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useOnline } from '../hooks/useOnline';
import { ColourModeSwitch } from '../state/ColourModeSwitch';
import { useSession } from '../state/session';

/** The frame around every screen: skip link, title bar with chips and Logout, side menu if there is one, and main. */
export function Shell({
  title,
  chips,
  links,
  menu,
  children,
}: {
  title: ReactNode;
  chips: ReactNode;
  links?: ReactNode;
  menu?: ReactNode;
  children: ReactNode;
}) {
  const { signOut } = useSession();
  const main = useRef<HTMLElement>(null);
  const isOnline = useOnline();
  const [path] = useLocation();
  const first = useRef(path);
  useEffect(() => {
    // A screen reader starts at the top of the new screen.
    if (first.current !== path) main.current?.focus({ preventScroll: true });
    first.current = '';
  }, [path]);

  return (
    <>
      {/* Not a link to '#main', which <base> would turn into a link to another page. */}
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header className="bar top">
        <span id="menus" />
        <h1>{title}</h1>
        {links && <nav aria-label="Screens">{links}</nav>}
        <div className="chips">{chips}</div>
        <ColourModeSwitch />
        <button type="button" className="secondary" onClick={signOut}>
          Logout
        </button>
      </header>
      <p role="status" className="offline">
        {!isOnline && 'You are offline. What you see may be out of date.'}
      </p>
      <div className={menu ? 'with-side' : undefined}>
        {menu}
        <main ref={main} id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  );
}
