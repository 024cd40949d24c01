import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { toNetwork } from '../core/clientNetwork';
import { Problem } from '../core/problem';
import type { Sql } from '../db/open';
import { type CallBatches, createCallBatches } from './callBatches';
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
const MAX_WAITING = 100;
/** Calls per minute with the API keys of one tenant together. */
export const KEY_CALLS = 600;
/** Tests of channels in 10 minutes of one person, and in an hour of one tenant. */
const CHANNEL_TESTS = 5,
  TENANT_CHANNEL_TESTS = 20;
/** The same of deliveries that are sent again. */
const RESENDS = 20,
  TENANT_RESENDS = 60;
/** E-mails that the team of one tenant gives to accounts in an hour. */
const TEAM_EMAILS = 20;
/** Links that are asked for in 15 minutes for one e-mail, and in an hour, from one network; links that are tried. */
const LINKS = 3,
  NETWORK_LINKS = 30,
  TRIED_LINKS = 30;
/** Sign-ins with a passkey that are begun in 15 minutes from one network. */
const PASSKEYS = 100;
/** Steps of single sign-ons in 15 minutes from one network. */
const SSO_STEPS = 600;

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
  readonly #keyCalls: CallBatches;
  readonly #inTurn = createQueues();

  constructor(sql: Sql, { pseudonym }: Pick<Secrets, 'pseudonym'>) {
    this.#sql = sql;
    this.#pseudonym = pseudonym;
    this.#counters = createCounters(sql);
    this.#keyCalls = createCallBatches(this.#counters.keyCalls);
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

  /**
   * Checks one signature; `check` returns null when it is wrong. 429 after too many wrong ones from the address, except
   * for senders that have signed correctly from there before.
   */
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
    const ms = await this.#keyCalls.spend(String(tenantId));
    if (ms > 0) throw new Problem(429, 'Too many calls with API keys. Try again shortly.', Math.ceil(ms / 1000));
  }

  /** Counts one test of a channel of notifications; 429 with Retry-After after too many of a person or a tenant. */
  async channelTest(tenantId: number, adminId: number): Promise<void> {
    const only = (tests: number, time: string) => `Only ${tests} tests of channels in ${time}. Try again later.`;
    await spend(this.#counters.byTester, `${tenantId}|${adminId}`, only(CHANNEL_TESTS, '10 minutes'));
    await spend(this.#counters.byTestedTenant, String(tenantId), only(TENANT_CHANNEL_TESTS, 'an hour'));
  }

  /** Counts one delivery that a person sends again, in the same way. */
  async resend(tenantId: number, adminId: number): Promise<void> {
    const only = (times: number, time: string) =>
      `Only ${times} deliveries are sent again in ${time}. Try again later.`;
    await spend(this.#counters.byResender, `${tenantId}|${adminId}`, only(RESENDS, '10 minutes'));
    await spend(this.#counters.byResendingTenant, String(tenantId), only(TENANT_RESENDS, 'an hour'));
  }

  /** Counts one e-mail that a tenant gives to an account: the answer tells whether another tenant has it. */
  async teamEmail(tenantId: number): Promise<void> {
    const message = `Only ${TEAM_EMAILS} accounts are added or renamed in an hour. Try again later.`;
    await spend(this.#counters.byTeam, String(tenantId), message);
  }

  /**
   * Counts one request for a link. It is not counted for the e-mail from everywhere, which would let others keep its
   * owner from asking: the sender bounds what one account gets.
   */
  async linkRequest(email: string, from: string): Promise<void> {
    const network = toNetwork(from),
      message = 'Too many links were asked for. Try again later.';
    await spend(this.#counters.byLink, this.#pseudonym(`link ${email.toLowerCase()}|${network}`), message);
    await spend(this.#counters.byLinkNetwork, this.#pseudonym(`link ${network}`), message);
  }

  /** Counts one link that is tried. */
  async linkTried(from: string): Promise<void> {
    const network = this.#pseudonym(`tried ${toNetwork(from)}`);
    await spend(this.#counters.byTriedLink, network, 'Too many links were tried. Try again later.');
  }

  /** Counts one sign-in with a passkey that is begun. */
  async passkeyBegun(from: string): Promise<void> {
    const network = this.#pseudonym(`passkey ${toNetwork(from)}`);
    await spend(this.#counters.byPasskey, network, 'Too many sign-ins were begun. Try again later.');
  }

  /** Counts one step of a single sign-on. A whole office can share one network. */
  async ssoStep(from: string): Promise<void> {
    await spend(this.#counters.bySso, this.#pseudonym(toNetwork(from)), 'Too many sign-ins. Try again later.');
  }

  /** Deletes expired counters. */
  async sweep(): Promise<void> {
    this.#keyCalls.sweep();
    await this.#sql`delete from rate_limits where expire < ${Date.now()}`;
  }
}

function createCounters(sql: Sql) {
  const counter = (keyPrefix: string, points: number, duration: number, blockDuration = duration) =>
    new RateLimiterPostgres({
      keyPrefix,
      points,
      duration,
      blockDuration,
      storeClient: toStore(sql),
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
    });
  return {
    byPair: counter('pair', 8, 15 * MINUTE),
    byAddress: counter('address', 60, 15 * MINUTE),
    byAccount: counter('account', 60, HOUR),
    missingByPair: counter('missing', 20, 15 * MINUTE),
    missingByAccount: counter('missing-account', 60, HOUR),
    bySigner: counter('signer', 60, 15 * MINUTE),
    knownSender: counter('sender', 1, 90 * DAY),
    keyCalls: counter('keys', KEY_CALLS, MINUTE, 0),
    byTester: counter('channel-test', CHANNEL_TESTS, 10 * MINUTE, 0),
    byTestedTenant: counter('channel-test-tenant', TENANT_CHANNEL_TESTS, HOUR, 0),
    byResender: counter('resend', RESENDS, 10 * MINUTE, 0),
    byResendingTenant: counter('resend-tenant', TENANT_RESENDS, HOUR, 0),
    byTeam: counter('team', TEAM_EMAILS, HOUR, 0),
    byLink: counter('link', LINKS, 15 * MINUTE, 0),
    byLinkNetwork: counter('link-network', NETWORK_LINKS, HOUR, 0),
    byPasskey: counter('passkey', PASSKEYS, 15 * MINUTE, 0),
    bySso: counter('sso', SSO_STEPS, 15 * MINUTE, 0),
    byTriedLink: counter('link-tried', TRIED_LINKS, 15 * MINUTE, 0),
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

/** Exceeding the limit is not an error here: the next attempt is refused. */
async function count(limiter: RateLimiterAbstract, key: string): Promise<void> {
  await limiter.consume(key).catch((over: unknown) => {
    if (!(over instanceof RateLimiterRes)) throw over;
  });
}

/** Exceeding the limit is refused at once. */
async function spend(limiter: RateLimiterAbstract, key: string, message: string): Promise<void> {
  await limiter.consume(key).catch((over: unknown) => {
    if (!(over instanceof RateLimiterRes)) throw over;
    throw new Problem(429, message, Math.ceil(over.msBeforeNext / 1000));
  });
}

/** Runs work with the same key one after another. */
function createQueues() {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>();
  return async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (line.length >= MAX_WAITING) throw new Problem(429, 'Too many sign-ins at once. Try again shortly.', 5);
    line.length++;
    lines.set(key, line);
    const mine = line.last.then(work);
    line.last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      if (--line.length === 0) lines.delete(key);
    }
  };
}
