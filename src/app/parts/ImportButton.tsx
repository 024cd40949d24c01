import type { ImportKind } from '../../contract/imports';
import { useOffered } from '../state/session';
import { lazyWithRetry } from '../ui/lazyWithRetry';
import { DialogButton } from './DialogButton';

const ImportDialog = lazyWithRetry(() => import('./imports/ImportDialog').then((file) => file.ImportDialog));

type Props = { kind: ImportKind; tenantId: number | undefined; reload: () => unknown; label?: string };
/** 'Import' with its dialog. Calls `reload` after rows were imported. Nothing if the server offers no import. */
export function ImportButton({ label = 'Import', ...props }: Props) {
  if (!useOffered('import')) return null;
  return (
    <DialogButton isCommand className="secondary" dialog={(onClose) => <ImportDialog {...props} onClose={onClose} />}>
      {label}
    </DialogButton>
  );
}
