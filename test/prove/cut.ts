/**
 * The database ends a connection at every single step of a settlement: nothing that was refused is committed, nothing
 * that was committed is refused, and no other transaction is touched.
 */
import * as assert from 'uvu/assert';
import { UNKNOWN_OUTCOME } from '../../src/contract/constants';
import type { Database } from '../../src/server/db/open';
import { type Behind, behindLine } from './behindLine';
import { apiAt, signInAt, startMarks, verifyBooks } from './marks';
import { type ProveOptions, Random } from './random';
import { type Cut, moments, openWire, type Wire, ways } from './wire';

/** Settlements at once, of which one is cut. */
const AT_ONCE = 4;
/** What is settled: where it is made and settled, its table, and how often its success moves money. */
const kinds = {
  redeem: { make: '/redeems/manual', settle: '/redeems', table: 'redeems', moves: 1 },
  'redeem from the game': { make: '/redeems/manual', settle: '/redeems', table: 'redeems', moves: 2 },
  return: { make: '/returns', settle: '/purchases', table: 'transactions', moves: 1 },
} as const;
type Kind = keyof typeof kinds;

/** Longer than any pause of a server that is merely slow. */
const IDLE_MS = 1000;

export async function prove({ seed, long, say, rounds = long ? 1000 : 60 }: ProveOptions): Promise<void> {
  const query = `?idle_in_transaction_session_timeout=${IDLE_MS}`;
  const work = async ({ db, line: wire, start }: Behind<Wire>) => {
    const server = await start({ POOL_SIZE: '8' });
    const client = await prepare(server.url);
    for (const kind of Object.keys(kinds) as Kind[]) {
      await db.sql`update tenants set redeems_from_game = ${kind === 'redeem from the game'}`;
      const steps = await countSteps(client, kind, wire);
      const told = { 200: 0, 500: 0, 503: 0 };
      const cuts = listCuts(steps, Math.ceil(rounds / 3), new Random(seed));
      for (const cut of cuts) await settleAndCut(client, { kind, steps, db, wire, cut, told });
      say(
        `${cuts.length} connections ended at ${steps} steps of settling a ${kind}: ${told[200]} settlements had happened, ` +
          `${told[503]} were refused and had not, ${told[500]} had an unknown outcome; all went through when repeated`,
      );
    }
    await checkBooks(db);
    assert.is(server.stderr(), '');
    assert.is(await server.end('SIGTERM'), 0);
  };
  await behindLine(openWire, work, { query });
}

/** Every step in every way, in turns and shuffled, as many as are asked for. */
function listCuts(steps: number, length: number, random: Random): Cut[] {
  const all = Array.from({ length: steps }, (_, index) => index + 1).flatMap((statement) =>
    moments.flatMap((moment) => ways.map((way): Cut => ({ statement, moment, way }))),
  );
  // It is idle in the transaction while the next statement or the last answer is under way.
  const isPossible = ({ statement, moment, way }: Cut) =>
    way !== 'idle' || (moment === 'before' && statement > 1) || (moment === 'unanswered' && statement < steps);
  const possible = all.filter(isPossible);
  const out: Cut[] = [];
  while (out.length < length) out.push(...random.shuffled(possible));
  return out.slice(0, length);
}

interface Client {
  url: string;
  token: string;
  emails: string[];
  made: number;
}

async function call({ url, token }: Client, path: string, body?: object, key?: string) {
  const response = await fetch(new URL(path, url), {
    method: body ? 'POST' : 'GET',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
      ...(key ? { 'Idempotency-Key': key } : {}),
    },
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(60_000),
  });
  const answer: unknown = await response.json();
  return { status: response.status, answer, field: (name: string): unknown => Reflect.get(Object(answer), name) };
}

async function prepare(url: string): Promise<Client> {
  const token = await signInAt(url),
    api = apiAt(url, token),
    { players } = await startMarks(api, AT_ONCE);
  for (const { id } of players) await api.adjustBalances({ id, body: { credit: '1000000' } });
  return { url, token, emails: players.map(({ email }) => email), made: 0 };
}

const create = (client: Client, kind: Kind): Promise<number[]> =>
  Promise.all(
    client.emails.map(async (user_email) => {
      const paid = kind !== 'return' && { payout_method: 'PayPal', payout_address: `a${++client.made}` };
      const body = { user_email, amount: '0.01', platform: 'yolo', ...paid };
      const { status, answer, field } = await call(client, `/api/v1/admin${kinds[kind].make}`, body);
      assert.is(status, 200, JSON.stringify(answer));
      return Number(field('id'));
    }),
  );

const settle = (client: Client, kind: Kind, id: number) =>
  call(client, `/api/v1/admin${kinds[kind].settle}/${id}/status`, { status: 'success' }, `settle-${id}`);

async function countSteps(client: Client, kind: Kind, wire: Wire): Promise<number> {
  const ids = await create(client, kind);
  wire.longest();
  assert.is((await settle(client, kind, ids[0] ?? 0)).status, 200);
  const steps = wire.longest();
  assert.ok(steps >= 5, `${steps} steps`);
  for (const id of ids.slice(1)) assert.is((await settle(client, kind, id)).status, 200);
  return steps;
}

interface Trial {
  kind: Kind;
  steps: number;
  db: Database;
  wire: Wire;
  cut: Cut;
  told: Record<200 | 500 | 503, number>;
}

async function settleAndCut(client: Client, { kind, steps, db: { sql }, wire, cut, told }: Trial): Promise<void> {
  const ids = await create(client, kind),
    what = `${kind} ${JSON.stringify(cut)}`,
    { table, moves } = kinds[kind];
  const isCut = wire.cutNext(cut);
  const [answers, list] = await Promise.all([
    Promise.all(ids.map((id) => settle(client, kind, id))),
    call(client, '/api/v1/admin/redeems?status=success'),
  ]);
  const { isCommitSent } = await isCut;
  assert.is(list.status, 200, what);
  const rows = await sql<{ id: number; status: string }[]>`
    select id, status from ${sql(table)} where id = any (${ids}::bigint[])`;
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  const mayHaveSent = cut.way === 'reset' && cut.statement >= steps - 1;
  let others = 0;
  for (const [n, { status, answer, field }] of answers.entries()) {
    const id = ids[n] ?? 0,
      is = statuses.get(id);
    if (status === 200) {
      others++;
      assert.is(is, 'success', `${what}: an acknowledged settlement`);
    } else if (status === 503) assert.is(is, 'pending', `${what}: a refused settlement`);
    else assert.equal([status, field('code')], [500, UNKNOWN_OUTCOME], `${what}: ${JSON.stringify(answer)}`);
    if (status === 500) assert.ok(isCommitSent || mayHaveSent, `${what}: COMMIT was not sent`);
  }
  assert.ok(others >= AT_ONCE - 1, `${what}: ${AT_ONCE - others} settlements were not acknowledged`);
  const hit = answers.find(({ status }) => status !== 200)?.status ?? 200;
  if (hit === 200 || hit === 500 || hit === 503) told[hit]++;
  for (const id of ids) assert.is((await settle(client, kind, id)).status, 200, `${what}: the same request again`);
  const [moved] = await sql<{ transfers: number; rows: number }[]>`
    select count(*) as transfers, count(distinct money_id) as rows from transfers
    where money_id = any (${ids}::bigint[]) and (to_account = 'cash_out' or from_account = 'platform')`;
  assert.equal({ ...moved }, { transfers: AT_ONCE * moves, rows: AT_ONCE }, `${what}: the money moved once`);
}

async function checkBooks(db: Database): Promise<void> {
  await verifyBooks(db);
  const wrong = await db.sql`
    select r.id, count(a.id) as entries
    from (select id, status from redeems union all select id, status from transactions) r
      left join audit_log a on a.call in ('changeRedeemStatus', 'changePurchaseStatus') and a.object_id = r.id::text
    where r.status <> 'pending' group by r.id having count(a.id) <> 1`;
  assert.equal([...wrong], [], 'each settlement has one entry in the audit log');
}
