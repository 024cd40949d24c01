import { useState, type ReactNode } from 'react';
import { useFeature } from '../session';
import { lazyPart } from '../ui/lazyPart';

/** The audit log, fetched when somebody opens it. */
export const AuditLog = lazyPart(() => import('./AuditLog').then((file) => file.AuditLog));

/** The button for the title bar, nothing where the server has no audit log; and the dialog, to stand outside that bar, whose look its fields would take. */
export function useAuditLog(): { button: ReactNode; dialog: ReactNode } {
  const [isOpen, setIsOpen] = useState(false);
  const isOffered = useFeature('audit');
  return {
    button: isOffered && <button type="button" className="chip" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>Audit</button>,
    dialog: isOpen && <AuditLog onClose={() => setIsOpen(false)} />,
  };
}
