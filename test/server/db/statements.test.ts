/** What a connection keeps of the statements it has seen. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openAnother } from '../../world';
import { catchError } from '../catchError';

test('a connection keeps so many prepared statements and no more; the rest are answered as well', async () => {
  const own = await openAnother(1); // one that has seen no statement of another test
  const spoiled = own.tx(async (sql) => {
    for (let n = 1; n <= 450; n++)
      assert.equal(
        [...(await sql`select ${n}::int as given, ${sql.unsafe(String(n))} as written`)],
        [{ given: n, written: n }],
      );
    const [kept] = await sql<{ count: number }[]>`select count(*)::int from pg_prepared_statements`;
    assert.is(kept?.count, 400);
    const rows: number[] = [];
    for await (const some of sql<{ n: number }[]>`select n::int from generate_series(1, ${5}::int) as n`.cursor(2))
      rows.push(...some.map(({ n }) => n));
    assert.equal(rows, [1, 2, 3, 4, 5], 'piece by piece, too');
    await catchError(sql`select ${'no number'}::int`);
  });
  assert.match((await catchError(spoiled)).message, /invalid input syntax/);
  assert.is((await own.sql`select ${1}::int as one`)[0]?.['one'], 1);
  await own.close();
});

test.run();
