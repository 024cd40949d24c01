/**
 * 1,000 tries at once at each limit of a player, and of linked ones: as many are taken as it has room for. And
 * purchases, deposits and redeems while a break begins: once it is there, none is taken.
 */
import * as assert from 'uvu/assert';
import { limitedMoney, limitSpans } from '../../src/contract/protection';
import { verifyLedger } from '../../src/server/books/verify';
import { addPlayer, deposit, type Owner, redeem, topUp } from '../seed';
import { as, reset, sql } from '../world';
import { type ProveOptions, Random } from './random';

const TRIES = 1_000;
/** Each try is for 10. */
const ROOM = 7;
const requests = {
  purchase: (player: Owner) => topUp(player, '10'),
  deposit: (player: Owner) => deposit(player, 'credit', '10'),
  redeem: (player: Owner) => redeem(player, '10'),
};

/** The ids of what was taken; what was not has this code. */
async function tryAll(tries: (() => Promise<number>)[], code: string): Promise<number[]> {
  const found = await Promise.all(
    tries.map((request) =>
      request().catch((error: { code?: string }) => {
        assert.is(error.code, code, String(error));
        return null;
      }),
    ),
  );
  return found.filter((id) => id !== null);
}

async function countOf({ id }: Owner): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*) from transactions where player_id = ${id})::int
      + (select count(*) from redeems where player_id = ${id})::int as count`;
  return row?.count ?? 0;
}

export async function prove({ seed, say, long, rounds = long ? 50 : 5 }: ProveOptions): Promise<void> {
  const random = new Random(seed);
  await reset();
  const ann = await as('ann');
  for (const money of limitedMoney)
    for (const span of limitSpans) {
      const player = await addPlayer(2, { email: `${money}.${span}@mail.test`, credit: '20000' });
      await ann.saveProtection({ id: player.id, body: { limits: [{ money, span, amount: ROOM * 10 + 5 }] } });
      const taken = await tryAll(
        Array.from({ length: TRIES }, () => () => requests[money](player)),
        'over_limit',
      );
      assert.is(taken.length, ROOM, `${money} ${span}`);
      const [{ used = 0 } = {}] = (await ann.getProtection({ id: player.id })).limits;
      assert.is(used, ROOM * 10);
    }
  say(`${TRIES} tries at each of ${limitedMoney.length * limitSpans.length} limits: ${ROOM} were taken of each`);

  for (const money of limitedMoney) {
    const group: Owner[] = [];
    for (let n = 0; n < 3; n++)
      group.push(await addPlayer(2, { email: `${money}.linked${n}@mail.test`, credit: '20000' }));
    const [first, second, third] = group as [Owner, Owner, Owner];
    await ann.saveProtection({ id: second.id, body: { limits: [{ money, span: 'day', amount: ROOM * 10 + 5 }] } });
    await ann.linkPlayers({ id: third.id, body: { player_id: second.id } });
    // The last one is linked in the middle, and gives the group another head.
    const link = async () => {
      await ann.linkPlayers({ id: third.id, body: { player_id: first.id } });
      return 0;
    };
    const tries = Array.from({ length: TRIES }, () => () => requests[money](random.pick([second, third])));
    tries.splice(random.from(0, TRIES), 0, link);
    assert.is((await tryAll(tries, 'over_limit')).length - 1, ROOM, `${money} of linked players`);
    assert.equal(
      await tryAll(
        group.map((player) => () => requests[money](player)),
        'over_limit',
      ),
      [],
    );
  }
  say(`${TRIES} tries of linked players at one limit, while a third is linked: ${ROOM} were taken`);

  let before = 0,
    refused = 0;
  for (let round = 0; round < rounds; round++) {
    const player = await addPlayer(2, { email: `break${round}@mail.test`, credit: '20000' });
    const names = Object.keys(requests) as (keyof typeof requests)[];
    const twin = await addPlayer(2, { email: `twin${round}@mail.test`, credit: '20000' });
    if (round % 2) await ann.linkPlayers({ id: player.id, body: { player_id: twin.id } });
    const askers = round % 2 ? [player, twin] : [player];
    const countAll = async () => (await Promise.all(askers.map(countOf))).reduce((sum, count) => sum + count, 0);
    const tries = Array.from({ length: 100 }, () => () => requests[random.pick(names)](random.pick(askers)));
    let atStart = 0;
    const begin = async () => {
      await ann.saveProtection({ id: player.id, body: { exclusion: { until: null } } });
      atStart = await countAll();
      return 0;
    };
    tries.splice(random.from(0, 100), 0, begin);
    const found = await tryAll(tries, 'excluded');
    assert.is(await countAll(), atStart, 'after the break has begun');
    assert.is(found.length - 1, atStart);
    before += found.length - 1;
    refused += tries.length - found.length;
  }
  assert.ok(before > 0 && refused > 0, `${before} before, ${refused} after`);
  assert.equal(await verifyLedger(sql), []);
  say(`${rounds} breaks among 100 requests at once: ${before} were taken before, ${refused} refused, none taken after`);
}
