import type { Secrets } from '../auth/secrets';
import { setSystemPath } from '../db/genuineTables';
import type { Database } from '../db/open';
import { verifyPayouts } from '../ledger/payoutSeal';
import { compareTerms, compareWithAudit, findLedgerRecords } from './compareWithAudit';

/**
 * Checks the ledger against the audit log and the seals of redeems, in one snapshot. Returns a sentence for each
 * difference, or null if the audit log does not cover the ledger: that begins at the first start of this version.
 * `hasTerms`: the terms of money were recorded.
 */
export const verifyEvidence = (
  { sql }: Database,
  secrets: Secrets,
  { hasTerms = false }: { hasTerms?: boolean } = {},
): Promise<string[] | null> =>
  sql.begin('isolation level repeatable read read only', async (tx): Promise<string[] | null> => {
    await tx`set local statement_timeout = 0`;
    await setSystemPath(tx);
    const [record, ...more] = await findLedgerRecords(tx);
    if (!record) return null;
    return [
      ...more.map(({ entry_id }) => `Entry ${entry_id} of the audit log records the ledger a second time.`),
      ...(await compareWithAudit(tx, record)),
      ...(await compareTerms(tx, { isMade: hasTerms })),
      ...(await verifyPayouts(tx, secrets, { lastUnsealed: record.last_transaction })),
    ];
  });
