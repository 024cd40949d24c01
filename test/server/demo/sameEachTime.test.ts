/** The sample data are the same at each start, at whatever time of day and year. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLedger } from '../../../src/server/books/verify';
import { fillDemo } from '../../../src/server/demo/fillDemo';
import { db, reset, services, sql } from '../../world';
import { assertUsualSize, dips, empty, one } from './sampleData';

test.after(reset);

test('the same moment gives the same world, with as much in it as at any other', async () => {
  // In UTC the day is just starting. In Los Angeles it is the 8th, which summer time shortens to 23 hours.
  const moment = new Date('2026-03-09T00:00:00Z');
  // Without what differs on purpose: password hashes, sealed secrets and the clock of the insert.
  const fingerprint = async () => {
    await empty();
    await fillDemo(db, services, moment);
    return one(sql`
      select (select md5(string_agg(p::text, ';' order by id)) from players p) as players,
        (select md5(string_agg(t::text, ';' order by id)) from transactions t) as transactions,
        (select md5(string_agg(r::text, ';' order by id)) from redeems r) as redeems,
        (select md5(string_agg(t::text, ';' order by tenant_id, id)) from transfers t) as transfers,
        (select md5(string_agg(w::text, ';' order by player_id)) from wallets w) as wallets`);
  };
  const first = await fingerprint();
  assert.equal([await verifyLedger(sql), await dips()], [[], 0]);
  await assertUsualSize();
  assert.equal(await fingerprint(), first);
});

test.run();
