import { TransactionQueue } from '../parts/queue/TransactionQueue';
import { TransactionList } from '../parts/TransactionList';
import { useFeature } from '../state/session';

/** The deposits of players at game platforms. */
export function Deposits({ tenantId }: { tenantId?: number }) {
  const list = { kind: 'DEPOSIT', tenantId, title: 'Deposits (Platform Only)' } as const;
  return useFeature('queue') ? <TransactionQueue {...list} /> : <TransactionList {...list} />;
}
