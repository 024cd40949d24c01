/** A file through the calls, cut up as the app cuts it. */
import type { Api } from '../src/app/api/client';
import { noProgress, type Progress, uploadBatches } from '../src/app/parts/imports/uploadBatches';
import type { ImportKind } from '../src/contract/imports';

type Options = Partial<Parameters<typeof uploadBatches>[2]> & {
  tenant_id?: number;
  isCheck?: boolean;
  from?: Progress;
};

export function importFile(
  api: Api,
  kind: ImportKind,
  text: string,
  { tenant_id = 2, isCheck = false, from = noProgress, ...going }: Options = {},
): Promise<Progress> {
  const call = isCheck ? api.checkImport : api.importRows;
  return uploadBatches(new Blob([text]), from, {
    send: ({ header, rows, firstLine }) =>
      call({ body: { tenant_id, kind, header, rows, first_line: firstLine, file_name: `${kind}.csv` } }),
    onProgress: () => {},
    isStopped: () => false,
    pauses: [],
    ...going,
  });
}

/** Only the counts, and the rejects as 'line column: reason'. */
export const summary = ({ created, existing, repeated, rejects }: Progress) => ({
  created,
  existing,
  ...(repeated && { repeated }),
  rejects: rejects.map(({ line, column, reason }) => `${line} ${column ?? '-'}: ${reason}`),
});

/** The same of an import: how many rows came in, how many were there, and each reject. */
export async function imported(...given: Parameters<typeof importFile>): Promise<(number | string)[]> {
  const { created, existing, rejects } = summary(await importFile(...given));
  return [created, existing, ...rejects];
}
