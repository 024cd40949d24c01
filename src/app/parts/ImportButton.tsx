import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { ImportKind } from '../../contract/imports';
import { useFeature, useMay } from '../state/session';
import { lazyWithRetry } from '../ui/lazyWithRetry';
import { CommandButton } from './CommandButton';

const ImportDialog = lazyWithRetry(() => import('./imports/ImportDialog').then((file) => file.ImportDialog));

/** 'Import' with its dialog. Calls `reload` after rows were imported. Nothing if the server offers no import. */
export function ImportButton({
  label = 'Import',
  ...props
}: {
  kind: ImportKind;
  tenantId: number | undefined;
  reload: () => unknown;
  label?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const isOffered = useFeature('import'),
    mayImport = useMay('import');
  if (!isOffered || !mayImport) return null;
  return (
    <>
      <CommandButton className="secondary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </CommandButton>
      {/* Outside the bar, which has styles of its own. */}
      {isOpen && createPortal(<ImportDialog {...props} onClose={() => setOpen(false)} />, document.body)}
    </>
  );
}
