import { formatDay } from '../../contract/timeZones';
import { useAction } from '../hooks/useAction';
import { detailOr } from '../hooks/useErrorToast';
import { useFeature, useMay } from '../state/session';
import { CommandButton } from './CommandButton';
import { downloadFile } from './downloadFile';

/** 'Export CSV': downloads all pages of the list with its filters. Nothing if the server offers no export. */
export function ExportButton({ name, load }: { name: string; load: () => Promise<Blob> }) {
  const isOffered = useFeature('export'),
    mayExport = useMay('export');
  const save = useAction(async (_: null) => downloadFile(await load(), `${name}-${formatDay(new Date())}.csv`), {
    done: null,
    failed: detailOr('Failed to export the list'),
  });
  if (!isOffered || !mayExport) return null;
  return (
    <CommandButton className="secondary" disabled={save.busy} aria-busy={save.busy} onClick={() => void save.run(null)}>
      Export CSV
    </CommandButton>
  );
}
