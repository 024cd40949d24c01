import { useState, type ComponentType, type ReactNode } from 'react';
import type { Feature } from '../../contract/constants';
import { useSession } from '../session';
import { AuditLog } from './audit';

interface Tool { label: string; feature: Feature; Dialog: ComponentType<{ onClose: () => void }> }

/** What opens from the title bar beside the specification's chips, in order: each fetched when somebody opens it, each only where the server offers it. */
const tools: Tool[] = [
  { label: 'Audit', feature: 'audit', Dialog: AuditLog },
];

/** The buttons for the title bar; and the dialog that is open, to stand outside that bar, whose look its fields would take. */
export function useBarTools(): { buttons: ReactNode; dialog: ReactNode } {
  const features = useSession().session.user?.features ?? [];
  const [open, setOpen] = useState<Tool | null>(null);
  return {
    buttons: tools.filter(({ feature }) => features.includes(feature)).map((tool) =>
      <button key={tool.label} type="button" className="chip" aria-haspopup="dialog" onClick={() => setOpen(tool)}>{tool.label}</button>),
    dialog: open && <open.Dialog onClose={() => setOpen(null)} />,
  };
}
