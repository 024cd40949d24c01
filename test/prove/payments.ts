/**
 * Each payment is told of in two ways at once: by a webhook, an integration call, a file with pending purchases, a file
 * with the past, or an admin who settles it. It must become one purchase and be credited at most once.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { type Api, ApiError } from '../../src/app/api/client';
import { verifyLedger } from '../../src/server/books/verify';
import { createApi } from '../createApi';
import { deliver, newKey, withKey } from '../integrations';
import { addPlayer } from '../seed';
import { as, fetch, PASSWORD, reset, services, sql } from '../world';
import { type ProveOptions, Random } from './random';

const TENANTS = 8;
const PLAYERS = 3;
const AMOUNT = '25.50';
/** Payments of one tenant that are told of at the same time. */
const AT_ONCE = 25;
/** The two ways begin at random within one of these times in milliseconds: in the long one, a file can be first. */
const SPREADS_MS = [60, 60, 300];

/** A busy machine may need so many times the rounds until each way was first. */
const MORE = 10;
/** Which way is first of which two. */
const orders = [
  ['pending and webhook', 'pending'],
  ['pending and webhook', 'webhook'],
  ['history and webhook', 'history'],
  ['history and webhook', 'webhook'],
  ['intake and pending', 'intake'],
  ['intake and pending', 'pending'],
  ['history and intake', 'history'],
  ['history and intake', 'intake'],
] as const;

const ways = ['webhook', 'intake', 'pending', 'history', 'staff'] as const;
type Way = (typeof ways)[number];
type Told = 'made' | 'known';

interface Payment {
  reference: string;
  email: string;
  pair: [Way, Way];
  /** Whether each way made the purchase, or was told that it exists. */
  told: Told[];
}
type Tenant = Awaited<ReturnType<typeof addTenant>>;

export async function prove({ seed, long, say, rounds = long ? 10_000 : 600 }: ProveOptions): Promise<void> {
  const random = new Random(seed),
    firsts = new Map<string, number>();
  await reset();
  const sue = await as('sue'),
    tenants: Tenant[] = [];
  for (let n = 0; n < TENANTS; n++) tenants.push(await addTenant(sue, n));
  let done = 0;
  const isUnseen = () => orders.some(([key, first]) => !firsts.get(`${key}, ${first} first`));
  while (done < rounds || (isUnseen() && done < MORE * rounds)) {
    const all = await Promise.all(tenants.map((tenant) => tellOfSome(tenant, random, done)));
    for (const { pair, told } of all.flat()) {
      const first = told[0] === 'made' ? pair[0] : told[1] === 'made' ? pair[1] : 'none';
      const key = `${pair.toSorted().join(' and ')}, ${first} first`;
      firsts.set(key, (firsts.get(key) ?? 0) + 1);
    }
    done += all.flat().length;
  }
  assert.equal(await verifyLedger(sql), []);
  const most = [...firsts].map(([what, n]) => `${what}: ${n}`).toSorted();
  say(`${done} payments, each told of in two ways at once, are one purchase each`);
  say(most.join('; '));
  for (const [key, first] of orders)
    assert.ok(firsts.get(`${key}, ${first} first`), `${first} was never first of ${key}`);
}

async function addTenant(sue: Api, n: number) {
  const { id } = await sue.createTenant({ body: { name: `Arcade ${n}` } });
  const credentials = { api_key: 'k', secret_key: 's', merchant_id: 'm' };
  await sue.createPaymentMethod({ tenant_id: id, payment_platform: 'apex', body: credentials });
  const { secret } = await sue.revealWebhookSecret({
    tenant_id: id,
    platform: 'apex',
    body: { rotate: false, password: PASSWORD },
  });
  const players = [];
  for (let m = 0; m < PLAYERS; m++) players.push(await addPlayer(id, { email: `p${m}@arcade${n}.test` }));
  const { key } = await newKey('sue', undefined, { tenant_id: id });
  const [row] = await sql<{ id: number }[]>`
    insert into admins (tenant_id, role_id, email, password_hash)
    select ${id}, id, ${`admin@arcade${n}.test`}, '' from roles where name = 'admin' returning id`;
  const { token } = await services.sessions.start(sql, row!.id, 'test');
  const admin = createApi({ fetch, token: () => token });
  const tenant = { id, admin, path: `/api/v1/webhooks/${id}/apex`, secret, shop: withKey(key), players };
  // A sender that has not signed correctly yet may not send many events at once.
  await tellBy.webhook(tenant, { reference: 'first', email: `p0@arcade${n}.test` });
  return tenant;
}

/** One round of a tenant: some payments, the two ways of each at random moments. Checks what has become of each. */
async function tellOfSome(tenant: Tenant, random: Random, from: number): Promise<Payment[]> {
  const payments = Array.from({ length: AT_ONCE }, (_, n): Payment => {
    const pair: [Way, Way] = [random.pick(ways), random.pick(ways)];
    return { reference: `pay-${tenant.id}-${from + n}`, email: random.pick(tenant.players).email, pair, told: [] };
  });
  for (const { pair, reference, email } of payments)
    if (pair.includes('staff')) await tellBy.intake(tenant, { reference, email });
  const later = () => setTimeout(random.from(0, random.pick(SPREADS_MS)));
  await Promise.all(
    [0, 1].flatMap((turn) => {
      const inFile = payments.filter(({ pair }) => pair[turn] === 'pending' || pair[turn] === 'history');
      const others = payments.filter((payment) => !inFile.includes(payment));
      return [
        later().then(() => importRows(tenant, random.shuffled(inFile), turn)),
        ...others.map(async (payment) => {
          const way = payment.pair[turn];
          await later();
          if (way === 'staff') payment.told[turn] = await settle(tenant, payment);
          else if (way === 'webhook' || way === 'intake') payment.told[turn] = await tellBy[way](tenant, payment);
        }),
      ];
    }),
  );
  for (const payment of payments) await checkOne(tenant, payment);
  return payments;
}

type Named = Pick<Payment, 'reference' | 'email'>;
const tellBy = {
  async webhook({ path, secret }: Tenant, { reference, email }: Named): Promise<Told> {
    const event = { id: randomUUID(), type: 'payment.succeeded', reference, amount: AMOUNT, email };
    const { status, body } = await deliver(path, secret, { ...event, occurred_at: '2026-01-31T10:00:00Z' });
    assert.is(status, 200, JSON.stringify(body));
    assert.ok(body.outcome === 'applied' || body.outcome === 'unchanged', JSON.stringify(body));
    return body.outcome === 'applied' ? 'made' : 'known';
  },
  async intake({ shop }: Tenant, { reference: payment_reference, email }: Named): Promise<Told> {
    const body = { email, amount: AMOUNT, payment_method: 'Apex Processing', payment_reference };
    return shop.pushTopUp({ body }).then(
      () => 'made' as const,
      (error: unknown) => {
        assert.ok(error instanceof ApiError && error.status === 409, String(error));
        return 'known' as const;
      },
    );
  },
};

async function settle({ admin }: Tenant, { reference }: Named): Promise<Told> {
  const [row] = await sql<{ id: number }[]>`select id from transactions where payment_reference = ${reference}`;
  return admin.changePurchaseStatus({ id: row!.id, body: { status: 'success' } }).then(
    () => 'made' as const,
    (error: unknown) => {
      assert.ok(error instanceof ApiError && error.status === 409, String(error));
      return 'known' as const;
    },
  );
}

const header = 'source_id,user_email,transaction_type,status,amount,payment_method,initiated_at,completed_at,';

async function importRows({ id, admin }: Tenant, payments: readonly Payment[], turn: number): Promise<void> {
  const lines = payments.map(({ reference, email, pair }) => {
    const [status, end] = pair[turn] === 'pending' ? ['pending', ''] : ['success', '2026-01-31'];
    return `${reference}/${turn},${email},TOP_UP,${status},${AMOUNT},apex,2026-01-31,${end},${reference}`;
  });
  if (!lines.length) return;
  const body = {
    tenant_id: id,
    kind: 'transactions' as const,
    header: `${header}payment_reference`,
    rows: lines.join('\n'),
    first_line: 2,
  };
  for (;;) {
    const answer = await admin.importRows({ body }).catch((error: unknown) => {
      assert.ok(error instanceof ApiError && error.status === 429, String(error)); // too many imports at once
      return setTimeout(5, null);
    });
    if (!answer) continue;
    const rejected = new Set(answer.rejects.map(({ line }) => line));
    assert.is(answer.created + rejected.size, lines.length);
    for (const { reason } of answer.rejects) assert.match(reason, /belongs to transaction \d+/);
    for (const [n, payment] of payments.entries()) payment.told[turn] = rejected.has(n + 2) ? 'known' : 'made';
    return;
  }
}

/** One purchase. Whatever an admin and the processor then do with it, it is credited once at most. */
async function checkOne(tenant: Tenant, payment: Payment): Promise<void> {
  const words = `${payment.reference} by ${payment.pair.join(' and ')}`;
  const rows = await sql<{ id: number; status: string; is_history: boolean }[]>`
    select id, status, is_history from transactions
    where tenant_id = ${tenant.id} and payment_reference = ${payment.reference}`;
  assert.is(rows.length, 1, `${words} are ${rows.length} purchases`);
  if (rows[0]!.status === 'pending') await settle(tenant, payment);
  assert.is(await tellBy.webhook(tenant, payment), 'known', words);
  const [credited] = await sql<{ times: number; amount: number }[]>`
    select count(*)::int as times, coalesce(sum(amount), 0) as amount from transfers
    where tenant_id = ${tenant.id} and money_id = ${rows[0]!.id} and to_account = 'credit'`;
  const times = rows[0]!.is_history ? 0 : 1;
  assert.equal({ ...credited }, { times, amount: times * Number(AMOUNT) }, words);
}
