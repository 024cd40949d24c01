/**
 * 1,000 claims at once through three servers: each row has exactly one winner. A claim outlives the server that gave
 * it, which is killed, and ends by the clock of the database alone.
 */
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { ApiError } from '../../src/app/api/client';
import { CLAIM_MINUTES, CLAIMED } from '../../src/contract/constants';
import { Sessions } from '../../src/server/auth/sessions';
import type { Database } from '../../src/server/db/open';
import { createTopUp } from '../../src/server/ledger/create';
import type { Running } from '../server/running';
import { type Behind, behindLine } from './behindLine';
import { openLine } from './line';
import { apiAt, signInAt, startMarks } from './marks';
import type { ProveOptions } from './random';

const SERVERS = 3,
  HOLDERS = 20,
  ROWS = 50;

/** The tokens of so many people who work for the tenant. */
async function hire(db: Database, tenantId: number): Promise<string[]> {
  const sessions = new Sessions({ idleMinutes: 30, hours: 12 });
  const staff = await db.sql<{ id: number }[]>`
    insert into admins (tenant_id, role_id, email, password_hash)
    select ${tenantId}, r.id, 'cashier' || n || '@acme.test', 'none'
    from roles r, generate_series(1, ${HOLDERS}) n where r.name = 'admin' returning id`;
  const tokens: string[] = [];
  for (const { id } of staff) tokens.push((await sessions.start(db.sql, id, 'proof')).token);
  return tokens;
}

async function addRows(db: Database, tenant_id: number, player_id: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < ROWS; n++) {
    const row = { tenant_id, player_id, amount: '10', payment_method: 'Card', payment_reference: `claim-${n}` };
    ids.push(await db.tx((sql) => createTopUp(sql, { ...row, description: null, net_amount: null })));
  }
  return ids;
}

/**
 * Whether the claim was given; another answer than 'claimed' is no outcome. A server that is busy, or has
 * too many connections, is asked again: who has a row already wins it again.
 */
async function claim(url: string, token: string, id: number): Promise<boolean> {
  for (;;) {
    try {
      await apiAt(url, token).claimRow({ body: { id } });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || (error.code !== CLAIMED && ![0, 503].includes(error.status))) throw error;
      if (error.code === CLAIMED) return false;
      await setTimeout(20);
    }
  }
}

export const prove = ({ say }: ProveOptions): Promise<void> =>
  behindLine(openLine, (behind) => claimAll(behind, say), { poolSize: 30 });

async function claimAll({ db, start }: Behind<unknown>, say: ProveOptions['say']): Promise<void> {
  const servers: Running[] = [];
  for (let n = 0; n < SERVERS; n++) servers.push(await start({ POOL_SIZE: '8', TRUST_PROXY: '127.0.0.1' }));
  const { tenant_id, players } = await startMarks(apiAt(servers[0]!.url, await signInAt(servers[0]!.url)), 1);
  const tokens = await hire(db, tenant_id),
    rows = await addRows(db, tenant_id, players[0]!.id);

  const tries = rows.flatMap((id) => tokens.map((token, holder) => ({ id, token, holder })));
  const outcomes = await Promise.all(
    tries.map(async (one, n) => ({ ...one, isWon: await claim(servers[n % SERVERS]!.url, one.token, one.id) })),
  );
  for (const id of rows) assert.is(outcomes.filter((one) => one.id === id && one.isWon).length, 1, `row ${id}`);
  say(`${tries.length} claims at once through ${SERVERS} servers: exactly one winner of each of ${ROWS} rows`);

  const [id = 0] = rows,
    [lost = ''] = tokens.filter(
      (_, holder) => !outcomes.some((one) => one.id === id && one.isWon && one.holder === holder),
    );
  const given = outcomes.findIndex((one) => one.id === id && one.isWon) % SERVERS;
  await servers[given]!.end('SIGKILL');
  const other = servers[(given + 1) % SERVERS]!.url;
  assert.not.ok(await claim(other, lost, id), 'it outlives its server');
  await db.sql`update row_claims set claimed_until = claimed_until - make_interval(mins => ${CLAIM_MINUTES})`;
  assert.ok(await claim(other, lost, id), 'it ends by itself');
  say('a claim outlived the server that gave it, which was killed, and ended by time alone');
}
