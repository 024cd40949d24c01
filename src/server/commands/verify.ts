/** `npm run verify -- [--since FILE] [--demo]`, also while the server runs. FILE: its log, or heads from it. */
import { resolve } from 'node:path';
import { countHeads, type Heads, readHeadsFile } from '../audit/heads';
import { verifyAudit } from '../audit/verify';
import { readKeys } from '../auth/keyFile';
import { openKeyring } from '../auth/keyring';
import type { Secrets } from '../auth/secrets';
import { verifyClosedMonths } from '../books/closedMonthCheck';
import { verifyLedger } from '../books/verify';
import { verifyEvidence } from '../books/verifyEvidence';
import { SettingsError } from '../core/settings';
import { findReplaced, setSystemPath } from '../db/genuineTables';
import { type Database, DatabaseRefused, messageOf } from '../db/open';
import { noteUpkeep } from '../db/upkeep';
import { withDatabase } from '../db/withDatabase';
import { type Env, readCommand, type Say, wrongUsage } from './arguments';
import { readInstallation, refuseOtherKey } from './setup';

// What `npm run verify` checks: the tables, the ledger, the audit log, and one against the other.
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

const USAGE = 'npm run verify -- [--since FILE] [--demo]';

async function readNotedHeads(file: string): Promise<Heads> {
  const heads = await readHeadsFile(resolve(file)).catch((error: unknown) => {
    throw new SettingsError(`${file} cannot be read: ${messageOf(error)}.`);
  });
  if (heads.size === 0) throw new SettingsError(`${file} has no heads of the audit log.`);
  return heads;
}

/** Sets the exit code of the process to 1 if something is found. */
export async function verify(args: string[], env: Env, say: Say): Promise<void> {
  const { values, positionals, settings } = readCommand(USAGE, args, env, { since: { type: 'string' } });
  const { since } = values;
  if (since === '' || positionals.length) throw wrongUsage(USAGE);
  const noted = since === undefined ? undefined : await readNotedHeads(since);
  await withDatabase({ ...settings, allowUnsafeDatabase: true }, { mustExist: true }, async (db) => {
    const installation = await readInstallation(db.sql);
    if (!installation) throw new DatabaseRefused('The database is empty.');
    const secrets = await openKeyring(db.sql, () => readKeys(settings));
    refuseOtherKey(installation, secrets);
    let found = 0;
    for await (const { sentences, result } of runChecks(db, secrets, { since: noted })) {
      say([...sentences, result].join('\n'));
      found += sentences.length;
    }
    const problem = await noteUpkeep(db.sql, 'verify', { findings: found });
    if (problem) process.stderr.write(`This check could not be noted in the database: ${problem}\n`);
    if (found > 0) process.exitCode = 1;
  });
}
