/**
 * npm run verify [-- --since FILE] [--demo]: checks the ledger, the audit log and one against the other, also while the
 * server runs. FILE is a log of the server, or heads of the audit log from it.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { countHeads, type Heads, readHeadsFile } from '../audit/heads';
import { verifyAudit } from '../audit/verify';
import { readKeys } from '../auth/keyFile';
import { openKeyring } from '../auth/keyring';
import type { Secrets } from '../auth/secrets';
import { findReplaced, setSystemPath } from '../db/genuineTables';
import { type Database, DatabaseRefused } from '../db/open';
import { noteUpkeep } from '../db/upkeep';
import { withDatabase } from '../db/withDatabase';
import { verifyLedger } from '../ledger/verify';
import { verifyEvidence } from '../ledger/verifyEvidence';
import { readSettings, SettingsError } from '../settings';
import { helpText } from '../settingsText';
import { areTermsRecorded, isLedgerRecorded, openKeyCheck, readInstallation } from './setup';

interface Arguments {
  since: string | undefined;
  isDemo: boolean;
}

function parseArguments(args: string[]): Arguments {
  try {
    const { values } = parseArgs({
      args,
      options: { since: { type: 'string' }, demo: { type: 'boolean', default: false } },
    });
    if (values.since !== '') return { since: values.since, isDemo: values.demo };
  } catch {
    // an unknown option
  }
  throw new SettingsError('Usage: npm run verify -- [--since FILE] [--demo]');
}

async function readNotedHeads(file: string): Promise<Heads> {
  const heads = await readHeadsFile(resolve(file)).catch((error: unknown) => {
    throw new SettingsError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  });
  if (heads.size === 0) throw new SettingsError(`${file} has no heads of the audit log.`);
  return heads;
}

/** What a check found, and its result in one sentence. */
interface Finding {
  sentences: readonly string[];
  result: string;
}

/** Whether the other checks read what the server reads. It says nothing about tables that are as they should be. */
async function checkTables(db: Database): Promise<Finding | null> {
  const sentences = await db.tx(findReplaced);
  return sentences.length
    ? {
        sentences,
        result: `What the server and this command read was replaced: ${formatCount(sentences.length, 'finding')}.`,
      }
    : null;
}

async function checkLedger(db: Database): Promise<Finding> {
  const sentences = await db.tx(async (sql) => {
    await sql`set local statement_timeout = 0`;
    await setSystemPath(sql);
    return verifyLedger(sql);
  });
  const differences = formatCount(sentences.length, 'difference');
  return {
    sentences,
    result: sentences.length ? `The ledger does not add up: ${differences}.` : 'The ledger adds up.',
  };
}

/** The ledger against the audit log, and the seals of redeems. */
async function checkEvidence(db: Database, secrets: Secrets, keyCheck: string): Promise<Finding> {
  const found = await verifyEvidence(db, secrets, { hasTerms: areTermsRecorded(keyCheck) });
  if (!found && !isLedgerRecorded(keyCheck))
    return { sentences: [], result: 'The ledger is compared with the audit log from the next start of the server on.' };
  const sentences = found ?? ['The entry that records the ledger was deleted from the audit log.'];
  const result = sentences.length
    ? `The ledger and the audit log do not agree: ${formatCount(sentences.length, 'difference')}.`
    : 'The ledger and the audit log agree.';
  return { sentences, result };
}

async function checkAudit(db: Database, secrets: Secrets, since: Heads | undefined): Promise<Finding> {
  const { entries, sentences } = await verifyAudit(db, secrets, { since });
  const counted = formatCount(entries, 'entry', 'entries'),
    through = since ? ` It goes through ${formatCount(countHeads(since), 'noted head')}.` : '';
  const result = sentences.length
    ? `The audit log was tampered with: ${formatCount(sentences.length, 'finding')} in ${counted}.`
    : `The audit log is intact: ${counted}, nothing edited, deleted or inserted.${through}`;
  return { sentences, result };
}

async function main(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(helpText());
    return 0;
  }
  const { since, isDemo } = parseArguments(args);
  const settings = readSettings(isDemo ? ['--demo'] : [], process.env);
  const noted = since === undefined ? undefined : await readNotedHeads(since);
  return withDatabase({ ...settings, allowUnsafeDatabase: true }, { mustExist: true }, async (db) => {
    const installation = await readInstallation(db.sql);
    if (!installation) throw new DatabaseRefused('The database is empty.');
    const secrets = await openKeyring(db.sql, () => readKeys(settings));
    const keyCheck = openKeyCheck(installation, secrets);
    let found = 0;
    for (const check of [
      () => checkTables(db),
      () => checkLedger(db),
      () => checkAudit(db, secrets, noted),
      () => checkEvidence(db, secrets, keyCheck),
    ]) {
      const finding = await check();
      if (!finding) continue;
      const { sentences, result } = finding;
      process.stdout.write([...sentences, result, ''].join('\n'));
      found += sentences.length;
    }
    const problem = await noteUpkeep(db.sql, 'verify', { findings: found });
    if (problem) process.stderr.write(`This check could not be noted in the database: ${problem}\n`);
    return found > 0 ? 1 : 0;
  });
}

const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
