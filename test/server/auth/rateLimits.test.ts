/** Guessing is slowed down, at any number of servers, and nobody is locked out by it. */
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { createApp } from '../../../src/server/app';
import { BATCH } from '../../../src/server/auth/callBatches';
import { KEY_CALLS, RateLimits } from '../../../src/server/auth/rateLimits';
import { statementChannel } from '../../../src/server/db/session';
import { db, PASSWORD, people, refused, reset, send, services, sql } from '../../world';
import { catchError } from '../catchError';

test.before.each(reset);

test('guessing many accounts from one address ends in 429, and many addresses cannot lock the owner out', async () => {
  const isKnownIn = async (network: string) => network === '10.1.0.1';
  const fail = (account: string, address: string) =>
    services.rateLimits.attempt(account, address, async () => null, isKnownIn);
  const succeed = (account: string, address: string) =>
    services.rateLimits.attempt(account, address, async () => 'in', isKnownIn);
  for (let guess = 0; guess < 61; guess++) await fail(`account-${guess}@mail.test`, '10.0.0.1');
  assert.is(await refused(succeed('fresh@mail.test', '10.0.0.1')), 429);
  assert.is(await succeed('fresh@mail.test', '10.0.0.2'), 'in');

  for (let guess = 0; guess < 61; guess++) await fail('owner@mail.test', `10.2.0.${guess}`);
  assert.is(await refused(succeed('owner@mail.test', '10.3.0.1')), 429);
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
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const crowd = Array.from({ length: 100 }, (_, n) =>
    attempt(`10.4.0.${n}`, async () => {
      await held;
      return null;
    }).catch(() => null),
  );
  assert.is(await refused(attempt('10.5.0.1', async () => 'in')), 429);
  assert.is(await attempt('10.1.0.1', async () => 'in'), 'in');
  release();
  await Promise.all(crowd);
});

test('the many IPv6 addresses of one subscriber count as one', async () => {
  const from = <T>(address: string, result: T | null) =>
    services.rateLimits.attempt(
      'owner@mail.test',
      address,
      async () => result,
      async () => false,
    );
  for (let guess = 0; guess < 9; guess++) await from(`2001:db8:1:2:${guess}::${guess}`, null);
  assert.is(await refused(from('2001:DB8:1:2::ffff', 'in')), 429);
  assert.is(await from('2001:db8:1:3::1', 'in'), 'in');
  assert.is(await from('::1', 'in'), 'in');
});

test('guesses do not lock owners out of networks they signed in from, on any server [ASVS 6.1.1]', async () => {
  const wrong = (address: string) =>
    services.rateLimits.attempt(
      people.ann.id,
      address,
      async () => null,
      async () => false,
    );
  const login = async (address: string, email: string = people.ann.email) => {
    const restarted = { ...services, rateLimits: new RateLimits(sql, services.secrets) };
    const server = createApp({
      db,
      services: restarted,
      log: pino({ level: 'silent' }),
      trustProxy: 1,
      corsOrigins: [],
    });
    return (
      await server.fetch(
        new Request(`http://test${calls.login.path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
          body: JSON.stringify({ email, password: PASSWORD }),
        }),
      )
    ).status;
  };
  assert.is(await login('2001:db8::1'), 200);
  for (let guess = 0; guess < 61; guess++) await wrong(`203.0.113.${guess}`);
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
  const nobody = async () => false;
  for (let guess = 0; guess < 9; guess++)
    assert.is(await at[guess % 3]!.attempt('owner@mail.test', '10.0.0.1', async () => null, nobody), null);
  for (const rateLimits of [...at, new RateLimits(sql, services.secrets)]) {
    assert.is(await refused(rateLimits.attempt('owner@mail.test', '10.0.0.1', async () => 'in', nobody)), 429);
    assert.is(await rateLimits.attempt('owner@mail.test', '10.0.0.2', async () => 'in', nobody), 'in');
  }
  for (let wrong = 0; wrong < 60; wrong++)
    assert.is(await at[wrong % 3]!.signature('2/apex', '10.0.0.3', async () => null), null);
  for (const rateLimits of at)
    assert.is(await refused(rateLimits.signature('2/apex', '10.0.0.3', async () => 'right')), 429);
});

test('calls with the API keys of a tenant are counted for all servers together, with one write for many', async () => {
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
  assert.ok(allowed <= KEY_CALLS && allowed > KEY_CALLS - 3 * BATCH, `${allowed} calls`);
  assert.ok(writes <= KEY_CALLS / BATCH + 3, `${writes} writes`);
  for (const rateLimits of [...at, new RateLimits(sql, services.secrets)]) {
    assert.is(await refused(rateLimits.keyCall(2)), 429);
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
  assert.is(await refused(rateLimits.keyCall(2)), 429);
  await sql`update rate_limits set expire = ${Date.now()} where key = 'keys:2'`;
  await new RateLimits(sql, services.secrets).keyCall(2);
});

test('stored failures contain no names and are deleted when they expire', async () => {
  const typed = 'My-Password-In-The-Wrong-Field';
  await services.rateLimits.attempt(
    typed,
    '203.0.113.77',
    async () => null,
    async () => false,
  );
  await services.rateLimits.signature('2/apex', '203.0.113.77', async () => 'right');
  const kept = await sql<{ key: string }[]>`select key from rate_limits`;
  assert.is(kept.length, 5, 'pair, address, account; signer and sender');
  for (const { key } of kept) assert.not.match(key.toLowerCase(), /password|203|apex/);

  await sql`update rate_limits set expire = expire - ${3600 * 1000}`;
  await services.rateLimits.sweep();
  assert.equal(
    (await sql<{ key: string }[]>`select key from rate_limits`).map(({ key }) => key.split(':')[0]),
    ['sender'],
  );
});

test.run();
