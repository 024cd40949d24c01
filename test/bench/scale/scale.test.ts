import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Mix, mixes, type Shape, sharesOf, stepsOf } from './calls';
import { carried, percentile95 } from './carried';
import { type Inputs, readInputs, standard } from './inputs';
import { calculate, install } from './network';
import { createRandom, lognormal } from './random';
import { simulate } from './simulate';
import { nextSteps } from './steps';
import { placeInRegions, placeTenants, sumByPlace, zipf } from './tenants';

const few: Inputs = { ...standard, tenants: 200 };
const sum = (values: Iterable<number>) => [...values].reduce((all, each) => all + each, 0);
const isNear = (value: number, wanted: number, part: number) => Math.abs(value / wanted - 1) <= part;
const run = (
  shape: Shape,
  perSecond: number,
  { seed = 1, calls = 5_000, inputs = few, mix = mixes.bench as Mix } = {},
) => simulate({ installation: install(inputs, shape, mix)[0]!, seed, calls, arrivals: { perSecond } });

test('the sizes of tenants sum to 1, and each is the share that Zipf says', () => {
  for (const exponent of [0, 0.8, 1, 1.2]) {
    const shares = zipf(1_000, exponent);
    assert.ok(Math.abs(sum(shares) - 1) < 1e-9);
    assert.ok(isNear(shares[0]! / shares[9]!, 10 ** exponent, 1e-9));
  }
});

test('every tenant has one place: its shard, its own worker if it is large, one region', () => {
  const shares = zipf(1_000, 1);
  const hashed = placeTenants(shares, { workers: 16, shards: 1_024, seed: 1, ownWorkers: false }).worker;
  assert.ok(isNear(sum(sumByPlace(shares, hashed, 16)), 1, 1e-9));
  const { worker, own } = placeTenants(shares, { workers: 16, shards: 1_024, seed: 1, ownWorkers: true });
  assert.ok(own > 0);
  for (let n = 0; n < own; n++) assert.is(worker.filter((each) => each === n).length, 1);
  const regions = sumByPlace(shares, placeInRegions(shares, 4), 4);
  assert.ok(Math.max(...regions) - Math.min(...regions) < 0.001);
});

test('random work has the mean it is asked for, and the same seed gives the same', () => {
  const random = createRandom(7),
    again = createRandom(7);
  const drawn = Array.from({ length: 50_000 }, () => lognormal(random, 3, 1));
  assert.ok(isNear(sum(drawn) / drawn.length, 3, 0.03));
  assert.is(lognormal(again, 3, 1), drawn[0]);
});

test('the simulation of one queue has the wait of M/M/1', () => {
  // Only the server works: 1 ms, busy for 60 % of its time; its work varies as the wait of M/G/1 expects.
  const inputs: Inputs = { ...few, 'balancer-call': 0, hop: 0, 'session-db': 0, 'users-db': 0, 'users-server': 1 };
  const { mean, busy } = run({ servers: 1, workers: 0 }, 600, { inputs, mix: { users: 1 }, calls: 40_000 });
  assert.ok(isNear(mean, 1 / (1 - 0.6), 0.1), String(mean));
  assert.ok(isNear(busy['servers']!, 0.6, 0.03), String(busy['servers']));
});

test('the same seed gives the same figures, another seed others', () => {
  const shape = { servers: 10, workers: 4 };
  const first = run(shape, 2_000);
  assert.equal(run(shape, 2_000), first);
  assert.is.not(run(shape, 2_000, { seed: 2 }).mean, first.mean);
  assert.equal(carried(few, shape, mixes.day), carried(few, shape, mixes.day));
});

test('the calculation agrees with the simulation while nothing is overloaded', () => {
  for (const shape of [
    { servers: 10, workers: 0 },
    { servers: 10, workers: 4 },
    { servers: 10, workers: 4, singleShard: true, auditByTenant: true, anyNode: true, ownWorkers: true },
  ]) {
    const { perSecond } = carried(few, shape, mixes.bench);
    const figures = calculate(install(few, shape, mixes.bench)[0]!, perSecond * 0.9);
    const { p95 } = run(shape, perSecond * 0.9);
    assert.ok(isNear(percentile95(figures), p95, 0.3), `${JSON.stringify(shape)} ${percentile95(figures)} ${p95}`);
  }
});

test('more workers never carry less, but for what their number adds to lists of all tenants', () => {
  const mix: Mix = { ...mixes.day, allTenants: 0 };
  let shape: Shape = { servers: 1_000, workers: 4 };
  for (const { change } of [{ change: {} }, ...nextSteps(4).slice(2)]) {
    shape = { ...shape, ...change };
    const rates = [4, 16, 32].map((workers) => carried(few, { ...shape, workers }, mix).perSecond);
    assert.ok(rates[0]! <= rates[1]! * 1.001 && rates[1]! <= rates[2]! * 1.001, `${JSON.stringify(shape)} ${rates}`);
  }
});

test('more servers, cores or quicker statements never carry less', () => {
  const shape = { servers: 10, workers: 16 },
    at = (change: Partial<Inputs>, servers = 10) => carried({ ...few, ...change }, { ...shape, servers }, mixes.day);
  const { perSecond, bends, p95 } = at({});
  assert.is(bends, 'coordinator');
  assert.ok(p95 < few['most-ms']);
  assert.ok(at({}, 100).perSecond >= perSecond);
  assert.ok(at({ 'coordinator-cores': 32 }).perSecond > perSecond * 1.5);
  assert.ok(at({ 'message-coordinator': 0.1 }).perSecond > perSecond);
  assert.ok(at({ 'users-db': 50 }).perSecond < perSecond);
});

test('every lock that a call takes it gives back, in each arrangement', () => {
  for (const { change } of [{ change: {} }, ...nextSteps(4)])
    for (const [call] of sharesOf(mixes.day))
      for (const workers of [0, 4]) {
        const steps = stepsOf(call, few, { servers: 1, workers, ...change });
        const locks = (what: string) =>
          steps.flatMap((step) => (step.do === what && 'lock' in step ? [step.lock] : []));
        assert.equal(locks('give').sort(), locks('take').sort());
      }
});

test('inputs come from options and a file, and anything else is refused', () => {
  assert.is(readInputs(undefined, { 'settle-db': '1.6' })['settle-db'], 1.6);
  for (const wrong of [{ 'settle-db': 'much' }, { 'settle-db': '-1' }, { lanes: '1.5' }, { unknown: '1' }])
    assert.throws(() => readInputs(undefined, wrong));
});

test.run();
