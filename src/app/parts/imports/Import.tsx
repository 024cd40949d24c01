import { useState } from 'react';
import type { ImportKind } from '../../../contract/imports';
import { ImportDialog } from './ImportDialog';

/** The button and its dialog. Calls `reload` after rows were imported. */
export function Import(props: { kind: ImportKind; tenantId: number | undefined; reload: () => unknown }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="secondary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Import
      </button>
      {isOpen && <ImportDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
