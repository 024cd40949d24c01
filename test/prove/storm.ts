/**
 * Everything sent twice, by two admins at once, and limits rushed by many: each item takes effect once, each limit
 * holds to the cent.
 */
import * as assert from 'uvu/assert';
import { type Api, ApiError } from '../../src/app/api/client';
import { REDEEM_MAX } from '../../src/contract/constants';
import { verifyLedger } from '../../src/server/books/verify';
import { createApi } from '../createApi';
import { addPlayer, deposit, giveBack, type Owner, redeem, topUp } from '../seed';
import { noonZone, setZone } from '../timestamps';
import { as, fetch, people, reset, services, sql } from '../world';
import { count, inWords, type ProveOptions, Random } from './random';

type Work = () => Promise<unknown>;
const ITEMS = 500;

export async function prove({ seed, long, say, rounds = long ? 50 : 20, workers = 20 }: ProveOptions): Promise<void> {
  const random = new Random(seed);
  const times = long ? 10 : 1;
  for (let time = 0; time < times; time++)
    say(`${ITEMS} items sent twice by ${workers}: ${await settleTwice(random, workers)}`);
  say(`40 redeems of $100 at once against $${REDEEM_MAX} a day, ${rounds} rounds: ${await rushTheDay(rounds)}`);
}

/** Runs the works, so many at a time; how many were answered, and how often each status refused. */
async function together(works: readonly Work[], workers: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {},
    left = [...works];
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let work = left.pop(); work; work = left.pop()) {
        await work().then(
          () => count(counts, 'done'),
          (error: unknown) => {
            if (!(error instanceof ApiError)) throw error;
            count(counts, error.status);
          },
        );
      }
    }),
  );
  return counts;
}

async function settleTwice(random: Random, workers: number): Promise<string> {
  await reset();
  const [sue, ann] = [await as('sue'), await as('ann')],
    owners: Owner[] = [];
  for (let n = 0; n < 10; n++) owners.push(await addPlayer(2, { email: `p${n}@mail.test`, credit: '10000' }));
  const pairs: [Work, Work][] = [],
    winners = new Map<number, number>();
  // Each pair sends the same status or opposite ones; whoever is first decides.
  for (let n = 0; n < ITEMS; n++) {
    const owner = random.pick(owners),
      kind = random.pick(['top-up', 'deposit', 'return', 'redeem']),
      amount = `${random.from(1, 20)}.${random.from(10, 99)}`;
    const id = await (kind === 'top-up'
      ? topUp(owner, amount)
      : kind === 'deposit'
        ? deposit(owner, 'credit', amount)
        : kind === 'return'
          ? giveBack(owner, amount)
          : redeem(owner, amount));
    const send =
      (api: Api, status: 'success' | 'failed'): Work =>
      async () => {
        await (kind === 'redeem'
          ? api.changeRedeemStatus({ id, body: { status } })
          : api.changePurchaseStatus({ id, body: { status } }));
        winners.set(id, (winners.get(id) ?? 0) + 1);
      };
    pairs.push([send(sue, random.pick(['success', 'failed'])), send(ann, random.pick(['success', 'failed']))]);
  }
  const counts = await together(random.shuffled(pairs).flat(), workers);
  assert.equal(counts, { done: ITEMS, 409: ITEMS });
  assert.ok(
    [...winners.values()].every((n) => n === 1),
    'no item was settled twice',
  );
  assert.equal(await verifyLedger(sql), []);
  return inWords(counts);
}

async function rushTheDay(rounds: number): Promise<string> {
  let last: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    await reset();
    await setZone(2, noonZone());
    const player = await addPlayer(2, { email: people.ann.email, credit: '5000' });
    const { checkout } = await services.sessions.start(sql, people.ann.id, 'test');
    const api = createApi({
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { 'Content-Type': 'application/json', Cookie: `checkout=${checkout}` } }),
    });
    last = await together(
      Array.from({ length: 40 }, () => () => api.submitRedeem({ body: { platform_name: 'yolo', amount: 100 } })),
      40,
    );
    assert.equal(last, { done: 10, 400: 30 }, `round ${round + 1}`);
    const [row] =
      await sql`select credit_balance as credit, held_balance as held from wallets where player_id = ${player.id}`;
    assert.equal({ ...row }, { credit: 4000, held: REDEEM_MAX });
    assert.equal(await verifyLedger(sql), []);
  }
  return `${inWords(last)} each time`;
}
