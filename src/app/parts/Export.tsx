import { useEffect } from 'react';
import { formatDayIn } from '../../contract/timeZones';
import { useAction } from '../hooks/useAction';
import { detailOr } from '../hooks/useErrorToast';
import { downloadFile } from './downloadFile';

/** Downloads the list once it is mounted; by itself, because the Users list comes without what sends actions. */
export function Export({ name, load, onEnd }: { name: string; load: () => Promise<Blob>; onEnd: () => void }) {
  const save = useAction(async (_: null) => downloadFile(await load(), `${name}-${formatDayIn(new Date())}.csv`), {
    done: null,
    failed: detailOr('Failed to export the list'),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => void save.run(null).then(onEnd), []);
  return null;
}
