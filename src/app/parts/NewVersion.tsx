import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { readDraft, saveDraft } from '../state/drafts';
import { useToastRegion } from '../state/toasts';
import { NEW_VERSION } from '../ui/lazyWithRetry';

/** The tab remembers for which version it was reloaded: if that brought no other app, another reload will not. */
const RELOADED = 'reload';

/** Offers to reload the page, because the server has a version that this app does not fit. */
export function NewVersion({ version }: { version: string }) {
  const region = useToastRegion();
  const [done, setDone] = useState<unknown>(() => readDraft(RELOADED)?.version);
  const [isThere, setThere] = useState(false);
  useEffect(() => setThere(true), []); // screen readers announce what is added to a region that is there
  if (!region || version === done) return null;
  return createPortal(
    <div role="status">
      {isThere && (
        <p className="toast">
          <span>{NEW_VERSION}</span>
          <button
            type="button"
            onClick={() => {
              saveDraft(RELOADED, { version });
              location.reload();
            }}
          >
            Reload the page
          </button>
          <button type="button" className="close" aria-label="Dismiss" onClick={() => setDone(version)} />
        </p>
      )}
    </div>,
    region,
  );
}
