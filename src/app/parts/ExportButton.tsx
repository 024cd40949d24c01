import { useState } from 'react';
import { useOffered } from '../state/session';
import { lazyWithRetry } from '../ui/lazyWithRetry';
import { CommandButton } from './CommandButton';

const Export = lazyWithRetry(() => import('./Export').then((file) => file.Export));

/** 'Export CSV': downloads all pages of the list with its filters. Nothing if the server offers no export. */
export function ExportButton(list: { name: string; load: () => Promise<Blob> }) {
  const [isBusy, setBusy] = useState(false);
  if (!useOffered('export')) return null;
  return (
    <>
      <CommandButton className="secondary" disabled={isBusy} aria-busy={isBusy} onClick={() => setBusy(true)}>
        Export CSV
      </CommandButton>
      {isBusy && <Export {...list} onEnd={() => setBusy(false)} />}
    </>
  );
}
