import { setTimeout } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FairQueue, type Lane, type Turn } from '../../../src/server/core/fairQueue';
import { busy, Problem } from '../../../src/server/core/problem';
import { catchError } from '../catchError';

const refusal = () => busy('Too busy');
const turn = (lane: Lane, key: string, signal?: AbortSignal): Turn => ({ lane, key, signal });

/** The status of a refusal. */
const refused = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Problem ? error.status : error),
  );

/** Work that ends when it is told to, and the names of what has begun so far. */
function newWork() {
  const begun: string[] = [],
    ends: (() => void)[] = [];
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    /** Ends what began first, and lets the next begin. */
    async endOne() {
      ends.shift()?.();
      await setTimeout(0);
    },
  };
}

test('whoever asks for much waits behind themselves: keys take turns, and so do lanes', async () => {
  const queue = new FairQueue({ places: 1, maxWaitMs: 10_000, refusal }),
    { begun, work, endOne } = newWork();
  const done = [queue.run(turn('stranger', 'x'), work('first'))];
  for (let n = 1; n <= 3; n++) done.push(queue.run(turn('signedIn', 'a'), work(`a${n}`)));
  for (let n = 1; n <= 4; n++) done.push(queue.run(turn('stranger', `s${n}`), work(`s${n}`)));
  done.push(queue.run(turn('signedIn', 'b'), work('b1')), queue.run(turn('known', 'k'), work('k1')));
  while (begun.length < done.length) await endOne();
  await endOne();
  await Promise.all(done);
  assert.equal(begun, ['first', 'k1', 'a1', 's1', 'b1', 's2', 'a2', 's3', 'a3', 's4']);
});

test('no key takes all places, and a place that it may not take goes to the next', async () => {
  const queue = new FairQueue({ places: 3, placesPerKey: 2, maxWaitMs: 10_000, refusal }),
    { begun, work, endOne } = newWork();
  const done = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => queue.run(turn('signedIn', name[0]!), work(name)));
  assert.equal(begun, ['a1', 'a2', 'b1']);
  await endOne();
  assert.equal(begun.slice(3), ['a3']);
  for (let n = 0; n < 5; n++) await endOne();
  await Promise.all(done);
  assert.equal(begun.slice(4), ['b2']);
});

test('nobody waits too long or behind too many, and whoever has gone is not served', async () => {
  const queue = new FairQueue({ places: 1, waitingPerKey: 2, maxWaitMs: 50, refusal }),
    { begun, work, endOne } = newWork(),
    leaving = new AbortController();
  const running = queue.run(turn('known', 'a'), work('a1'));
  const gone = refused(queue.run(turn('known', 'a', leaving.signal), work('gone'))),
    late = refused(queue.run(turn('known', 'a'), work('late')));
  assert.is(await refused(queue.run(turn('known', 'a'), work('one too many'))), 503);
  leaving.abort();
  assert.is(await gone, 499);
  assert.is(await refused(queue.run(turn('stranger', 'b', leaving.signal), work('gone before'))), 499);
  assert.is(await late, 503);
  await endOne();
  await running;
  assert.equal(begun, ['a1']);
  const next = queue.run(turn('known', 'a'), work('next'));
  await endOne();
  await next;
  assert.equal(begun, ['a1', 'next'], 'nothing is left behind');
});

test('a place is free again after work that fails', async () => {
  const queue = new FairQueue({ places: 1, maxWaitMs: 50, refusal });
  const failing = () => Promise.reject(new Error('failed'));
  for (let n = 0; n < 3; n++) assert.is((await catchError(queue.run(turn('known', 'a'), failing))).message, 'failed');
  assert.is(await queue.run(turn('known', 'b'), async () => 'done'), 'done');
});

test('how many come first is told in advance', async () => {
  const queue = new FairQueue({ places: 1, maxWaitMs: 10_000, refusal }),
    { work, endOne } = newWork();
  assert.is(queue.countAhead(turn('known', 'k')), 0);
  const done = [queue.run(turn('stranger', 'x'), work('x'))];
  assert.is(queue.countAhead(turn('known', 'k')), 1, 'the one at work');
  for (let n = 0; n < 20; n++) done.push(queue.run(turn('signedIn', 'a'), work('a')));
  assert.is(queue.countAhead(turn('signedIn', 'a')), 21);
  assert.is(queue.countAhead(turn('signedIn', 'b')), 2, 'one of a');
  assert.is(queue.countAhead(turn('known', 'k')), 2);
  for (let n = 0; n < done.length; n++) await endOne();
  await Promise.all(done);
});

test.run();
