/** Ninety days of transactions of the sample data, simulated player by player so that no balance drops below zero. */
import { type BalanceKind, balanceKinds, REDEEM_MAX, REDEEM_MIN, type Status } from '../../contract/constants';
import { type PayoutMethod, payoutMethods, platformLabels } from '../../contract/platforms';
import type { Account } from './account';
import { type Clock, type DemoPlayer, HISTORY_DAYS } from './players';
import type { Random } from './random';

const labels: ReadonlyMap<string, string> = new Map(Object.entries(platformLabels));

/** A way to pay: its fee, its processor, and the prefix of its references. */
interface Method {
  name: string;
  permille: number;
  fixed: number;
  processor: string | null;
  prefix: string;
}
const methods: readonly (readonly [Method, number])[] = [
  [{ name: 'Card', permille: 35, fixed: 30, processor: 'flikpay', prefix: 'FLK' }, 34],
  [{ name: 'Cash App', permille: 28, fixed: 0, processor: null, prefix: 'CA' }, 26],
  [{ name: 'Bitcoin', permille: 10, fixed: 0, processor: 'btcpay', prefix: 'BTC' }, 16],
  [{ name: 'Apple Pay', permille: 29, fixed: 30, processor: 'apex', prefix: 'APX' }, 13],
  [{ name: 'PayPal', permille: 34, fixed: 49, processor: null, prefix: 'PP' }, 8],
  [{ name: 'Lightning', permille: 5, fixed: 0, processor: 'btcpay', prefix: 'LN' }, 3],
];
const amounts: readonly (readonly [number, number])[] = [
  [1000, 14],
  [2000, 20],
  [2500, 10],
  [3000, 8],
  [4000, 6],
  [5000, 16],
  [7500, 4],
  [10_000, 11],
  [15_000, 4],
  [20_000, 4],
  [30_000, 2],
  [50_000, 1],
];
const occasions = ['Weekend offer', 'Happy hour top-up', 'Paid at the counter', 'Birthday top-up'];
const refusals = ['Declined by the bank', 'Expired unpaid', null];

interface Visit {
  player: DemoPlayer;
  account: Account;
  day: number;
  clock: Clock;
  random: Random;
  mustBuy?: boolean;
}

/** Simulates everything that happens to one player. */
export function simulatePlayer(player: DemoPlayer, account: Account, clock: Clock, random: Random): void {
  if (player.firstBuysToday) visit({ player, account, day: 0, clock, random, mustBuy: true });
  if (player.firstBuysToday || player.visitChance === 0 || player.signedUp === 0) return;
  for (let day = Math.min(player.signedUp, HISTORY_DAYS - 1); day >= 0; day--) {
    const isSignUp = day === player.signedUp; // who signs up usually wants to play
    const share = day === 0 ? todaySoFar(clock) : 1;
    if (random.chance(isSignUp ? 0.5 : player.visitChance * share)) visit({ player, account, day, clock, random });
  }
}

/** How much of an ordinary day has come in: as much as has gone by, and something just after midnight. */
const todaySoFar = (clock: Clock) => Math.max((clock(0, 1) - clock(0, 0)) / 86_400_000, 0.3);

/** One visit: a purchase, then deposits, then perhaps winnings and a redeem. */
function visit(at: Visit): void {
  const { player, account, day, clock, random, mustBuy = false } = at;
  const from = day === player.signedUp ? player.signedUpAt + 0.01 : 0.01;
  let fraction = from + random.next() * (0.9 - from);
  const later = () => clock(day, (fraction += 0.001 + random.next() * 0.004));
  if (mustBuy || random.chance(0.88)) buy(at, later);
  for (const kind of balanceKinds) {
    if (account.balance(kind) >= 500 && random.chance(kind === 'credit' ? 0.85 : 0.3)) play(at, kind, later);
  }
  if (!player.paidFromGame && account.balance('credit') >= 2000 && random.chance(day === 0 ? 0.6 : 0.35))
    redeem(at, account.balance('credit'), random.pick(player.platforms), later);
}

const begin = (status: Status, amount: number, later: () => number) => ({
  ...{ status, amount, initiatedAt: later() },
  completedAt: status === 'pending' ? null : later(),
});

function buy({ player, account, day, random }: Visit, later: () => number): void {
  const method = random.weighted(methods);
  const amount = random.weighted(amounts) + (method.processor === 'btcpay' ? random.between(-500, 499) : 0);
  const status = pickStatus(day, random, { today: 0.32, yesterday: 0.05, older: 0.01, failed: 0.08 });
  account.buy({
    ...begin(status, amount, later),
    columns: {
      transaction_type: 'TOP_UP',
      net_amount:
        status === 'success' ? (amount - method.fixed - Math.ceil((amount * method.permille) / 1000)) / 100 : null,
      payment_method: method.name,
      payment_metadata: method.processor !== null && random.chance(0.4) ? { processor: method.processor } : null,
      description: status === 'failed' ? random.pick(refusals) : random.chance(0.12) ? random.pick(occasions) : null,
      payment_reference: `${method.prefix}-${random.code(10)}`,
    },
  });
  // Not within the day in which a redeem would be marked 'Adjusted'.
  if (status !== 'success' || day < 2) return;
  if (random.chance(0.12)) account.add(later(), 'bonus', Math.ceil(amount / 1000) * 100);
  if (random.chance(0.08)) account.add(later(), 'loyalty', Math.ceil(amount / 2000) * 200);
  if (player.visitChance > 0.2 && random.chance(0.08)) account.add(later(), 'vip', random.pick([1000, 2000, 5000]));
}

function play(at: Visit, kind: BalanceKind, later: () => number): void {
  const { player, account, day, random } = at;
  const there = account.balance(kind);
  const amount = random.chance(0.5) ? there : Math.max(500, Math.floor((there * random.next()) / 500) * 500);
  const platform = random.pick(player.platforms);
  const status = pickStatus(day, random, { today: 0.35, yesterday: 0.12, older: 0.002, failed: 0.04 });
  account.deposit(
    {
      ...begin(status, amount, later),
      columns: {
        transaction_type: 'DEPOSIT',
        net_amount: amount / 100,
        payment_method: 'Wallet',
        platform,
        payment_metadata: { type: kind.toUpperCase() },
        description: `To ${labels.get(platform) ?? platform}`,
        payment_reference: `DEP-${random.code(8)}`,
      },
    },
    kind,
  );
  const mayWin = kind === 'credit' || !player.paidFromGame; // one redeem a visit
  if (status === 'success' && mayWin && random.chance(0.32)) win(at, platform, amount, later);
}

/** Winnings come back from the platform, or are paid there. */
function win(at: Visit, platform: string, played: number, later: () => number): void {
  const { player, account, day, random } = at;
  const won = Math.ceil((played * (0.4 + random.next() * 3.4)) / 500) * 500;
  if (player.paidFromGame) {
    if (won >= 2000) redeem(at, won, platform, later);
    return;
  }
  const status = pickStatus(day, random, { today: 0.6, yesterday: 0.3, older: 0.01, failed: 0.02 });
  account.giveBack({
    ...begin(status, won, later),
    columns: {
      transaction_type: 'RETURN',
      platform,
      description: `From ${labels.get(platform) ?? platform}`,
      payment_reference: `RET-${random.code(8)}`,
    },
  });
}

function redeem({ player, account, day, clock, random }: Visit, there: number, platform: string, later: () => number) {
  const isManual = there < REDEEM_MIN * 100 || random.chance(0.6);
  const [least, most] = isManual ? [2000, there] : [REDEEM_MIN * 100, Math.min(there, REDEEM_MAX * 100)];
  const amount = random.chance(0.3)
    ? most
    : Math.max(least, Math.floor((most * (0.5 + random.next() / 2)) / 500) * 500);
  const status = pickStatus(day, random, { today: 0.65, yesterday: 0.22, older: 0.01, failed: 0.08 });
  const initiatedAt = later();
  const method = isManual ? random.pick(payoutMethods) : null;
  account.redeem({
    status,
    amount,
    initiatedAt,
    completedAt: status === 'pending' ? null : status === 'failed' ? later() : paidAt(initiatedAt, clock, random),
    columns: {
      platform,
      from_game: player.paidFromGame,
      is_manual: isManual,
      business_day: player.dayOf(initiatedAt),
      payout_method: method,
      payout_address: method && createPayoutAddress(method, player, random),
      description:
        isManual && random.chance(0.2)
          ? random.pick(['Asked for by phone', 'Split payout', 'Verified by video'])
          : null,
    },
  });
}

/** Ten minutes to twenty hours later, perhaps on another day, but never in the future. */
const paidAt = (initiatedAt: number, clock: Clock, random: Random): number =>
  Math.min(initiatedAt + random.between(10, 1200) * 60_000, (initiatedAt + clock(0, 1)) / 2);

interface Odds {
  today: number;
  yesterday: number;
  older: number;
  failed: number;
}

/** Most of today's transactions are pending, hardly any from days ago, none from weeks ago. */
function pickStatus(day: number, random: Random, { today, yesterday, older, failed }: Odds): Status {
  const pending = day === 0 ? today : day === 1 ? yesterday : day < 6 ? older : 0;
  if (random.chance(pending)) return 'pending';
  return random.chance(failed) ? 'failed' : 'success';
}

function createPayoutAddress(method: PayoutMethod, player: DemoPlayer, random: Random): string {
  switch (method) {
    case 'Crypto Wallet':
      return `bc1q${random.code(30).toLowerCase()}`;
    case 'Cash Tag':
      return `$${player.email.replace(/@.*|\W/g, '')}`;
    case 'PayPal':
      return player.email;
  }
}
