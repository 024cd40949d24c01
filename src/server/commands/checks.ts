/** What `npm run verify` checks: the tables, the ledger, the audit log, and one against the other. */
import { countHeads, type Heads } from '../audit/heads';
import { verifyAudit } from '../audit/verify';
import type { Secrets } from '../auth/secrets';
import { verifyClosedMonths } from '../books/closedMonthCheck';
import { verifyLedger } from '../books/verify';
import { verifyEvidence } from '../books/verifyEvidence';
import { findReplaced, setSystemPath } from '../db/genuineTables';
import type { Database } from '../db/open';

/** What a check found, and its result in one sentence. */
export interface Finding {
  sentences: readonly string[];
  result: string;
}

const conclude = (sentences: readonly string[], bad: string, good: string): Finding => ({
  sentences,
  result: sentences.length ? bad : good,
});

async function checkLedger(db: Database): Promise<Finding> {
  // Of one moment: Citus reads a statement in parts, and on one connection to each worker they have one snapshot.
  const sentences = await db.sql.begin('isolation level repeatable read read only', async (sql) => {
    await sql`set local citus.max_adaptive_executor_pool_size = 1`;
    await sql`set local statement_timeout = 0`;
    await sql`set local work_mem = '64MB'`; // what is added up of a tenant with a few million payments
    await setSystemPath(sql);
    return [...(await verifyLedger(sql)), ...(await verifyClosedMonths(sql))];
  });
  const differences = formatCount(sentences.length, 'difference');
  return conclude(sentences, `The ledger does not add up: ${differences}.`, 'The ledger adds up.');
}

/** The ledger against the audit log, and the seals of redeems. */
async function checkEvidence(db: Database, secrets: Secrets): Promise<Finding> {
  const sentences = await verifyEvidence(db, secrets),
    differences = formatCount(sentences.length, 'difference');
  const bad = `The ledger and the audit log do not agree: ${differences}.`;
  return conclude(sentences, bad, 'The ledger and the audit log agree.');
}

async function checkAudit(db: Database, secrets: Secrets, since: Heads | undefined): Promise<Finding> {
  const { entries, sentences } = await verifyAudit(db, secrets, { since });
  const counted = formatCount(entries, 'entry', 'entries'),
    through = since ? ` It goes through ${formatCount(countHeads(since), 'noted head')}.` : '';
  const bad = `The audit log was tampered with: ${formatCount(sentences.length, 'finding')} in ${counted}.`;
  return conclude(
    sentences,
    bad,
    `The audit log is intact: ${counted}, nothing edited, deleted or inserted.${through}`,
  );
}

/** Runs every check, one after another. `since`: heads that were noted elsewhere. */
export async function* runChecks(
  db: Database,
  secrets: Secrets,
  { since }: { since?: Heads | undefined } = {},
): AsyncGenerator<Finding> {
  // Whether the other checks read what the server reads. Nothing is said about tables that are as they should be.
  const replaced = await db.tx(findReplaced),
    findings = formatCount(replaced.length, 'finding');
  if (replaced.length) yield conclude(replaced, `What the server and this command read was replaced: ${findings}.`, '');
  yield await checkLedger(db);
  yield await checkAudit(db, secrets, since);
  yield await checkEvidence(db, secrets);
}

const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
