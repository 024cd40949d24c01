/** `npm run backup` and `npm run restore`, of the embedded database, running or not, or that of DATABASE_URL. */
import { join, resolve } from 'node:path';
import { readKeys } from '../auth/keyFile';
import { openKeyring } from '../auth/keyring';
import { type Manifest, openBackup, readManifest } from '../backup/manifest';
import { findRevived, restoreBackup, revokeAllKeys } from '../backup/restore';
import { deleteOldBackups, nameBackup } from '../backup/retention';
import { writeBackup } from '../backup/write';
import type { Settings } from '../core/settings';
import { noteUpkeep } from '../db/upkeep';
import { withDatabase } from '../db/withDatabase';
import { type Env, readCommand, type Say, wrongUsage } from './arguments';

const BACKUP = 'npm run backup -- FOLDER [--demo] [--keep NUMBER]';
const RESTORE = 'npm run restore -- FOLDER [--demo] [--replace] [--revoke-keys]';

/** Prints what it did. An error is one sentence for the operator. */
export async function runBackup(args: string[], env: Env, say: Say): Promise<void> {
  const { values, positionals, settings } = readCommand(BACKUP, args, env, { keep: { type: 'string' } });
  const folder = readFolder(BACKUP, positionals);
  if (!/^[1-9]\d{0,3}$/.test(values.keep ?? '1')) throw wrongUsage(BACKUP);
  /** How many backups the folder keeps; undefined: the folder becomes the backup itself. */
  const keep = values.keep === undefined ? undefined : Number(values.keep),
    target = keep === undefined ? folder : join(folder, nameBackup(new Date()));
  const { manifest, problem } = await withDatabase(settings, { mustExist: true }, async (db) => {
    const manifest = await writeBackup(db, target, await openKeyring(db.sql, () => readKeys(settings)));
    const done = { at: new Date(manifest.made_at), findings: manifest.ledger.length };
    return { manifest, problem: await noteUpkeep(db.sql, 'backup', done) };
  });
  say(describeBackup(manifest, target, settings));
  if (problem) say(`Warning: this backup could not be noted in the database: ${problem}`);
  if (keep === undefined) return;
  say(manifest.ledger.length ? KEPT_ALL : describeSwept(deleteOldBackups(folder, keep, readKeys(settings)), keep));
}

export async function runRestore(args: string[], env: Env, say: Say): Promise<void> {
  const { values, positionals, settings } = readCommand(RESTORE, args, env, {
    replace: { type: 'boolean', default: false },
    'revoke-keys': { type: 'boolean', default: false },
  });
  const folder = readFolder(RESTORE, positionals),
    isRevokingKeys = values['revoke-keys'];
  readManifest(folder); // a wrong folder is said first
  const backup = openBackup(folder, readKeys(settings)); // checked before a database is created
  const words = await withDatabase(settings, { mustExist: false }, async (db) => {
    const restored = await restoreBackup(db, backup, { isReplacing: values.replace }),
      revived = await findRevived(db.sql);
    if (isRevokingKeys) await revokeAllKeys(db, await openKeyring(db.sql, () => readKeys(settings)));
    return [...describeRestore(restored), ...describeRevived(revived, { isRevokingKeys })].join('\n');
  });
  say(words);
}

function readFolder(usage: string, [folder, ...more]: readonly string[]): string {
  if (!folder || more.length) throw wrongUsage(usage);
  return resolve(folder);
}

const KEPT_ALL = 'No older backup was deleted, because the ledger did not add up.';
const describeSwept = ({ deleted, unknown }: ReturnType<typeof deleteOldBackups>, keep: number): string =>
  [
    deleted.length
      ? `Deleted all backups but the newest ${keep}: ${deleted.join(', ')}.`
      : `No older backup was deleted: there are not more than ${keep}.`,
    ...(unknown ? [`${unknown} others were left: they are of another key, changed or mixed with other files.`] : []),
  ].join('\n');

function describeContents({ tables, made_at }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows.toLocaleString('en-US')} rows in ${tables.length} tables, as of ${made_at}`;
}

function describeBackup(manifest: Manifest, folder: string, { databaseUrl, secretKey, dataDir }: Settings): string {
  const key = databaseUrl !== undefined || secretKey !== undefined ? 'SECRET_KEY' : join(dataDir, 'secret.key');
  return [
    `Backed up ${describeContents(manifest)}, to ${folder}`,
    ...describeLedger(manifest),
    `The backup does not contain the secret key. Store ${key} in another place: ` +
      'without it the backup cannot be restored.',
  ].join('\n');
}

const describeRestore = ({ manifest, audit }: Awaited<ReturnType<typeof restoreBackup>>): string[] => [
  `Restored ${describeContents(manifest)}. The checksums of all tables match.`,
  ...describeLedger(manifest),
  audit.length
    ? `Warning: the audit log was tampered with before it was backed up (${audit.length} findings): ${audit[0]}`
    : 'The audit log is intact.',
  'Everybody has to sign in again.',
];

const describeRevived = (
  { apiKeys, accounts }: Awaited<ReturnType<typeof findRevived>>,
  { isRevokingKeys }: { isRevokingKeys: boolean },
): string[] => [
  'What was ended after the backup was made works again: API keys, accounts, passwords, used recovery codes.',
  `These ${accounts.length} accounts can sign in:`,
  ...accounts.map((account) => `- ${account}`),
  ...(apiKeys.length
    ? [
        isRevokingKeys ? `All ${apiKeys.length} API keys were revoked:` : `These ${apiKeys.length} API keys work:`,
        ...apiKeys.map((key) => `- ${key}`),
      ]
    : ['No API key works.']),
  'Disable accounts, reset second factors and revoke keys that should have stayed ended.',
  ...(apiKeys.length && !isRevokingKeys ? ['To revoke all API keys, restore with --revoke-keys.'] : []),
];

const describeLedger = ({ ledger }: Manifest): string[] =>
  ledger.length
    ? [`Warning: the ledger did not add up when it was backed up (${ledger.length} differences): ${ledger[0]}`]
    : ['The ledger adds up.'];
