/** How many statements a read sends, one after another: each is a round trip that somebody waits for. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { statementChannel } from '../../../src/server/db/session';
import { as, reset } from '../../world';

test.before.each(reset);

async function countStatements(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const see = () => {
    count++;
  };
  statementChannel.subscribe(see);
  await work().finally(() => statementChannel.unsubscribe(see));
  return count;
}

test('a read sends the statement for its session and its own, the first page of users too', async () => {
  const sue = await as('sue');
  await sue.listRoles(); // the first call of a session also marks it as used
  assert.is(await countStatements(() => sue.listRoles()), 2);
  assert.is(await countStatements(() => sue.listPlayers({})), 2);
  assert.is(await countStatements(() => sue.listPlayers({ search: 'maria' })), 2);
});

test.run();
