import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { median, report, type Measured } from './report';
import type { Times } from './visit';

const times: Times = { login: 100, users: 100, usersBlocked: 0, usersWarm: 100, paintWarm: 100, sortWhole: 500, sortClick: 20, sortRows: 20, sortAll: 90, dialog: 20, typing: 16 };
const bare: Measured = {
  login: { bytes: 73_600, requests: 3, furtherBytes: 0, sent: [] }, users: { bytes: 77_000, requests: 4, furtherBytes: 0, sent: [] },
  times: [{ ...times, login: 1000, users: 1000, usersWarm: 1000 }],
};
const light: Measured = { login: { bytes: 60_000, requests: 2, furtherBytes: 0, sent: [] }, users: { bytes: 70_000, requests: 3, furtherBytes: 0, sent: [] }, times: [times] };

test('the median is the middle value, or between the two in the middle', () => {
  assert.is(median([9, 1, 5]), 5);
  assert.is(median([1, 2, 3, 9]), 2.5);
  assert.is(median([7]), 7);
});

test('a page within every goal misses none', () => {
  const { text, isMissed } = report([light, bare], 1, '1');
  assert.not(isMissed);
  assert.not.match(text, 'MISSED');
  assert.match(text, /login usable, cold +100 ms +1,000 ms +0\.10 +≤ 0\.25 × +met/);
});

test('a goal is missed by weight, by ratio or by time, and says so in its line', () => {
  const misses: [Partial<Measured>, string][] = [
    [{ login: { ...light.login, bytes: 73_100 } }, 'bytes to the login'],
    [{ times: [{ ...times, users: 751 }] }, '50 users on screen, cold'],
    [{ times: [{ ...times, dialog: 101 }] }, 'open a dialog'],
  ];
  for (const [change, line] of misses) {
    const { text, isMissed } = report([{ ...light, ...change }, bare], 1, '1');
    assert.ok(isMissed);
    assert.match(text, new RegExp(`${line}.*MISSED`));
  }
});

test('medians are over the rounds, so that one slow round decides nothing', () => {
  const { isMissed } = report([{ ...light, times: [times, { ...times, users: 9000 }, times] }, bare], 3, '1');
  assert.not(isMissed);
});

test.run();
