import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Measured, median, report } from './report';
import type { Times, Weight } from './visit';

const times: Times = {
  login: 100,
  users: 100,
  usersBlocked: 0,
  usersWarm: 100,
  paintWarm: 100,
  sortWhole: 500,
  sortClick: 20,
  sortRows: 20,
  sortAll: 90,
  dialog: 20,
  typing: 16,
};
const weight = (bytes: number, requests: number): Weight => ({ bytes, requests, furtherBytes: 0, sent: [] });
const bare: Measured = {
  name: 'bare React',
  login: weight(73_600, 3),
  users: weight(77_000, 4),
  times: [{ ...times, login: 1000, users: 1000, usersWarm: 1000 }],
};
const goals = { bytesToLogin: 73, bytesToUsers: 77, login: 0.25, users: 0.75, usersWarm: 0.6 };
const quick: Measured = { name: 'this app', goals, login: weight(60_000, 2), users: weight(70_000, 3), times: [times] };

test('the median is the middle value, or between the two in the middle', () => {
  assert.is(median([9, 1, 5]), 5);
  assert.is(median([1, 2, 3, 9]), 2.5);
  assert.is(median([7]), 7);
});

test('a page within every goal misses none', () => {
  const { text, isMissed } = report([quick, bare], 1, '1');
  assert.not(isMissed);
  assert.not.match(text, 'MISSED');
  assert.match(text, /login usable, cold +100 ms +0\.10 +≤ 0\.25 +met +1,000 ms/);
});

test('a goal is missed by weight, by ratio or by time, and says so in its line', () => {
  const misses: [Partial<Measured>, string][] = [
    [{ login: { ...quick.login, bytes: 73_100 } }, 'bytes to the login'],
    [{ times: [{ ...times, users: 751 }] }, '50 users on screen, cold'],
    [{ times: [{ ...times, typing: 101 }] }, 'type into the search'],
  ];
  for (const [change, line] of misses) {
    const { text, isMissed } = report([{ ...quick, ...change }, bare], 1, '1');
    assert.ok(isMissed);
    assert.match(text, new RegExp(`${line}.*MISSED`));
  }
});

test('each page has goals of its own, and one without any is only compared', () => {
  const light = { ...quick, name: 'light', goals: { ...goals, login: 0.05 } },
    { goals: _, ...before } = { ...quick, name: 'before' };
  const { text, isMissed } = report([quick, light, before, bare], 1, '1');
  assert.ok(isMissed);
  assert.match(
    text,
    /login usable, cold +100 ms +0\.10 +≤ 0\.25 +met +100 ms +0\.10 +≤ 0\.05 +MISSED +100 ms +0\.10 +1,000 ms/,
  );
});

test('medians are over the rounds, so that one slow round decides nothing', () => {
  const { isMissed } = report([{ ...quick, times: [times, { ...times, users: 9000 }, times] }, bare], 3, '1');
  assert.not(isMissed);
});

test.run();
