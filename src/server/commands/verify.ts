/** npm run verify [-- --demo]: checks the ledger and the audit log of a database, also while its server runs. */

import { verifyAudit } from '../audit/verify';
import { readKeys } from '../auth/keyFile';
import { openKeyring } from '../auth/keyring';
import { DatabaseRefused } from '../db/open';
import { withDatabase } from '../db/withDatabase';
import { verifyLedger } from '../ledger/verify';
import { helpText, readSettings } from '../settings';
import { readInstallation } from './setup';

async function main(): Promise<number> {
  if (process.argv.includes('--help')) {
    process.stdout.write(helpText());
    return 0;
  }
  const settings = readSettings(process.argv.slice(2), process.env);
  return withDatabase({ ...settings, allowUnsafeDatabase: true }, { mustExist: true }, async (db) => {
    const installation = await readInstallation(db.sql);
    if (!installation) throw new DatabaseRefused('The database is empty.');
    const secrets = await openKeyring(db.sql, () => readKeys(settings));
    const ledger = await db.tx(async (sql) => {
      await sql`set local statement_timeout = 0`;
      return verifyLedger(sql);
    });
    const audit = await verifyAudit(db, secrets);
    const findings = formatCount(audit.sentences.length, 'finding');
    const entries = formatCount(audit.entries, 'entry', 'entries');
    const lines = [
      ...ledger,
      ledger.length
        ? `The ledger does not add up: ${formatCount(ledger.length, 'difference')}.`
        : 'The ledger adds up.',
      ...audit.sentences,
      audit.sentences.length
        ? `The audit log was tampered with: ${findings} in ${entries}.`
        : `The audit log is intact: ${entries}, nothing edited, deleted or inserted.`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    return ledger.length + audit.sentences.length > 0 ? 1 : 0;
  });
}

const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
