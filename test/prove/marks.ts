/** Money written with a mark each, so that every write is known again in the books, and what became of it. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Api, ApiError } from '../../src/app/api/client';
import { UNKNOWN_OUTCOME } from '../../src/contract/constants';
import { createSecrets } from '../../src/server/auth/secrets';
import { readInstallation, refuseOtherKey } from '../../src/server/commands/setup';
import { type Finding, runChecks } from '../../src/server/commands/verify';
import type { Database } from '../../src/server/db/open';
import { createApi } from '../createApi';
import { killTree, newFolder, type Running, type RunOptions, run } from '../server/running';

export const admin = { email: 'admin@prove.test', password: 'long enough for this' };
export const secretKey = Buffer.alloc(32, 7);
/** What every server of a proof is started with. */
export const serverEnv = {
  SECRET_KEY: secretKey.toString('base64'),
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  LOG_LEVEL: 'silent',
};

/** Starts a server, which must come up. */
export async function startServer(options: RunOptions): Promise<Running> {
  const server = await run(options);
  assert.is.not(server.url, '', server.stderr());
  return server;
}
/** Does `work` with a server that has a database of its own, then ends both. */
export async function withServer(env: Record<string, string>, work: (server: Running) => Promise<unknown>) {
  const folder = newFolder('prove');
  let server: Running | undefined;
  try {
    server = await startServer({ dataDir: join(folder, 'data'), env: { ...serverEnv, ...env } });
    await work(server);
  } finally {
    if (server) killTree(server.pid);
    await server?.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the sender of a write was told about it. */
export type Told = 'done' | 'refused' | 'unknown';
export interface Write {
  mark: number;
  /** An edit of a balance succeeds; a redeem of more than there is cannot. */
  kind: 'edit' | 'redeem';
  told?: Told;
}
export interface Marks {
  tenant_id: number;
  players: { id: number; email: string }[];
  writes: Write[];
  /** Edits that have no mark. */
  otherEdits: number;
}

/** The calls of one session at an address. */
export const apiAt = (url: string, token: string | null = null, patience = 60_000): Api =>
  createApi({
    fetch: (path, init) => fetch(new URL(path, url), { ...init, signal: AbortSignal.timeout(patience) }),
    token: () => token,
  });
export const signInAt = async (url: string): Promise<string> => (await apiAt(url).login({ body: admin })).access_token;

export async function startMarks(api: Api, players = 6): Promise<Marks> {
  const { id: tenant_id } = await api.createTenant({ body: { name: 'Acme' } });
  const made = [];
  for (let n = 0; n < players; n++) {
    const { id, email } = await api.createPlayer({ body: { email: `p${n}@mail.test`, password: 'x', tenant_id } });
    made.push({ id, email });
  }
  return { tenant_id, players: made, writes: [], otherEdits: 0 };
}

/** An edit is known again by its amount, a redeem by its address. */
export const amountOf = (mark: number) => `${Math.floor(mark / 100)}.${String(mark % 100).padStart(2, '0')}`;

/** Sends the next write once, with a key. Returns the status; 0 if there was no answer. */
export async function write(api: Api, marks: Marks): Promise<number> {
  const mark = marks.writes.length + 1,
    player = marks.players[mark % marks.players.length]!,
    next: Write = { mark, kind: mark % 7 === 0 ? 'redeem' : 'edit' };
  marks.writes.push(next);
  const options = { idempotencyKey: randomUUID() };
  const sent: Promise<unknown> =
    next.kind === 'edit'
      ? api.adjustBalances({ id: player.id, body: { bonus: amountOf(mark) } }, options)
      : api.createManualRedeem(
          {
            body: {
              user_email: player.email,
              amount: '99999999.99',
              platform: 'yolo',
              payout_method: 'PayPal',
              payout_address: `mark${mark}`,
            },
          },
          options,
        );
  return sent.then(
    () => {
      next.told = 'done';
      return 200;
    },
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      next.told = toldBy(error);
      return error.status;
    },
  );
}

export const toldBy = ({ status, code }: ApiError): Told =>
  status === 0 || status === 502 || code === UNKNOWN_OUTCOME ? 'unknown' : 'refused';

/** What `npm run verify` checks: the ledger, the audit log, and one against the other. */
export async function verifyBooks(db: Database, secrets = createSecrets(secretKey), when?: string): Promise<void> {
  const installation = await readInstallation(db.sql);
  assert.ok(installation);
  refuseOtherKey(installation, secrets);
  const found: Finding[] = [];
  for await (const finding of runChecks(db, secrets)) found.push(finding);
  assert.equal(
    found.flatMap(({ sentences }) => sentences),
    [],
    when,
  );
  assert.is(found.length, 3, 'ledger, audit log, and one against the other');
}

/** Acknowledged: there once. Refused: not there. Unknown: at most once. Ledger and audit log are whole. */
export async function checkMarks(db: Database, { writes, otherEdits }: Marks): Promise<string> {
  const { sql } = db;
  const rows = await sql<{ kind: Write['kind']; mark: string; times: number }[]>`
    select 'edit' as kind, amount::text as mark, count(*)::int as times
    from transfers where to_account = 'bonus' group by 2
    union all
    select 'redeem', payout_address, count(*)::int from redeems where payout_address like 'mark%' group by 2`;
  const times = new Map(rows.map((row) => [`${row.kind} ${row.mark}`, row.times]));
  for (const { kind, mark, told } of writes) {
    const name = `${kind} ${kind === 'edit' ? amountOf(mark) : `mark${mark}`}`,
      found = times.get(name) ?? 0;
    times.delete(name);
    if (told === 'done') assert.is(found, 1, `the acknowledged ${name}`);
    else if (told === 'refused') assert.is(found, 0, `the refused ${name}`);
    else assert.ok(found <= 1, `${name} is there ${found} times`);
  }
  assert.equal([...times.keys()], [], 'nobody sent this');
  const edits = writes.filter(({ kind }) => kind === 'edit'),
    told = (what: Told) => edits.filter((each) => each.told === what).length;
  const audited = await sql`select from audit_log where call = 'adjustBalances'`,
    entries = audited.length - otherEdits;
  assert.ok(
    entries >= told('done') && entries <= told('done') + told('unknown'),
    `${entries} entries of the audit log`,
  );
  await verifyBooks(db);
  const refused = writes.filter((each) => each.told === 'refused').length;
  return `${told('done')} acknowledged writes are there once, ${refused} refused are not, ${told('unknown')} unknown`;
}
