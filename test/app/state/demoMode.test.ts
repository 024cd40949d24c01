import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { demoFigures, isDemoMode, parseFigures } from '../../../src/app/state/demoMode';

const real = {
  new_signups_today: 9,
  first_purchase_today: 8,
  total_purchases_today: 100.1,
  total_redeems_today: 40.05,
  total_ggr: 60.05,
  yesterday_ggr: -10.25,
  week_ggr: 7,
  week_purchases: 300.33,
  last_week_ggr: 1.1,
  last_week_purchases: 200,
  month_purchases: 1000,
  month_redeems: 900.07,
  month_ggr: 99.93,
};

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

test('purchases are multiplied by 5, redeems by 2, and GGR is their difference where both are shown', () => {
  const demo = demoFigures(parseFigures(real));
  assert.is(demo.total_purchases_today, 500.5);
  assert.is(demo.total_redeems_today, 80.1);
  assert.is(demo.total_ggr, 420.4);
  assert.is(demo.month_purchases, 5000);
  assert.is(demo.month_redeems, 1800.14);
  assert.is(demo.month_ggr, 3199.86);
});

test('the figures of other periods are multiplied by 5', () => {
  const demo = demoFigures(parseFigures(real));
  assert.equal(
    [demo.yesterday_ggr, demo.week_ggr, demo.week_purchases, demo.last_week_ggr, demo.last_week_purchases],
    [-51.25, 35, 1501.65, 5.5, 1000],
  );
});

test('GGR falls below zero when twice the redeems exceed five times the purchases', () => {
  assert.is(
    demoFigures(parseFigures({ ...real, total_purchases_today: 10, total_redeems_today: 100 })).total_ggr,
    -150,
  );
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
  assert.is(demo.total_purchases_today, 0.35);
  assert.is(demo.total_redeems_today, 0.2);
  assert.is(demo.total_ggr, 0.15);
  assert.equal(
    [demo.month_purchases, demo.month_redeems, demo.month_ggr, demo.week_ggr, demo.yesterday_ggr],
    [null, 10, null, null, null],
  );
});

test('the counts of the title bar are no part of it', () => {
  assert.not('new_signups_today' in demoFigures(parseFigures(real)));
});

test.run();
