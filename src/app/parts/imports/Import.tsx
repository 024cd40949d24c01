import { useState } from 'react';
import type { ImportKind } from '../../../contract/imports';
import { ImportDialog } from './ImportDialog';

/** The button, and the dialog that it opens. `reload` after anything has come in. */
export function Import(props: { kind: ImportKind; tenantId: number | undefined; reload: () => unknown }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="secondary" aria-haspopup="dialog" onClick={() => setOpen(true)}>Import</button>
      {isOpen && <ImportDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
