/**
 * `npm run verify -- [--since FILE] [--demo]`: checks the ledger, the audit log and one against the other, also while
 * the server runs. FILE is a log of the server, or heads of the audit log from it.
 */
import { resolve } from 'node:path';
import { type Heads, readHeadsFile } from '../audit/heads';
import { readKeys } from '../auth/keyFile';
import { openKeyring } from '../auth/keyring';
import { SettingsError } from '../core/settings';
import { DatabaseRefused } from '../db/open';
import { noteUpkeep } from '../db/upkeep';
import { withDatabase } from '../db/withDatabase';
import { type Env, readCommand, type Say, wrongUsage } from './arguments';
import { runChecks } from './checks';
import { readInstallation, refuseOtherKey } from './setup';

const USAGE = 'npm run verify -- [--since FILE] [--demo]';

async function readNotedHeads(file: string): Promise<Heads> {
  const heads = await readHeadsFile(resolve(file)).catch((error: unknown) => {
    throw new SettingsError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
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
