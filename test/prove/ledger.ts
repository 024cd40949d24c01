/**
 * Random operations of many workers on the real server and database. Each answer is compared with the model, and the
 * books are checked all the while.
 */
import * as assert from 'uvu/assert';
import { type Api, ApiError } from '../../src/app/api/client';
import { balanceKinds, REDEEM_MAX } from '../../src/contract/constants';
import { verifyLedger } from '../../src/server/books/verify';
import { Problem } from '../../src/server/core/problem';
import { createDeposit } from '../../src/server/ledger/create';
import { countFacts } from '../../src/server/totals/countFacts';
import * as money from '../seed';
import { noonZone, setZone } from '../timestamps';
import { as, atCheckout, db, reset, sql } from '../world';
import { addAccounts, compareAccounts, enterMove, methods, moveAccounts } from './ledgerAccounts';
import {
  creates,
  type Effect,
  type Figure,
  type Item,
  type ModelAccount,
  type ModelPlayer,
  newPlayer,
  Operation,
  settles,
} from './ledgerModel';
import { cents, compare, type Run, text } from './ledgerRun';
import { count, inWords, type ProveOptions, Random } from './random';

const PLAYERS = 12;
/** The tenant that pays its redeems from the game. */
const FROM_GAME = 3;
const centsIn = (words: string) => cents(Number(/\$([\d.]+)/.exec(words)?.[1]));

type Refusal = ReturnType<typeof refusalOf>;

export async function prove({
  seed,
  long,
  say,
  rounds = long ? 100 : 2,
  ops = long ? 10_000 : 2_000,
  workers = long ? 16 : 8,
}: ProveOptions): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const counts = await play(seed + round, ops, workers);
    say(`seed ${seed + round}: ${ops} operations by ${workers}: ${inWords(counts)}`);
  }
}

async function play(seed: number, ops: number, workers: number): Promise<Record<string, number>> {
  const run = await start(seed);
  let left = ops,
    isOver = false,
    broken: unknown;
  // A statement sees one moment of the database: the books must agree at each of them, not only at the end.
  const watching = (async () => {
    while (!isOver) {
      assert.equal(await verifyLedger(sql), [], 'while operations run');
      await countFacts(db, { behind: '0 seconds', margin: '1 second' });
      count(run.counts, 'checks');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })().catch((error: unknown) => {
    broken = error;
    left = 0;
  });
  const work = async (worker: number) => {
    const random = new Random(seed * 1000 + worker);
    while (left-- > 0) await operate({ ...run, random });
  };
  try {
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  } finally {
    isOver = true;
  }
  await watching;
  if (broken) throw broken;
  await compare(run);
  await compareAccounts(run);
  return run.counts;
}

async function start(seed: number): Promise<Run> {
  await reset();
  await setZone(2, noonZone());
  await setZone(3, noonZone());
  await sql`update tenants set redeems_from_game = true where id = ${FROM_GAME}`;
  const admins = { 2: await as('ann'), 3: await as('ben') };
  const run: Run = {
    random: new Random(seed),
    players: [],
    items: [],
    admins,
    accounts: await addAccounts(admins),
    outside: {},
    stranger: { 2: await as('ben'), 3: await as('ann') },
    checkout: new Map(),
    said: [],
    goneSaid: [],
    counts: {},
  };
  for (let n = 0; n < PLAYERS; n++) {
    const tenant_id = 2 + (n % 2),
      email = `twin${n}@mail.test`;
    const player = newPlayer({ ...(await money.addPlayer(tenant_id, { email })), email }, REDEEM_MAX * 100);
    run.players.push(player);
    run.checkout.set(player, await checkoutOf(tenant_id, email));
  }
  return run;
}

/** A player redeems by the account of staff with the same e-mail. */
async function checkoutOf(tenantId: number, email: string): Promise<Api> {
  const [admin] = await sql<{ id: number }[]>`
    insert into admins (tenant_id, role_id, email, password_hash)
    select ${tenantId}, id, ${email}, 'none' from roles where name = 'admin'
    returning id`;
  return atCheckout(admin!.id);
}

async function operate(run: Run): Promise<void> {
  const { random, players, items } = run;
  const what = random.from(1, 100),
    player = random.pick(players);
  if (what <= 22) return adjust(run, player);
  if (what <= 36) return topUp(run, player);
  if (what <= 48) return deposit(run, player);
  if (what <= 62) return redeem(run, player);
  if (what <= 68) return giveBack(run, player);
  if (what >= 100) return remove(run, player);
  if (what >= 97) return enterMove(run);
  const open = items.filter((item) => item.status === 'pending');
  if (!items.length) return;
  return settle(run, open.length && random.from(1, 10) > 2 ? random.pick(open) : random.pick(items));
}

/** Makes the call, and does to the model what the answer says was done. */
async function attempt<T>(
  run: Run,
  name: string,
  player: ModelPlayer,
  may: Effect,
  work: () => Promise<T>,
  check: (refusal: Refusal, op: Operation) => void,
): Promise<T | undefined> {
  const op = new Operation(player, may);
  try {
    const answer = await work();
    assert.not(op.wasDeleted, `${name}: done for a player who was deleted before`);
    for (const figure of ['credit', 'bonus', 'vip', 'loyalty', 'held'] as const) {
      assert.ok(op.high(figure) + (may[figure] ?? 0) >= 0, `${name}: done, but ${figure} cannot have been enough`);
    }
    op.happened();
    count(run.counts, `${name} done`);
    return answer;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.status === 404) run.goneSaid.push(player);
    else check(refusal, op);
    count(run.counts, `${name} ${refusal.status}`);
    return undefined;
  } finally {
    op.end();
  }
}

function refusalOf(error: unknown) {
  if (error instanceof ApiError && error.status < 500) return { status: error.status, words: error.detail ?? '' };
  if (error instanceof Problem) return { status: error.status, words: error.message };
  throw error;
}

/** 'Insufficient … balance: $X available': X must be less than the request, and a balance that was possible. */
function checkInsufficient({ status, words }: Refusal, op: Operation, figure: Figure, asked: number): void {
  assert.is(status, 400, words);
  const available = centsIn(words);
  assert.ok(available < asked, `refused ${asked} though ${available} was there`);
  assert.ok(
    available >= op.low(figure) && available <= op.high(figure),
    `${words}: ${figure} was from ${op.low(figure)} to ${op.high(figure)}`,
  );
}

async function adjust(run: Run, player: ModelPlayer): Promise<void> {
  const { random } = run;
  const kinds = random.shuffled(balanceKinds).slice(0, random.from(1, 4)),
    may: Effect = {},
    body: Record<string, string> = {};
  for (const kind of kinds) {
    const amount = random.from(1, 60_000),
      isRemoval = random.from(1, 10) > 6;
    may[kind] = isRemoval ? -amount : amount;
    body[kind] = text(amount);
    if (isRemoval) body[`${kind}_op`] = 'remove';
  }
  await attempt(
    run,
    'adjust',
    player,
    may,
    () => run.admins[player.tenant_id]!.adjustBalances({ id: player.id, body }),
    (refusal, op) => {
      const kind = balanceKinds.find((name) => refusal.words.includes(` ${name} `));
      assert.ok(kind, refusal.words);
      checkInsufficient(refusal, op, kind, -(may[kind] ?? 0));
    },
  );
}

async function topUp(run: Run, player: ModelPlayer): Promise<void> {
  const amount = run.random.from(1, 80_000),
    initiatedAt = Date.now() - run.random.from(0, 5_000) * 60_000,
    method = run.random.pick(methods.in);
  const id = await attempt(
    run,
    'top-up',
    player,
    creates('TOP_UP', 'credit', amount),
    () => money.topUp(player, text(amount), 'pending', { initiated_at: new Date(initiatedAt), payment_method: method }),
    ({ words }) => assert.unreachable(words),
  );
  const item = { player, type: 'TOP_UP', kind: 'credit', cents: amount, status: 'pending' } as const;
  if (id) run.items.push({ ...item, id, initiatedAt, method });
}

async function deposit(run: Run, player: ModelPlayer): Promise<void> {
  const amount = run.random.from(1, 30_000),
    kind = run.random.pick(balanceKinds),
    owner = { tenant_id: player.tenant_id, player_id: player.id };
  const id = await attempt(
    run,
    'deposit',
    player,
    creates('DEPOSIT', kind, amount),
    () => db.tx((tx) => createDeposit(tx, { ...owner, amount: text(amount), kind, platform: 'yolo' })),
    (refusal, op) => checkInsufficient(refusal, op, kind, amount),
  );
  if (id) run.items.push({ id, player, type: 'DEPOSIT', kind, cents: amount, status: 'pending', initiatedAt: 0 });
}

const wish = ({ email }: ModelPlayer, amount: number) =>
  ({ user_email: email, amount: text(amount), platform: 'yolo' }) as const;
async function giveBack(run: Run, player: ModelPlayer): Promise<void> {
  const amount = run.random.from(1, 90_000);
  const row = await attempt(
    run,
    'return',
    player,
    creates('RETURN', 'credit', amount),
    () => run.admins[player.tenant_id]!.createReturn({ body: { ...wish(player, amount) } }),
    ({ words }) => assert.unreachable(words),
  );
  if (!row) return;
  const item = { id: row.id, player, type: 'RETURN', kind: 'credit', cents: amount, status: 'pending' } as const;
  run.items.push({ ...item, initiatedAt: 0 });
}

async function redeem(run: Run, player: ModelPlayer): Promise<void> {
  const type = player.tenant_id === FROM_GAME ? 'GAME_REDEEM' : 'REDEEM';
  const isOwn = run.random.from(1, 2) === 1,
    method = run.random.pick(methods.out),
    amount = isOwn ? run.random.from(10_000, 60_000) : run.random.from(1, 30_000);
  const checkDay = ({ words }: Refusal, op: Operation) => {
    const remaining = centsIn(words);
    assert.ok(remaining < amount, `refused ${amount} though the day leaves ${remaining}`);
    assert.ok(
      remaining >= Math.max(0, op.low('day')) && remaining <= Math.max(0, op.high('day')),
      `${words}: from ${op.low('day')} to ${op.high('day')} were left`,
    );
  };
  const row = await attempt(
    run,
    isOwn ? 'own redeem' : 'manual redeem',
    player,
    creates(type, 'credit', amount),
    async (): Promise<{ id: number; amount: number }> => {
      if (isOwn)
        return run.checkout.get(player)!.submitRedeem({ body: { platform_name: 'yolo', amount: text(amount) } });
      const body = { ...wish(player, amount), payout_method: method, payout_address: 'a' };
      return run.admins[player.tenant_id]!.createManualRedeem({ body });
    },
    (refusal, op) => {
      if (refusal.words.includes('per day')) checkDay(refusal, op);
      else if (refusal.words.startsWith('No player account')) run.goneSaid.push(player);
      else {
        assert.is(type, 'REDEEM', 'paid from the game, it needs no credit');
        checkInsufficient(refusal, op, 'credit', amount);
      }
    },
  );
  if (!row) return;
  assert.is(cents(row.amount), amount);
  const item = { id: row.id, player, type, kind: 'credit', cents: amount, status: 'pending' } as const;
  run.items.push({ ...item, initiatedAt: 0, method: isOwn ? null : method });
}

/** Half of those that move cash name an account; now and then one that holds none. */
function nameAccount({ random, accounts }: Run, { player, type }: Item): ModelAccount | undefined {
  if (type === 'DEPOSIT' || type === 'RETURN' || random.from(1, 2) === 1) return undefined;
  const kind = random.from(1, 20) === 1 ? 'credits' : 'cash';
  return random.pick(accounts.filter((one) => one.tenant_id === player.tenant_id && one.kind === kind));
}

async function settle(run: Run, item: Item): Promise<void> {
  const { player } = item,
    status = run.random.from(1, 3) > 1 ? 'success' : 'failed';
  const account = nameAccount(run, item);
  const call = (api: Api): Promise<unknown> => {
    const input = { id: item.id, body: { status, account_id: account?.id } } as const;
    return item.type.endsWith('REDEEM') ? api.changeRedeemStatus(input) : api.changePurchaseStatus(input);
  };
  // Whoever runs the other tenant tries now and then, and never gets through.
  if (run.random.from(1, 12) === 1) {
    const refusal = await call(run.stranger[player.tenant_id]!).then(() => null, refusalOf);
    assert.is(refusal?.status, 404, 'a stranger settled it');
  }
  const isWrong = status === 'success' && account?.kind === 'credits';
  const wasSettled = item.status !== 'pending';
  const op = new Operation(player, wasSettled ? {} : settles(item, status));
  try {
    await call(run.admins[player.tenant_id]!);
    assert.is(item.status, 'pending', `item ${item.id} was settled twice`);
    assert.not(isWrong, 'a stock took the cash');
    item.status = status;
    op.happened();
    if (status === 'success') moveAccounts(run, item, account?.id);
    count(run.counts, 'settle done');
  } catch (error) {
    const refusal = refusalOf(error);
    if (isWrong && refusal.words === 'Account not found') return;
    assert.is(refusal.status, 409, refusal.words);
    const said = /is already (success|failed)$/.exec(refusal.words)?.[1];
    assert.ok(said, refusal.words);
    run.said.push({ item, status: said === 'success' ? 'success' : 'failed' });
    count(run.counts, 'settle 409');
  } finally {
    op.end();
  }
}

async function remove(run: Run, player: ModelPlayer): Promise<void> {
  if (run.players.filter((other) => !other.isDeleted).length <= PLAYERS / 2) return; // enough of them stay to work on
  await attempt(
    run,
    'delete',
    player,
    {},
    async () => {
      await run.admins[player.tenant_id]!.deletePlayer({ id: player.id });
      player.isDeleted = true;
    },
    ({ status, words }, op) => {
      assert.is(status, 409, words);
      assert.ok(op.high('pending') > 0, 'refused, but nothing can have been pending');
    },
  );
}
