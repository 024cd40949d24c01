import { useState } from 'react';
import { useFeature } from '../session';
import { lazyPart } from '../ui/lazyPart';

/** The audit log, fetched when somebody opens it. */
export const AuditLog = lazyPart(() => import('./AuditLog').then((file) => file.AuditLog));

/** Opens the audit log from the title bar; nothing where the server has none. */
export function AuditButton() {
  const [isOpen, setIsOpen] = useState(false);
  if (!useFeature('audit')) return null;
  return (
    <>
      <button type="button" className="chip" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>Audit</button>
      {isOpen && <AuditLog onClose={() => setIsOpen(false)} />}
    </>
  );
}
