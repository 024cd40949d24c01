import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { reset, sql } from '../world';
import { interceptRequestsAfter } from './network';

test('what one test has begun to write is not in the world of the next', async () => {
  await reset();
  let write = () => undefined as void;
  const turn = new Promise<void>((resolve) => {
    write = resolve;
  });
  const prepare = async () => {
    await turn;
    await sql`insert into tenants (name, time_zone) values ('Late', 'UTC')`;
  };
  const answered = interceptRequestsAfter(prepare).fetch('/healthz', {});
  const next = reset();
  setTimeout(write, 300);
  await Promise.all([next, answered]);
  assert.equal([...(await sql`select name from tenants where name = 'Late'`)], []);
});

test.run();
