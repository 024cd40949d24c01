import { type ReactNode, useEffect, useRef } from 'react';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import { downloadFile } from '../../parts/downloadFile';
import { useMay } from '../../state/session';
import { Button } from '../../ui/Button';
import { CloseButton, Dialog } from '../../ui/Dialog';
import { printAlone } from './printAlone';

interface Props {
  title: string;
  children: ReactNode;
  isReady: boolean;
  fetchFile: () => Promise<Blob>;
  fileName: string;
  onClose: () => void;
}
/** A dialog that is a page to print, and a CSV file. */
export function PaperDialog({ title, children, isReady, fetchFile, fileName, onClose }: Props) {
  const mayExport = useMay('export');
  const page = useRef<HTMLElement>(null);
  useEffect(() => printAlone(() => page.current), []);
  const save = useAction(async (_: null) => downloadFile(await fetchFile(), `${fileName}.csv`), {
    done: null,
    failed: detailOr(`Failed to export the ${fileName.split('-')[0]}`),
  });
  return (
    <Dialog title={title} wide onClose={onClose}>
      <section ref={page} aria-label={title}>
        {children}
      </section>
      <footer>
        {mayExport && (
          <Button busy={save.busy} onClick={() => void save.run(null)}>
            Export CSV
          </Button>
        )}
        <Button disabled={!isReady} onClick={() => window.print()}>
          Print
        </Button>
        <CloseButton />
      </footer>
    </Dialog>
  );
}
