import { TransactionList } from '../parts/TransactionList';

/** What players have put on game platforms. */
export const Deposits = ({ tenantId }: { tenantId?: number }) => (
  <TransactionList kind="DEPOSIT" tenantId={tenantId} title="Deposits (Platform Only)" />
);
