import { useMemo } from 'react';
import { METRICS_FIRST_MS, type MoneyList, WATCH_EVERY_MS } from '../../../contract/constants';
import type { ListFilter, ListWatch } from '../../../contract/entities';
import type { Resource } from '../../hooks/useResource';
import { useFeature } from '../../state/session';
import { storedSignal } from '../../state/storage';
import { createPolling } from '../usePolling';
import type { Claimed } from './claim';

/** Asked again and again with the tag of the last answer: nearly always the server only says that nothing is new. */
const { usePolling } = createPolling<ListWatch, string>(
  (api, query, signal) => api.watchList(JSON.parse(query), { signal }),
  { firstMs: METRICS_FIRST_MS, everyMs: WATCH_EVERY_MS, isAskedHidden: () => storedSignal() === 'notice' },
);

/** Who has which row of a list, and how many are new; undefined until known, and if the server knows no such thing. */
export interface Watch {
  data: ListWatch | undefined;
  reload: () => Promise<void>;
}

export function useWatch(list: MoneyList, filter: ListFilter | null, lastId: number | undefined): Watch {
  const isEnabled = useFeature('claims') && filter !== null && lastId !== undefined;
  return usePolling(JSON.stringify({ ...filter, list, after_id: lastId }), { isEnabled });
}

type Found = Claimed & { id: number };
/** The rows with who has taken them by now. Those of whom nothing new is known stay as they are. */
export function useClaimedRows<Row>(rows: Resource<Row[]>, { data }: Watch): Resource<Row[]> {
  const known = JSON.stringify(data?.claims);
  return {
    ...rows,
    data: useMemo(() => {
      const claims: readonly Found[] | undefined = known === undefined ? undefined : JSON.parse(known);
      if (!claims) return rows.data;
      return rows.data?.map((row) => {
        const was = row as Row & Found;
        const { claimed_by = null, claimed_until = null } = claims.find(({ id }) => id === was.id) ?? {};
        const isSame = (was.claimed_by ?? null) === claimed_by && (was.claimed_until ?? null) === claimed_until;
        return isSame ? row : { ...row, claimed_by, claimed_until };
      });
    }, [rows.data, known]),
  };
}
