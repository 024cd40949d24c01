/** Logins of players at game platforms from a file. A login that is there stays as it is, also one that is off. */
import * as v from 'valibot';
import { email, filled, reference, secret } from '../../contract/schemas/fields';
import type { TransactionSql } from '../db/open';
import { addLogin, hasLogin, listActivePlatforms, type NewLogin } from '../queries/playerLogins';
import { computeKey, dryRun, type ImportContext, type Outcome, type Row, readCells, writeRows } from './batch';
import { createOwnerLookup } from './owners';
import type { FileRow } from './rows';

const LoginCells = v.object({
  player_email: email,
  platform: filled(100),
  username: reference(200),
  password: v.optional(secret(1)),
});

export async function importLogins(context: ImportContext, rows: readonly FileRow[], outcome: Outcome): Promise<void> {
  const { sql, secrets, tenantId, isCheck } = context;
  const read = readCells(LoginCells, rows, outcome);
  const named = read.map(({ cells }) => ({ user_email: cells.player_email }));
  const findOwner = await createOwnerLookup(context, named);
  const platforms = new Map((await listActivePlatforms(sql, tenantId)).map((name) => [name.toLowerCase(), name]));
  const logins = read.flatMap(
    ({ line, cells: { player_email, platform: named, username, password } }): (Row & NewLogin)[] => {
      const player_id = findOwner({ user_email: player_email }),
        platform = platforms.get(named.toLowerCase());
      if (typeof player_id === 'number' && platform) {
        const key = computeKey(context, 'logins', 'source', `${player_id} ${platform}`);
        return [{ line, key, prints: '', tenant_id: tenantId, player_id, platform, username, password }];
      }
      const reject =
        typeof player_id === 'number'
          ? { column: 'platform', reason: 'not an active platform of this tenant' }
          : { column: 'player_email', reason: player_id.reason };
      outcome.rejects.push({ line, ...reject });
      return [];
    },
  );
  const write = async (inner: TransactionSql) => {
    // In the order of the players, whom each login locks.
    for (const login of logins.toSorted((a, b) => a.player_id - b.player_id)) {
      if (await hasLogin(inner, login)) outcome.existing++;
      else
        await writeRows(inner, [login], outcome, async (innermost) => void (await addLogin(innermost, secrets, login)));
    }
  };
  if (isCheck) await dryRun(sql, write);
  else await write(sql);
}
