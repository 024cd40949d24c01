import { type ReactNode, useEffect, useId, useReducer, useRef } from 'react';
import { useLocation } from 'wouter';
import { listen } from '../api/listen';
import { NARROW, useMediaQuery } from '../hooks/useMediaQuery';
import { useOnline } from '../hooks/useOnline';
import { useSession } from '../state/session';
import { applyColourMode, colourModes, saveColourMode, storedColourMode } from '../state/storage';
import { Button } from './Button';
import { formatExactly, useZone } from './zones';

interface Props {
  title: ReactNode;
  tenant: string | undefined;
  figures: ReactNode;
  links?: ReactNode;
  search: ReactNode;
  tools: ReactNode;
  menu?: ReactNode;
  children: ReactNode;
}
/** The frame around every screen. On a narrow one the figures and Logout are in the menu of the person, too. */
export function Shell({ title, tenant, figures, links, search, tools, menu, children }: Props) {
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
    return listen(['beforeprint'], note);
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

/** A menu below the title bar, opened by a button. A click on a button or link in it closes it. */
function BarMenu({ label, children }: { label: string; children: ReactNode }) {
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

function ColourModeSwitch() {
  const [, render] = useReducer((count: number) => count + 1, 0);
  return (
    <label className="colour-mode">
      Colour mode
      <select
        aria-label="Colour mode"
        value={storedColourMode()} // the search changes it, too
        onChange={(event) => {
          const chosen = colourModes.find((known) => known === event.target.value) ?? 'system';
          saveColourMode(chosen);
          applyColourMode(chosen);
          render();
        }}
      >
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
