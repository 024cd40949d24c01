import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { demoFigures, isDemoMode, parseFigures } from '../../../src/app/state/demoMode';

test("only the stored text 'true' turns the demo figures on", () => {
  for (const [stored, isOn] of [
    ['true', true],
    ['TRUE', false],
    ['1', false],
    ['false', false],
    ['', false],
  ] as const) {
    localStorage.setItem('admin_demo_mode', stored);
    assert.is(isDemoMode(), isOn, stored);
  }
  localStorage.clear();
  assert.not(isDemoMode());
});

test('amounts that arrive as text count, what is missing stays missing, and no crumbs of a float show', () => {
  const demo = demoFigures(
    parseFigures({
      total_purchases_today: '0.07',
      total_redeems_today: '0.10',
      month_purchases: null,
      month_redeems: 5,
      week_ggr: 'lots',
    }),
  );
  assert.equal([demo.total_purchases_today, demo.total_redeems_today, demo.total_ggr], [0.35, 0.2, 0.15]);
  assert.equal(
    [demo.month_purchases, demo.month_redeems, demo.month_ggr, demo.week_ggr, demo.yesterday_ggr],
    [null, 10, null, null, null],
  );
});

test.run();
