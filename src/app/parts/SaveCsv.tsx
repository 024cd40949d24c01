import { formatDay } from '../../contract/dates';
import { detailOr } from '../hooks/useErrorToast';
import { useAction } from '../hooks/useAction';

/** Fetches a list as a file and hands it to the browser to keep. */
export function SaveCsv({ name, load }: { name: string; load: () => Promise<Blob> }) {
  const save = useAction(async (_: null) => keep(await load(), `${name}-${formatDay(new Date())}.csv`), { done: null, failed: detailOr('Failed to export the list') });
  return <button type="button" className="secondary" disabled={save.busy} aria-busy={save.busy} onClick={() => void save.run(null)}>Export CSV</button>;
}

/** Hands a file to the browser to keep. */
export function keep(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // not before the browser has begun to write it
}
