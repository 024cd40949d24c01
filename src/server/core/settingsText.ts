/** The settings as text, for --help. */
import { settingsRows } from './settings';

export function helpText(): string {
  const width = Math.max(...settingsRows().map(([name]) => name.length));
  const lines = settingsRows().map(
    ([name, { about, defaultValue }]) =>
      `  ${name.padEnd(width)}  ${about}${defaultValue === undefined ? '' : ` [${defaultValue}]`}`,
  );
  return `Usage:
  npm start                                           starts the server
  npm run demo                                        starts the server with sample data
  npm run backup -- FOLDER [--keep NUMBER]            copies the database into a new folder; with --keep into one
                                                      below FOLDER, and deletes all but the newest so many there
  npm run restore -- FOLDER [--replace] [--revoke-keys]
                                                      restores a backup; stop the server first. --replace: the
                                                      database is not empty; --revoke-keys: no API key works
                                                      afterwards
  npm run reset-password -- EMAIL [--end-two-factor] [--keep-api-keys]
                                                      sets a new password when nobody can sign in, and revokes
                                                      the API keys that the account made
  npm run open-networks -- [TENANT_ID]                lets a tenant's people, or super admins, in from everywhere
  npm run change-key                                  replaces the secret key, also while the server runs
  npm run verify [-- --since LOG]                     checks the ledger and the audit log

Settings are environment variables. Defaults are in brackets:

${lines.join('\n')}
`;
}
