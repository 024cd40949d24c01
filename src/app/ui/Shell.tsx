import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { NARROW, useMediaQuery } from '../hooks/useMediaQuery';
import { useOnline } from '../hooks/useOnline';
import { ColourModeSwitch } from '../state/ColourModeSwitch';
import { useSession } from '../state/session';
import { BarMenu } from './BarMenu';
import { Button } from './Button';
import { formatExactly } from './formatExactly';
import { useZone } from './zones';

/**
 * The frame around every screen: skip link, title bar, side menu, and main. The bar shows the tenant, the figures of
 * today, the search, the menu of the person and Logout. On a narrow screen the figures and Logout are in the menu, too.
 */
export function Shell({
  title,
  tenant,
  figures,
  links,
  search,
  tools,
  menu,
  children,
}: {
  title: ReactNode;
  /** The name of the tenant whose view this is. */
  tenant: string | undefined;
  figures: ReactNode;
  links?: ReactNode;
  search: ReactNode;
  /** The buttons of the person's menu. */
  tools: ReactNode;
  menu?: ReactNode;
  children: ReactNode;
}) {
  const { session, signOut } = useSession();
  const main = useRef<HTMLElement>(null);
  const isOnline = useOnline();
  const isNarrow = useMediaQuery(NARROW);
  const [path] = useLocation();
  const first = useRef(path);
  useEffect(() => {
    // A screen reader starts at the top of the new screen.
    if (first.current !== path) main.current?.focus({ preventScroll: true });
    first.current = '';
  }, [path]);

  const printed = useRef<HTMLDivElement>(null);
  const { zone } = useZone();
  useEffect(() => {
    const note = () => printed.current?.setAttribute('data-printed', formatExactly(new Date(), zone));
    addEventListener('beforeprint', note);
    return () => removeEventListener('beforeprint', note);
  }, [zone]);

  const nav = links && <nav aria-label="Screens">{links}</nav>;
  const logout = <Button onClick={signOut}>Logout</Button>;
  return (
    <>
      {/* Not a link to '#main', which <base> would turn into a link to another page. */}
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header className="top">
        <span id="menus" />
        <div ref={printed} className="title">
          <h1>{title}</h1>
          {tenant && <h2>{tenant}</h2>}
        </div>
        {!isNarrow && nav}
        {!isNarrow && figures}
        {search}
        <BarMenu label={session.user?.email ?? 'More'}>
          {session.user?.email && <p>{session.user.email}</p>}
          {isNarrow && nav}
          {isNarrow && figures}
          {tools}
          <ColourModeSwitch />
          {isNarrow && logout}
        </BarMenu>
        {!isNarrow && logout}
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
