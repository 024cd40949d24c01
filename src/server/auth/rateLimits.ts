import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { toNetwork } from '../core/clientNetwork';
import { FairQueue } from '../core/fairQueue';
import { Problem } from '../core/problem';
import type { Sql } from '../db/open';
import type { Secrets } from './secrets';

/** An account's id; the name as typed when there is none. By its id, all spellings of a name count together. */
export type AttemptedAccount = number | string;
/** The password was right, but the account's second factor was not sent. */
export const CODE_MISSING = Symbol('code missing');
/** Whether the account has signed in from this network before. */
export type IsKnownIn = (network: string) => Promise<boolean>;

const MINUTE = 60,
  HOUR = 3600,
  DAY = 24 * HOUR;
/** Calls per minute with the API keys of one tenant together. */
export const KEY_CALLS = 600;
/** What is no guess, but has its bound: so many in so many seconds, and what is said of one more. */
const bounds = {
  'channel-test': [5, 10 * MINUTE, 'Only 5 tests of channels in 10 minutes'],
  'channel-test-tenant': [20, HOUR, 'Only 20 tests of channels in an hour'],
  resend: [20, 10 * MINUTE, 'Only 20 deliveries are sent again in 10 minutes'],
  'resend-tenant': [60, HOUR, 'Only 60 deliveries are sent again in an hour'],
  team: [20, HOUR, 'Only 20 accounts are added or renamed in an hour'],
  link: [3, 15 * MINUTE, 'Too many links were asked for'],
  'link-network': [30, HOUR, 'Too many links were asked for'],
  'link-tried': [30, 15 * MINUTE, 'Too many links were tried'],
  passkey: [100, 15 * MINUTE, 'Too many sign-ins were begun'],
  sso: [600, 15 * MINUTE, 'Too many sign-ins'],
  'sso-tenant': [200, HOUR, 'Only 200 new people come by single sign-on in an hour'],
} as const;

/**
 * Slows down guessing. Only failures count: by account and address together, by address, and by account from
 * everywhere. The counters are in the database, shared by all servers. An IPv6 address counts as its /64 network, which
 * one subscriber owns. A success clears the first counter. The last one does not apply to networks from which the owner
 * has signed in before, so an attacker elsewhere cannot lock the owner out.
 */
export class RateLimits {
  readonly #sql: Sql;
  readonly #pseudonym: Secrets['pseudonym'];
  readonly #counters: ReturnType<typeof createCounters>;
  /** One attempt after another for each key. */
  readonly #turns = new FairQueue({
    places: Infinity,
    placesPerKey: 1,
    waitingPerKey: 100,
    maxWaitMs: 30_000,
    refusal: () => new Problem(429, 'Too many sign-ins at once. Try again shortly.', 5),
  });

  constructor(sql: Sql, { pseudonym }: Pick<Secrets, 'pseudonym'>) {
    this.#sql = sql;
    this.#pseudonym = pseudonym;
    this.#counters = createCounters(sql);
  }

  /**
   * Runs one sign-in, which returns null when it fails; 429 with Retry-After after too many failures. Attempts on one
   * account or from one address run one after another, so parallel attempts are no extra guesses. With `withoutCode`,
   * the sign-in may return `CODE_MISSING`, which is counted apart from failures.
   */
  async attempt<T>(
    account: AttemptedAccount,
    from: string,
    signIn: () => Promise<T | null>,
    isKnownIn: IsKnownIn,
    { withoutCode = false }: { withoutCode?: boolean } = {},
  ): Promise<T | null> {
    const { byPair, byAddress, byAccount, missingByPair, missingByAccount } = this.#counters;
    const network = toNetwork(from),
      name = typeof account === 'number' ? `#${account}` : `name ${account.trim().toLowerCase().slice(0, 254)}`;
    const pair = this.#pseudonym(`${name}|${network}`),
      address = this.#pseudonym(network),
      everywhere = this.#pseudonym(name);
    const isKnown = await isKnownIn(network);
    const guarded = async () => {
      await refuse([
        [byPair, pair],
        [byAddress, address],
        ...(isKnown ? [] : [[byAccount, everywhere] as const]),
        ...(withoutCode ? [[missingByPair, pair] as const] : []),
        ...(withoutCode && !isKnown ? [[missingByAccount, everywhere] as const] : []),
      ]);
      const result = await signIn();
      if (result === null)
        await Promise.all([count(byPair, pair), count(byAddress, address), count(byAccount, everywhere)]);
      else if (result === CODE_MISSING)
        await Promise.all([count(missingByPair, pair), count(missingByAccount, everywhere)]);
      else await Promise.all([byPair.delete(pair), missingByPair.delete(pair)]);
      return result;
    };
    return this.#inTurn(`address ${network}`, () => (isKnown ? guarded() : this.#inTurn(`account ${name}`, guarded)));
  }

  #inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run({ lane: 'stranger', key }, work);
  }

  /** Checks one signature, null when it is wrong. 429 after too many, but for senders known from there. */
  async signature<T>(sender: string, from: string, check: () => Promise<T | null>): Promise<T | null> {
    const { bySigner, knownSender } = this.#counters;
    const network = toNetwork(from),
      pair = this.#pseudonym(`${sender}|${network}`),
      address = this.#pseudonym(network);
    if (await knownSender.get(pair)) return check();
    // Counted before the check, so that parallel requests are no extra guesses.
    await spend(bySigner, address, 'Too many wrong signatures. Try again later.');
    const result = await check();
    if (result !== null) await Promise.all([bySigner.reward(address, 1), knownSender.set(pair, 1, 90 * DAY)]);
    return result;
  }

  /** Counts one call with an API key of a tenant; 429 with Retry-After after too many at all servers. */
  async keyCall(tenantId: number): Promise<void> {
    await spend(this.#counters.keyCalls, String(tenantId), 'Too many calls with API keys. Try again shortly.');
  }

  #bound(name: keyof typeof bounds, key: string): Promise<void> {
    const [most, seconds, message] = bounds[name];
    return spend(createCounter(this.#sql)(name, most, seconds, 0), key, `${message}. Try again later.`);
  }

  /** Counts one test of a channel of notifications; 429 with Retry-After after too many of a person or a tenant. */
  async channelTest(tenantId: number, adminId: number): Promise<void> {
    await this.#bound('channel-test', `${tenantId}|${adminId}`);
    await this.#bound('channel-test-tenant', String(tenantId));
  }

  /** Counts one delivery that a person sends again, in the same way. */
  async resend(tenantId: number, adminId: number): Promise<void> {
    await this.#bound('resend', `${tenantId}|${adminId}`);
    await this.#bound('resend-tenant', String(tenantId));
  }

  /** Counts one e-mail that a tenant gives to an account: the answer tells whether another tenant has it. */
  teamEmail = (tenantId: number): Promise<void> => this.#bound('team', String(tenantId));

  /** Not counted for the e-mail from everywhere: others could keep its owner from asking. The sender limits mails. */
  async linkRequest(email: string, from: string): Promise<void> {
    const network = toNetwork(from);
    await this.#bound('link', this.#pseudonym(`link ${email.toLowerCase()}|${network}`));
    await this.#bound('link-network', this.#pseudonym(`link ${network}`));
  }

  linkTried = (from: string): Promise<void> => this.#bound('link-tried', this.#pseudonym(`tried ${toNetwork(from)}`));
  passkeyBegun = (from: string): Promise<void> => this.#bound('passkey', this.#pseudonym(`passkey ${toNetwork(from)}`));
  /** A step of a single sign-on. A whole office can share one network. */
  ssoStep = (from: string): Promise<void> => this.#bound('sso', this.#pseudonym(toNetwork(from)));

  /** Counts one new person whom a tenant's provider names: the answer tells whether another tenant has the e-mail. */
  ssoNewcomer = (tenantId: number): Promise<void> => this.#bound('sso-tenant', String(tenantId));

  async sweep(): Promise<void> {
    await this.#sql`delete from rate_limits where expire < ${Date.now()}`;
  }
}

const createCounter =
  (sql: Sql) =>
  (keyPrefix: string, points: number, duration: number, blockDuration = duration, inMemoryBlockOnConsumed = 0) =>
    new RateLimiterPostgres({
      keyPrefix,
      points,
      duration,
      blockDuration,
      inMemoryBlockOnConsumed,
      storeClient: toStore(sql),
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
    });

function createCounters(sql: Sql) {
  const counter = createCounter(sql);
  return {
    byPair: counter('pair', 8, 15 * MINUTE),
    byAddress: counter('address', 60, 15 * MINUTE),
    byAccount: counter('account', 60, HOUR),
    missingByPair: counter('missing', 20, 15 * MINUTE),
    missingByAccount: counter('missing-account', 60, HOUR),
    bySigner: counter('signer', 60, 15 * MINUTE),
    knownSender: counter('sender', 1, 90 * DAY),
    // once they are spent, further calls of the minute do not reach the database
    keyCalls: counter('keys', KEY_CALLS, MINUTE, 0, KEY_CALLS),
  };
}

/** Adapts our driver to the interface that the limiter expects. */
const toStore = (sql: Sql) => ({
  async query({ text, values }: { text: string; values: (string | number)[] }) {
    const rows = await sql.unsafe(text, values);
    return { rows, rowCount: rows.count };
  },
});

async function refuse(limits: readonly (readonly [RateLimiterPostgres, string])[]): Promise<void> {
  const states = await Promise.all(limits.map(async ([limiter, key]) => ({ limiter, state: await limiter.get(key) })));
  const over = states.find(({ limiter, state }) => state && state.consumedPoints > limiter.points)?.state;
  if (over) throw new Problem(429, 'Too many failed sign-ins. Try again later.', Math.ceil(over.msBeforeNext / 1000));
}

/** Counts one, and returns what is over the limit: for a sign-in it is no error, because the next one is refused. */
const count = (limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes | undefined> =>
  limiter.consume(key).then(
    () => undefined,
    (over: unknown) => {
      if (over instanceof RateLimiterRes) return over;
      throw over;
    },
  );

/** Exceeding the limit is refused at once. */
async function spend(limiter: RateLimiterAbstract, key: string, message: string): Promise<void> {
  const over = await count(limiter, key);
  if (over) throw new Problem(429, message, Math.ceil(over.msBeforeNext / 1000));
}
