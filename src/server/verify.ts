/** npm run verify [-- --demo]: goes through the ledger and the audit log of a database, also while its server runs, and says what does not agree. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addressOfRunning, startEmbedded } from './db/embedded';
import { DatabaseRefused, openDatabase, type Database } from './db/open';
import { installationOf, openKeyCheck } from './firstStart';
import { readKeyFile } from './keyFile';
import { verifyLedger } from './ledger/verify';
import { createSecrets } from './secrets';
import { helpText, readSettings, type Settings } from './settings';
import { verifyAudit } from './verifyAudit';

/** The database to look at, and how to let go of it. Changes nothing in it. */
async function openIt({ databaseUrl, dataDir }: Settings): Promise<{ db: Database; close: () => Promise<void> }> {
  const options = { poolSize: 1, allowUnsafe: true };
  const running = databaseUrl ?? addressOfRunning(dataDir);
  if (running !== undefined) {
    const db = await openDatabase(running, options);
    return { db, close: db.close };
  }
  if (!existsSync(join(dataDir, 'postgres'))) throw new DatabaseRefused(`There is no database in ${dataDir}; set DATA_DIR to the folder that has one, or add -- --demo.`);
  const embedded = await startEmbedded({ folder: dataDir, poolSize: 2 });
  try {
    const db = await openDatabase(embedded.address, options);
    return { db, close: async () => { await db.close(); await embedded.stop(); } };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

async function main(): Promise<number> {
  if (process.argv.includes('--help')) {
    process.stdout.write(helpText());
    return 0;
  }
  const settings = readSettings(process.argv.slice(2), process.env);
  const { db, close } = await openIt(settings);
  try {
    const installation = await installationOf(db.sql);
    if (!installation) throw new DatabaseRefused('The database is empty.');
    const secrets = createSecrets(settings.secretKey ?? readKeyFile(settings.dataDir, false));
    openKeyCheck(installation, secrets);
    const ledger = await db.tx(async (sql) => {
      await sql`set local statement_timeout = 0`;
      return verifyLedger(sql);
    });
    const audit = await verifyAudit(db, secrets);
    const lines = [
      ...ledger, ledger.length ? `The ledger does not add up: ${countOf(ledger.length, 'difference')}.` : 'The ledger adds up.',
      ...audit.sentences, audit.sentences.length
        ? `The audit log was tampered with: ${countOf(audit.sentences.length, 'finding')} in ${countOf(audit.entries, 'entry', 'entries')}.`
        : `The audit log is whole: ${countOf(audit.entries, 'entry', 'entries')}, nothing edited, deleted or put in.`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    return ledger.length + audit.sentences.length > 0 ? 1 : 0;
  } finally {
    await close();
  }
}

const countOf = (count: number, one: string, many = `${one}s`): string => `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
