import { type ComponentType, type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Feature } from '../contract/constants';
import type { Permission } from '../contract/permissions';
import { TOOL } from '../contract/routes';
import { listen } from './api/listen';
import { Account } from './dialogs/account/lazyAccount';
import type { Screens } from './dialogs/search/groups';
import type { Tool as SearchTool } from './dialogs/search/Search';
import { AuditLog } from './parts/audit/lazyAuditLog';
import { useSession } from './state/session';
import { lazyWithRetry } from './ui/lazyWithRetry';

const Search = lazyWithRetry(() => import('./dialogs/search/Search').then((file) => file.Search));
const Team = lazyWithRetry(() => import('./dialogs/team/Team').then((file) => file.Team));
const Approvals = lazyWithRetry(() => import('./parts/approvals/Approvals').then((file) => file.Approvals));
const Books = lazyWithRetry(() => import('./dialogs/books/Books').then((file) => file.Books));
const Bell = lazyWithRetry(() => import('./dialogs/notifications/Bell').then((file) => file.Bell));
const NotificationSettings = lazyWithRetry(() =>
  import('./dialogs/notifications/NotificationSettings').then((file) => file.NotificationSettings),
);
const ApiKeys = lazyWithRetry(() => import('./dialogs/apiKeys/ApiKeys').then((file) => file.ApiKeys));

interface Tool {
  label: string;
  feature: Feature;
  Dialog: ComponentType<{ screens?: Screens; tools?: readonly SearchTool[]; onClose: () => void }>;
  /** Shown to people with one of these permissions; else to everybody. */
  needs?: readonly Permission[];
  /** Has no button: a link or the bell opens it. */
  isInBell?: true;
  key?: string;
}

/** The tools of the title bar and of its menu, in order, each fetched when it is opened. */
const tools: Tool[] = [
  { label: 'Search', feature: 'search', Dialog: Search, key: 'K' },
  { label: 'Audit', feature: 'audit', Dialog: AuditLog },
  { label: 'Books', feature: 'books', Dialog: Books },
  { label: 'API keys', feature: 'api_keys', Dialog: ApiKeys, needs: ['settings'] },
  // Super admins have the screen Admins.
  { label: 'Team', feature: 'permissions', Dialog: Team, needs: ['team'] },
  { label: 'Approvals', feature: 'approvals', Dialog: Approvals, needs: ['queue', 'payouts', 'money', 'team'] },
  { label: 'Account', feature: 'account', Dialog: Account },
  { label: 'Notifications', feature: 'notifications', Dialog: NotificationSettings, isInBell: true },
];
const isMac = /Mac|iP/.test(navigator.platform);

/** The search, the buttons for the menu, and the open dialog, to be rendered outside the bar with its styles. */
export function useToolbar(screens: Screens): { search: ReactNode; buttons: ReactNode; dialog: ReactNode } {
  const { user } = useSession().session;
  const [open, setOpen] = useState<Tool | null>(null);
  const offered = useMemo(
    () =>
      tools.filter(
        ({ label, feature, needs }) =>
          user?.features?.includes(feature) &&
          (!needs || (user.permissions?.some((one) => needs.includes(one)) ?? label !== 'Team')),
      ),
    [user],
  );
  useLayoutEffect(() => {
    return listen(['keydown'], (event: KeyboardEvent) => {
      const tool = offered.find(({ key }) => key && key === event.key?.toUpperCase());
      if (!tool || !(isMac ? event.metaKey : event.ctrlKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setOpen((old) => old ?? tool); // an open dialog may show something only once
    });
  }, [offered]);
  const [path, navigate] = useLocation();
  const search = useSearch();
  useEffect(() => {
    // A link can open a tool: '?tool=Books'. Only the link does, so a reload and Back do not open it again.
    const query = new URLSearchParams(search);
    const tool = offered.find(({ label }) => label === query.get(TOOL));
    if (!query.has(TOOL)) return;
    query.delete(TOOL);
    navigate(`${path}${query.size ? `?${query}` : ''}`, { replace: true });
    if (tool) setOpen((old) => old ?? tool);
  }, [offered, path, search, navigate]);
  const isSearch = ({ label }: Tool) => label === 'Search';
  const others = offered.filter((tool) => !isSearch(tool));
  const toButton = (tool: Tool) => (
    <button
      key={tool.label}
      type="button"
      className={isSearch(tool) ? 'secondary search' : 'secondary'}
      aria-haspopup="dialog"
      {...(tool.key && {
        title: (isMac ? '⌘' : 'Ctrl+') + tool.key,
        'aria-keyshortcuts': (isMac ? 'Meta+' : 'Control+') + tool.key,
      })}
      onClick={() => setOpen(tool)}
    >
      {isSearch(tool) ? <span>{tool.label}</span> : tool.label}
    </button>
  );
  return {
    search: (
      <>
        {offered.filter(isSearch).map(toButton)}
        {user?.features?.includes('notifications') && <LateBell />}
      </>
    ),
    buttons: others.filter(({ isInBell }) => !isInBell).map(toButton),
    dialog: open && <open.Dialog {...(isSearch(open) && { screens, tools: others })} onClose={() => setOpen(null)} />,
  };
}

/** Time for the first screen to load, which has more to say. */
const BELL_MS = 1500;

/** The bell comes after the first screen. Until then, and if it cannot be loaded, its place is empty. */
function LateBell() {
  const [isHere, setHere] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => void Bell.fetch().then(() => setHere(true), String), BELL_MS);
    return () => clearTimeout(timer);
  }, []);
  return <span className="bell">{isHere && <Bell />}</span>;
}
