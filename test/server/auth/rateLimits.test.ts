/** Guessing is slowed down, at any number of servers, and nobody is locked out by it. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { KEY_CALLS, RateLimits } from '../../../src/server/auth/rateLimits';
import { statementChannel } from '../../../src/server/db/session';
import { isRefused, pluck, statusOf } from '../../answers';
import { from } from '../../callers';
import { PASSWORD, people, reset, send, services, sql } from '../../world';
import { catchError } from '../catchError';
import { newGate } from '../gate';

test.before.each(reset);

const nobody = async (_: string) => false;
/** A sign-in that ends with this result; null for a wrong password. */
const attempt = <T>(account: string | number, address: string, result: T | null = null, knows = nobody) =>
  services.rateLimits.attempt(account, address, async () => result, knows);

test('guessing many accounts from one address ends in 429, and many addresses cannot lock the owner out', async () => {
  const isKnownIn = async (network: string) => network === '10.1.0.1';
  const fail = (account: string, address: string) => attempt(account, address, null, isKnownIn);
  const succeed = (account: string, address: string) => attempt(account, address, 'in', isKnownIn);
  for (let guess = 0; guess < 61; guess++) await fail(`account-${guess}@mail.test`, '10.0.0.1');
  await isRefused(succeed('fresh@mail.test', '10.0.0.1'), 429);
  assert.is(await succeed('fresh@mail.test', '10.0.0.2'), 'in');

  for (let guess = 0; guess < 61; guess++) await fail('owner@mail.test', `10.2.0.${guess}`);
  await isRefused(succeed('owner@mail.test', '10.3.0.1'), 429);
  assert.is(await succeed('OWNER@mail.test ', '10.1.0.1'), 'in');
});

test('all names of one account are one account: other spellings give no more guesses', async () => {
  const email = 'ini@mitte.test';
  await sql`update admins set email = ${email}, username = 'annie' where id = ${people.ann.id}`;
  const guess = async (name: string, password = 'wrong') =>
    (await send('POST', calls.login.path, { body: { email: name, password } })).status;
  // PostgreSQL with a libc or builtin locale takes the Turkish İ for i, with ICU it does not.
  const turkish = await sql<{ name: string }[]>`
    select name from unnest(${['İni@mitte.test', 'inİ@mitte.test', 'İNİ@MİTTE.TEST']}::text[]) as name
    where lower(name) = lower(${email})`;
  const spellings = [email, 'annie', 'ANNIE', ` ${email.toUpperCase()} `, ...turkish.map(({ name }) => name)];
  for (let n = 0; n < 9; n++) assert.is(await guess(spellings[n % spellings.length]!), 401);
  for (const name of spellings) assert.is(await guess(name, PASSWORD), 429, name);
  assert.is(await guess(people.ben.email, PASSWORD), 200);
});

test('a crowd waiting at one account is bounded, and the owner where they are known does not wait in it', async () => {
  const attempt = <T>(address: string, signIn: () => Promise<T | null>) =>
    services.rateLimits.attempt('owner@mail.test', address, signIn, async (network) => network === '10.1.0.1');
  const gate = newGate();
  const crowd = Array.from({ length: 100 }, (_, n) =>
    attempt(`10.4.0.${n}`, async () => {
      await gate.opened;
      return null;
    }).catch(() => null),
  );
  const enter = async () => 'in';
  await isRefused(attempt('10.5.0.1', enter), 429);
  assert.is(await attempt('10.1.0.1', enter), 'in');
  gate.open();
  await Promise.all(crowd);
});

test('the many IPv6 addresses of one subscriber count as one', async () => {
  const guess = (address: string, result: string | null) => attempt('owner@mail.test', address, result);
  for (let n = 0; n < 9; n++) await guess(`2001:db8:1:2:${n}::${n}`, null);
  await isRefused(guess('2001:DB8:1:2::ffff', 'in'), 429);
  assert.is(await guess('2001:db8:1:3::1', 'in'), 'in');
  assert.is(await guess('::1', 'in'), 'in');
});

test('guesses do not lock owners out of networks they signed in from, on any server [ASVS 6.1.1]', async () => {
  const login = (address: string, email: string = people.ann.email) => {
    services.rateLimits = new RateLimits(sql, services.secrets); // as after a restart
    return statusOf(from(address).login({ body: { email, password: PASSWORD } }));
  };
  assert.is(await login('2001:db8::1'), 200);
  for (let guess = 0; guess < 61; guess++) await attempt(people.ann.id, `203.0.113.${guess}`);
  assert.is(await login('198.51.100.7'), 429, 'where nobody knows the owner');
  assert.is(await login('2001:db8::2'), 200, 'in the network of before');
  assert.is(await login('2001:db8::2', people.ben.email), 200);

  await sql`update known_networks set seen_at = now() - interval '91 days'`;
  assert.is(await login('2001:db8::2'), 429);
  await services.sessions.sweep(sql);
  assert.is((await sql`select 1 from known_networks`).length, 0);
});

test('failures are counted for all servers together, also on one that has just started', async () => {
  const at = [1, 2, 3].map(() => new RateLimits(sql, services.secrets));
  const enter = (rateLimits: RateLimits, address: string, result: string | null = 'in') =>
    rateLimits.attempt('owner@mail.test', address, async () => result, nobody);
  for (let guess = 0; guess < 9; guess++) assert.is(await enter(at[guess % 3]!, '10.0.0.1', null), null);
  for (const rateLimits of [...at, new RateLimits(sql, services.secrets)]) {
    await isRefused(enter(rateLimits, '10.0.0.1'), 429);
    assert.is(await enter(rateLimits, '10.0.0.2'), 'in');
  }
  const sign = (rateLimits: RateLimits, result: string | null) =>
    rateLimits.signature('2/apex', '10.0.0.3', async () => result);
  for (let wrong = 0; wrong < 60; wrong++) assert.is(await sign(at[wrong % 3]!, null), null);
  for (const rateLimits of at) await isRefused(sign(rateLimits, 'right'), 429);
});

test('calls with the API keys of a tenant are counted for all servers, and one too many is not written', async () => {
  const at = [1, 2, 3].map(() => new RateLimits(sql, services.secrets));
  let writes = 0,
    allowed = 0;
  const count = (statement: unknown) => {
    if (/rate_limits/.test(Reflect.get(Object(statement), 'text'))) writes++;
  };
  statementChannel.subscribe(count);
  // As they come in a crowd: several at once at each server.
  for (let sent = 0; sent < KEY_CALLS + 60; sent += 12) {
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => at[n % 3]!.keyCall(2)));
    allowed += outcomes.filter(({ status }) => status === 'fulfilled').length;
  }
  statementChannel.unsubscribe(count);
  assert.is(allowed, KEY_CALLS);
  assert.ok(writes <= KEY_CALLS + 12, `${writes} writes`);
  for (const rateLimits of [...at, new RateLimits(sql, services.secrets)]) {
    await isRefused(rateLimits.keyCall(2), 429);
    await rateLimits.keyCall(3);
  }
});

test('the calls of a tenant begin anew when the minute is over, and a lost database is asked again', async () => {
  let isAway = true;
  const flaky = Object.assign((...given: Parameters<typeof sql>) => sql(...given), sql, {
    unsafe: (...given: Parameters<typeof sql.unsafe>) => {
      if (isAway) throw new Error('away');
      return sql.unsafe(...given);
    },
  }) as typeof sql;
  const rateLimits = new RateLimits(flaky, services.secrets);
  assert.is((await catchError(rateLimits.keyCall(2))).message, 'away');
  isAway = false;
  for (let n = 0; n < KEY_CALLS; n++) await rateLimits.keyCall(2);
  await isRefused(rateLimits.keyCall(2), 429);
  await sql`update rate_limits set expire = ${Date.now()} where key = 'keys:2'`;
  await new RateLimits(sql, services.secrets).keyCall(2);
});

test('stored failures contain no names and are deleted when they expire', async () => {
  const typed = 'My-Password-In-The-Wrong-Field';
  await attempt(typed, '203.0.113.77');
  await services.rateLimits.signature('2/apex', '203.0.113.77', async () => 'right');
  const kept = await sql<{ key: string }[]>`select key from rate_limits`;
  assert.is(kept.length, 5, 'pair, address, account; signer and sender');
  for (const { key } of kept) assert.not.match(key.toLowerCase(), /password|203|apex/);

  await sql`update rate_limits set expire = expire - ${3600 * 1000}`;
  await services.rateLimits.sweep();
  const left = await sql`select split_part(key, ':', 1) as kind from rate_limits`;
  assert.equal(pluck(left, 'kind'), ['sender']);
});

test.run();
