import type { Secrets } from '../auth/secrets';
import { setSystemPath } from '../db/genuineTables';
import type { Database } from '../db/open';
import { verifyApprovals } from '../ledger/approvalSeal';
import { verifyPayouts } from '../ledger/payoutSeal';
import { compareApprovals } from './compareApprovals';
import { compareMonths } from './compareMonths';
import { compareTerms, compareWithAudit, findLedgerRecords } from './compareWithAudit';

/** Checks the ledger against the audit log and the seals, in one snapshot: a sentence for each difference. */
export const verifyEvidence = ({ sql }: Database, secrets: Secrets): Promise<string[]> =>
  sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx`set local statement_timeout = 0`;
    await setSystemPath(tx);
    const [record, ...more] = await findLedgerRecords(tx);
    if (!record) return ['The entry that records the ledger was deleted from the audit log.'];
    return [
      ...more.map(({ entry_id }) => `Entry ${entry_id} of the audit log records the ledger a second time.`),
      ...(await compareWithAudit(tx, record)),
      ...(await compareTerms(tx)),
      ...(await compareApprovals(tx, record)),
      ...(await compareMonths(tx)),
      ...(await verifyApprovals(tx, secrets)),
      ...(await verifyPayouts(tx, secrets, { lastUnsealed: record.last_transaction })),
    ];
  });
