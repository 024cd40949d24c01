import { useLayoutEffect, useState, type ComponentType, type ReactNode } from 'react';
import type { Feature } from '../../contract/constants';
import { useSession } from '../state/session';
import { lazyWithRetry } from '../ui/lazyWithRetry';
import { Account } from './lazyAccount';
import { AuditLog } from './lazyAuditLog';
import type { Screens } from './search/groups';

const Search = lazyWithRetry(() => import('./search/Search').then((file) => file.Search));
const ApiKeys = lazyWithRetry(() => import('./ApiKeys').then((file) => file.ApiKeys));

interface Tool { label: string; feature: Feature; Dialog: ComponentType<{ screens?: Screens; onClose: () => void }>; /** Opens it together with Ctrl, on a Mac with Cmd. */ key?: string }

/** What opens from the title bar beside the specification's chips, in order: each fetched when somebody opens it, each only where the server offers it. */
const tools: Tool[] = [
  { label: 'Search', feature: 'search', Dialog: Search, key: 'K' },
  { label: 'Audit', feature: 'audit', Dialog: AuditLog },
  { label: 'API Keys', feature: 'api_keys', Dialog: ApiKeys },
  { label: 'Account', feature: 'account', Dialog: Account },
];
const isMac = /Mac|iP/.test(navigator.platform);

/** The buttons for the title bar; and the dialog that is open, to stand outside that bar, whose look its fields would take. */
export function useToolbar(screens: Screens): { buttons: ReactNode; dialog: ReactNode } {
  const features = useSession().session.user?.features ?? [];
  const [open, setOpen] = useState<Tool | null>(null);
  const offered = tools.filter(({ feature }) => features.includes(feature));
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const tool = offered.find(({ key }) => key && key === event.key?.toUpperCase());
      if (!tool || !(isMac ? event.metaKey : event.ctrlKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setOpen((old) => old ?? tool); // what another shows only once stays
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
  return {
    buttons: offered.map((tool) => (
      <button key={tool.label} type="button" className="chip" aria-haspopup="dialog" {...tool.key && { title: (isMac ? '⌘' : 'Ctrl+') + tool.key, 'aria-keyshortcuts': (isMac ? 'Meta+' : 'Control+') + tool.key }}
        onClick={() => setOpen(tool)}>{tool.label}</button>
    )),
    dialog: open && <open.Dialog screens={screens} onClose={() => setOpen(null)} />,
  };
}
