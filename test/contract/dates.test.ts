import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { addDays, presetRange, presets, startOfMonth, startOfWeek } from '../../src/contract/dates';
import { formatDayIn } from '../../src/contract/timeZones';

/** Runs with the person's clock set to a time zone, and puts it back. */
function inZone<T>(zone: string, work: () => T): T {
  const before = process.env['TZ'];
  process.env['TZ'] = zone;
  try {
    return work();
  } finally {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  }
}
const range = (start_date: string, end_date: string) => ({ start_date, end_date });

test('the choices stand in the order and with the words of the specification', () => {
  assert.equal(
    presets.map(({ label }) => label),
    ['Today', 'Yesterday', 'Week to Date', 'Month to Date', 'Custom Range'],
  );
});

test('today and yesterday are one day each', () => {
  assert.equal(presetRange('today', '2026-11-20'), range('2026-11-20', '2026-11-20'));
  assert.equal(presetRange('yesterday', '2026-11-20'), range('2026-11-19', '2026-11-19'));
});

test('yesterday crosses the month, the year and the leap day', () => {
  assert.equal(presetRange('yesterday', '2026-12-01'), range('2026-11-30', '2026-11-30'));
  assert.equal(presetRange('yesterday', '2027-01-01'), range('2026-12-31', '2026-12-31'));
  assert.equal(presetRange('yesterday', '2028-03-01'), range('2028-02-29', '2028-02-29'));
  assert.equal(presetRange('yesterday', '2027-03-01'), range('2027-02-28', '2027-02-28'));
  assert.equal(presetRange('yesterday', '2100-03-01'), range('2100-02-28', '2100-02-28'));
});

test('the week begins on the most recent Sunday, a Sunday on itself', () => {
  assert.equal(presetRange('week', '2026-11-20'), range('2026-11-15', '2026-11-20'));
  assert.equal(presetRange('week', '2026-11-15'), range('2026-11-15', '2026-11-15'));
  assert.equal(presetRange('week', '2026-11-21'), range('2026-11-15', '2026-11-21'));
  assert.equal(presetRange('week', '2026-11-22'), range('2026-11-22', '2026-11-22'));
});

test('a week may begin in the month or the year before', () => {
  assert.equal(presetRange('week', '2026-12-02'), range('2026-11-29', '2026-12-02'));
  assert.equal(presetRange('week', '2027-01-01'), range('2026-12-27', '2027-01-01'));
  assert.equal(presetRange('week', '2028-03-01'), range('2028-02-27', '2028-03-01'));
});

test('the month begins on the 1st, also on the 1st and the 31st', () => {
  assert.equal(presetRange('month', '2026-11-01'), range('2026-11-01', '2026-11-01'));
  assert.equal(presetRange('month', '2026-12-31'), range('2026-12-01', '2026-12-31'));
  assert.equal(presetRange('month', '2027-01-01'), range('2027-01-01', '2027-01-01'));
});

test('every day of four years has a Sunday at most six days back, and a 1st in its own month', () => {
  for (let day = '2025-01-01'; day < '2029-01-01'; day = addDays(day, 1)) {
    const { start_date: sunday } = presetRange('week', day);
    assert.is(new Date(`${sunday}T00:00:00Z`).getUTCDay(), 0, `${day} begins its week on ${sunday}`);
    assert.ok(sunday <= day && addDays(sunday, 7) > day, `${day} lies in the week of ${sunday}`);
    assert.is(startOfMonth(day), `${day.slice(0, 7)}-01`);
  }
});

test('the clock change neither skips nor repeats a day, whatever the zone', () => {
  for (const zone of [
    'America/New_York',
    'Europe/Berlin',
    'America/Santiago',
    'Africa/Cairo',
    'Australia/Lord_Howe',
    'Pacific/Kiritimati',
  ]) {
    inZone(zone, () => {
      const days = Array.from({ length: 366 }, (_, n) => addDays('2026-01-01', n));
      assert.is(new Set(days).size, 366, zone);
      assert.is(days.at(-1), '2027-01-01', zone);
      assert.is(startOfWeek('2026-03-08'), '2026-03-08', zone);
      assert.equal(presetRange('yesterday', '2026-11-02'), range('2026-11-01', '2026-11-01'), zone);
      assert.equal(presetRange('week', '2026-03-14'), range('2026-03-08', '2026-03-14'), zone);
    });
  }
});

test("the day is the person's own, on both sides of midnight and of the clock change", () => {
  inZone('America/New_York', () => {
    assert.is(formatDayIn(new Date('2026-03-08T04:59:59Z')), '2026-03-07'); // 23:59:59 winter time
    assert.is(formatDayIn(new Date('2026-03-08T05:00:00Z')), '2026-03-08');
    assert.is(formatDayIn(new Date('2026-03-09T03:59:59Z')), '2026-03-08'); // 23:59:59 summer time
    assert.is(formatDayIn(new Date('2026-03-09T04:00:00Z')), '2026-03-09');
    assert.is(formatDayIn(new Date('2026-11-02T04:59:59Z')), '2026-11-01'); // the day of 25 hours
    assert.is(formatDayIn(new Date('2026-11-02T05:00:00Z')), '2026-11-02');
    assert.is(formatDayIn(new Date('2027-01-01T04:59:59Z')), '2026-12-31');
  });
  inZone('Pacific/Kiritimati', () => assert.is(formatDayIn(new Date('2026-12-31T10:00:00Z')), '2027-01-01'));
  // On that day midnight does not exist there.
  inZone('Africa/Cairo', () => assert.is(formatDayIn(new Date('2026-04-23T22:00:00Z')), '2026-04-24'));
});

test.run();
