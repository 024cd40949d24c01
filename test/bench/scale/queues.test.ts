import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { addLoad, erlangC, groupCommit, idle, shareOver, waitAt } from './queues';

const near = (value: number, wanted: number, part: number, name: string) =>
  assert.ok(Math.abs(value - wanted) <= part * Math.abs(wanted), `${name}: ${value} instead of ${wanted}`);
const loaded = (rate: number, ms: number, variation: number) => {
  const load = idle();
  addLoad(load, rate, ms, variation);
  return load;
};

test('with one place the wait is that of M/M/1, and of M/D/1 half of it', () => {
  for (const busy of [0.1, 0.5, 0.9]) {
    const even = waitAt(loaded(busy / 2, 2, 0), 1),
      uneven = waitAt(loaded(busy / 2, 2, 1), 1);
    near(uneven.mean, (2 * busy) / (1 - busy), 1e-9, `mean at ${busy}`);
    near(even.mean, busy / (1 - busy), 1e-9, `mean of even work at ${busy}`);
    // E[W²] of M/M/1 is 2 ρ s² / (1 - ρ)²
    near(uneven.variance + uneven.mean ** 2, (8 * busy) / (1 - busy) ** 2, 1e-9, `second moment at ${busy}`);
  }
});

test('Erlang C agrees with the tables, also for hundreds of places', () => {
  near(erlangC(1, 0.5), 0.5, 1e-9, 'one place');
  near(erlangC(2, 1), 1 / 3, 1e-9, 'two places');
  near(erlangC(10, 8), 0.409, 0.002, 'ten places');
  assert.ok(erlangC(500, 400) < 1e-4);
});

test('a station that is offered more than it can do waits without end, an idle one not at all', () => {
  assert.is(waitAt(loaded(2, 1, 1), 2).mean, Infinity);
  assert.is(shareOver(waitAt(loaded(2, 1, 1), 2), 150), 1);
  assert.is(waitAt(idle(), 1).mean, 0);
});

test('the share of times over a limit is that of the exponential distribution', () => {
  for (const [limit, share] of [
    [1, 0.3679],
    [3, 0.0498],
  ] as const)
    near(shareOver({ mean: 1, variance: 1 }, limit), share, 0.05, `over ${limit}`);
  assert.is(shareOver({ mean: 1, variance: 0 }, 0.9), 1);
  assert.is(shareOver({ mean: 1, variance: 0 }, 1.1), 0);
});

test('a commit takes one flush alone, and at most one and a half on average among many', () => {
  near(groupCommit(1e-6, 0.5).mean, 0.5, 1e-5, 'alone');
  near(groupCommit(1_000, 0.5).mean, 0.75, 1e-9, 'among many');
});

test.run();
