/** The check of the whole ledger in slices: it finds what verify finds, goes on where it stopped, and works alone. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkNextSlice, firstSizes } from '../../../src/server/books/checkSlices';
import { verifyLedger } from '../../../src/server/books/verify';
import { lines, pluck } from '../../answers';
import { checkEverything } from '../../books';
import { ann, ben, sue } from '../../callers';
import { countAll } from '../../facts';
import { addPlayer, deposit, fund, redeem, topUp } from '../../seed';
import { db, pam, reset, sql } from '../../world';

test.before.each(reset);

const small = () => ({ players: 1, days: 1, accounts: 1, shifts: 1, months: 1 });
const checks =
  () => sql`select tenant_id, part, position, checked, differences, off_by, finished_at is not null as is_done
  from book_checks order by tenant_id`;

test('books that add up have no difference, of any tenant', async () => {
  await checkEverything();
  const shown = lines(await checks(), 'tenant_id', 'checked', 'differences', 'off_by', 'is_done');
  assert.equal(shown, ['2 1 0 0 true', '3 1 0 0 true']);
  assert.is(await checkNextSlice(db, firstSizes()), null, 'nothing is due for a day');
  await sql`update book_checks set started_at = now() - interval '25 hours', finished_at = now() - interval '25 hours'`;
  assert.is.not(await checkNextSlice(db, firstSizes()), null);
});

test('whatever somebody changes past the server is found, with the words of verify and the amount', async () => {
  const lee = await addPlayer(2, { email: 'lee@mail.test' });
  await fund(lee, 'credit', '100');
  await redeem(lee, '20');
  await deposit(lee, 'credit', '5');
  await topUp(lee, '10', 'success');
  await countAll();
  assert.equal(await db.tx(verifyLedger), []);
  await sql`update wallets set credit_balance = credit_balance + 7.25 where player_id = ${pam.id}`;
  await sql`update wallets set individual_ggr = individual_ggr + 1 where tenant_id = 2 and player_id = ${lee.id}`;
  await sql`
    update facts set amount_in = amount_in + 3 where tenant_id = 2 and dimension = 'total' and unit = 'day' and amount_in > 0`;
  await checkEverything(small());
  const sentences = (await sql`select sentence from book_differences order by sentence`).map((row) => row['sentence']);
  assert.equal(sentences, (await db.tx(verifyLedger)).toSorted());
  const [acme] = await checks();
  assert.equal([acme?.['differences'], acme?.['off_by']], [sentences.length, 7.25 + 1 + 3 + 3 - 3]);
});

test('after a restart it goes on where it stopped', async () => {
  for (let n = 0; n < 5; n++) await addPlayer(2, { email: `more${n}@mail.test` });
  for (let n = 0; n < 3; n++) {
    await checkNextSlice(db, small());
    await sql`update book_checks set next_at = '-infinity'`;
  }
  const [acme] = await checks();
  assert.equal([acme?.['part'], acme?.['checked']], ['players', 3]);
  const started = await sql`select started_at from book_checks`;
  await checkEverything(small());
  assert.is((await checks())[0]?.['checked'], 6);
  assert.equal(await sql`select started_at from book_checks where tenant_id = 2`, started);
});

test('one server works at a time, and each slice is followed by a rest', async () => {
  await db.tx(async (tx) => {
    await tx`select pg_advisory_xact_lock(4217037)`;
    assert.is(await checkNextSlice(db, firstSizes()), null);
  });
  const rest = await checkNextSlice(db, firstSizes());
  assert.ok(rest !== null && rest >= 20, String(rest));
  assert.is(await checkNextSlice(db, firstSizes()), null, 'another server rests as long');
});

test('what was asked for comes first, and what is under way is not begun again', async () => {
  await checkEverything();
  await ben.verifyBooks({ body: {} });
  await checkNextSlice(db, small());
  const [begun] = await sql`select tenant_id from book_checks where started_at > finished_at`;
  assert.is(begun?.['tenant_id'], 3);
  await ben.verifyBooks({ body: {} });
  await checkEverything();
  const [last] = await sql`select requested_at < started_at as is_served from book_checks where tenant_id = 3`;
  assert.is(last?.['is_served'], true);
});

test('a redeem that is decided between two slices is no difference', async () => {
  await checkNextSlice(db, small());
  await sue.changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } });
  await checkEverything(small());
  assert.equal(pluck(await checks(), 'differences'), [0, 0]);
});

test('a slice that fails keeps no other tenant waiting, and is tried again later and later', async () => {
  await sql`insert into book_checks (tenant_id, started_at, position) values (2, now(), 'no number')`;
  const failed: number[] = [];
  const next = () => checkNextSlice(db, firstSizes(), (_, tenant) => void failed.push(tenant));
  while ((await next()) !== null) await sql`update book_checks set next_at = '-infinity' where failures = 0`;
  assert.equal(failed, [2]);
  const acme = async () => {
    const [row] = await sql<{ failures: number; wait: number; is_done: boolean }[]>`
      select failures, round(extract(epoch from greatest(next_at, now()) - now()))::int as wait,
        finished_at is not null as is_done
      from book_checks where tenant_id = 2`;
    return row!;
  };
  assert.equal(lines(await checks(), 'tenant_id', 'is_done'), ['2 false', '3 true']);
  const waits = [(await acme()).wait];
  for (let n = 0; n < 8; n++) {
    await sql`update book_checks set next_at = '-infinity' where tenant_id = 2`;
    await next();
    waits.push((await acme()).wait);
  }
  const due = [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600];
  for (const [n, wait] of waits.entries()) assert.ok(Math.abs(wait - due[n]!) <= 5, waits.join());
  assert.is((await acme()).failures, 9);
  await sql`update book_checks set position = '' where tenant_id = 2`;
  assert.is(await next(), null, 'it waits');
  await ann.verifyBooks({ body: {} });
  await checkEverything();
  assert.equal([(await acme()).failures, (await acme()).is_done], [0, true]);
});

test('a check that fails before its first slice is over is left until later as well', async () => {
  await countAll();
  await sql`update tenants set time_zone = 'No/Where' where id = 2`;
  await sql`insert into book_checks (tenant_id, started_at, part) values (2, now(), 'days')`;
  await sql`update book_checks set started_at = now() - interval '2 days', finished_at = now() - interval '2 days'`;
  const failed: number[] = [];
  for (let n = 0; n < 40; n++) {
    await sql`update book_checks set next_at = '-infinity' where failures = 0`;
    if ((await checkNextSlice(db, small(), (_, tenant) => void failed.push(tenant))) === null) break;
  }
  await sql`update tenants set time_zone = 'UTC' where id = 2`;
  assert.equal(failed, [2]);
  assert.is((await checks())[1]?.['is_done'], true);
});

test('after a failure the slice of that tenant is smaller, whatever the others take', async () => {
  for (let n = 0; n < 7; n++) await addPlayer(2, { email: `more${n}@mail.test` });
  await sql`insert into book_checks (tenant_id, started_at, failures) values (2, now(), 2)`;
  await checkNextSlice(db, { ...small(), players: 8 });
  assert.is((await checks())[0]?.['checked'], 2);
});

test.run();
