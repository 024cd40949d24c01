import { formatDay } from '../../contract/dates';
import { useAction } from '../hooks/useAction';
import { detailOr } from '../hooks/useErrorToast';
import { downloadFile } from './downloadFile';

/** Downloads a list as a file. */
export function SaveCsv({ name, load }: { name: string; load: () => Promise<Blob> }) {
  const save = useAction(async (_: null) => downloadFile(await load(), `${name}-${formatDay(new Date())}.csv`), {
    done: null,
    failed: detailOr('Failed to export the list'),
  });
  return (
    <button
      type="button"
      className="secondary"
      disabled={save.busy}
      aria-busy={save.busy}
      onClick={() => void save.run(null)}
    >
      Export CSV
    </button>
  );
}
