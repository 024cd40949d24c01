import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ColourModeSwitch } from '../state/ColourModeSwitch';
import { useOnline } from '../hooks/useOnline';
import { useSession } from '../state/session';

/** What stands around every screen: skip link, title bar with the chips it is handed and Logout, side menu if there is one, main landmark. */
export function Shell({ title, chips, links, menu, children }: {
  title: ReactNode; chips: ReactNode; links?: ReactNode; menu?: ReactNode; children: ReactNode;
}) {
  const { signOut } = useSession();
  const main = useRef<HTMLElement>(null);
  const isOnline = useOnline();
  const [path] = useLocation();
  const first = useRef(path);
  useEffect(() => {
    if (first.current !== path) main.current?.focus({ preventScroll: true }); // a new screen is read from its beginning
    first.current = '';
  }, [path]);

  return (
    <>
      {/* A link to '#main' would leave the page when it is mounted below a path: <base> goes before it. */}
      <button type="button" className="skip" onClick={() => main.current?.focus()}>Skip to content</button>
      <header className="bar top">
        <span id="menus" />
        <h1>{title}</h1>
        {links && <nav aria-label="Screens">{links}</nav>}
        <div className="chips">{chips}</div>
        <ColourModeSwitch />
        <button type="button" className="secondary" onClick={signOut}>Logout</button>
      </header>
      <p role="status" className="offline">{!isOnline && 'You are offline. What is on screen may be old.'}</p>
      <div className={menu ? 'with-side' : undefined}>
        {menu}
        <main ref={main} id="main" tabIndex={-1}>{children}</main>
      </div>
    </>
  );
}
