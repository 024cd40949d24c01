import { act, fireEvent, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { HeaderMetrics } from '../../../src/app/parts/HeaderMetrics';
import { TodayMetrics } from '../../../src/app/parts/TodayMetrics';
import { closeScreen, openScreen, type Screen } from '../../screen';
import { redeem, topUp } from '../../seed';
import { pam } from '../../world';
import { textsOf } from '../controls';
import { nonsense, outage, partsOf, respondWith } from '../network';

const figures = (screen: Screen) =>
  Object.fromEntries(
    [...screen.container.querySelectorAll('dl > div')].map((line) => [
      line.querySelector('dt')!.textContent,
      line.querySelector('dd')!.textContent,
    ]),
  );
const colourOf = (screen: Screen, label: string) =>
  screen.getByText(label).parentElement!.querySelector('data')!.className;

/** Timers that run when told: `pass(ms)` lets that much time go by. Only those of at least 100 ms are held. */
function holdTimers() {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const waiting = new Map<number, { at: number; run: () => void }>();
  let now = 0,
    last = 1_000_000;
  const held = (run: () => void, ms = 0) => {
    // Not the database driver's: it closes a connection after just as long without work.
    if ((ms !== 100 && ms !== 300_000) || !run.name.startsWith('tick')) return real.setTimeout(run, ms);
    waiting.set(++last, { at: now + ms, run });
    return last;
  };
  globalThis.setTimeout = Object.assign(held as typeof setTimeout, real.setTimeout);
  globalThis.clearTimeout = ((timer: Parameters<typeof clearTimeout>[0]) => {
    if (typeof timer === 'number' && waiting.delete(timer)) return;
    real.clearTimeout(timer);
  }) as typeof clearTimeout;
  return {
    waiting,
    async pass(ms: number) {
      now += ms;
      await act(async () => {
        for (const [id, { at, run }] of [...waiting])
          if (at <= now) {
            waiting.delete(id);
            run();
          }
        await new Promise((resolve) => real.setTimeout(resolve, 30));
      });
    },
    release: () => Object.assign(globalThis, real),
  };
}
function setHidden(isHidden: boolean): void {
  Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
  document.dispatchEvent(new window.Event('visibilitychange'));
}

test('the figures of the server stand under the labels of the specification', async () => {
  const screen = await openScreen(<TodayMetrics tenantId={2} />, 'ann', {
    before: async () => {
      await topUp(pam, '200', 'success');
      await redeem(pam, '50', 'success');
    },
    features: [],
  });
  await screen.findByText('Total Purchases');
  screen.getByText("Today's Metrics");
  const shown = figures(screen);
  const names =
    "Total Purchases, Total Redeems, Total GGR, Yesterday's GGR, Week to Date GGR, Week to Date Purchases, Last Week " +
    'Total Purchases, Last Week GGR, MTD Purchases, MTD Redeems, MTD GGR, Net Holding %';
  assert.is(Object.keys(shown).join(', '), names);
  assert.equal(
    [shown['Total Purchases'], shown['Total Redeems'], shown['Total GGR'], shown['MTD GGR'], shown['Net Holding %']],
    ['$200.00', '$50.00', '$150.00', '$150.00', '75.00%'],
  );
  assert.equal(textsOf(screen.getAllByRole('heading')), ["Today's Metrics", 'Today', 'Historical', 'Month to date']);
  assert.is(screen.queryByText('Demo figures'), null);
});

test('GGR is green from zero up and red below, other figures have no colour', async () => {
  const screen = await openScreen(<TodayMetrics />, 'ann', {
    instead: () => respondWith({ total_purchases_today: -5, total_ggr: 0, yesterday_ggr: -0.01, week_ggr: '12.5' }),
  });
  await screen.findByText('Total GGR');
  assert.match(colourOf(screen, 'Total GGR'), /gain/);
  assert.match(colourOf(screen, "Yesterday's GGR"), /loss/);
  assert.match(colourOf(screen, 'Week to Date GGR'), /gain/);
  assert.not.match(colourOf(screen, 'Total Purchases'), /gain|loss/);
});

test('demo mode shows its arithmetic and says so; the title bar keeps the true counts', async () => {
  const screen = await openScreen(<Switchable />, 'ann', {
    instead: () =>
      respondWith({
        new_signups_today: 3,
        first_purchase_today: 1,
        total_purchases_today: 100,
        total_redeems_today: 50,
        total_ggr: 50,
        yesterday_ggr: 10,
        week_ggr: 20,
        week_purchases: 30,
        last_week_ggr: -40,
        last_week_purchases: 60,
        month_purchases: 1000,
        month_redeems: 500,
        month_ggr: 500,
      }),
  });
  await screen.findByText('Total Purchases');
  localStorage.setItem('admin_demo_mode', 'true');
  fireEvent.click(screen.getByText('again'));
  await screen.findByText('Demo figures');
  const demo = '$500.00 $100.00 $400.00 $50.00 $100.00 $150.00 $300.00 -$200.00 $5,000.00 $1,000.00 $4,000.00 80.00%';
  assert.is(Object.values(figures(screen)).join(' '), demo);
  assert.ok(screen.getByText('New Sign Ups Today: 3'));
  assert.ok(screen.getByText('First Purchase Today: 1'));
});
const Both = ({ tenantId }: { tenantId?: number }) => (
  <>
    <HeaderMetrics {...{ tenantId }} />
    <TodayMetrics {...{ tenantId }} />
  </>
);
function Switchable() {
  const [, draw] = useState(0);
  return (
    <>
      <button onClick={() => draw((old) => old + 1)}>again</button>
      <Both />
    </>
  );
}

test('title bar and side bar share one request: after 100 ms, then every five minutes, until both close', async () => {
  const timers = holdTimers();
  try {
    const screen = await openScreen(<Both tenantId={2} />, 'ann');
    await timers.pass(99);
    assert.is(screen.sent.length, 0);
    await timers.pass(1);
    assert.equal(partsOf(screen.sent, 'path', 'query'), [['/api/v1/admin/dashboard-metrics', { tenant_id: '2' }]]);
    await screen.findByText('Total Purchases');
    await timers.pass(299_999);
    assert.is(screen.sent.length, 1);
    await timers.pass(1);
    assert.is(screen.sent.length, 2);
    await timers.pass(300_000);
    assert.is(screen.sent.length, 3);
    screen.unmount();
    await timers.pass(300_000);
    assert.is(screen.sent.length, 3);
    assert.is(timers.waiting.size, 0);
  } finally {
    timers.release();
  }
});

test('a hidden page asks for nothing, and catches up when somebody looks', async () => {
  const timers = holdTimers();
  try {
    const { sent } = await openScreen(<TodayMetrics />, 'ann');
    await timers.pass(100);
    assert.is(sent.length, 1);
    setHidden(true);
    await timers.pass(300_000);
    await timers.pass(300_000);
    assert.is(sent.length, 1);
    setHidden(false);
    await waitFor(() => assert.is(sent.length, 2));
    setHidden(true);
    setHidden(false);
    assert.is(sent.length, 2, 'not due yet');
    await timers.pass(300_000);
    assert.is(sent.length, 3);
  } finally {
    setHidden(false);
    timers.release();
  }
});

test('a failure says so and can be tried again; a server without data is told from it', async () => {
  const down = outage('/dashboard-metrics', '<html>', 502);
  const screen = await openScreen(<TodayMetrics />, 'ann', down);
  await screen.findByText('Failed to load metrics');
  assert.is(screen.queryByText('No data available'), null);
  down.isDown = false;
  fireEvent.click(screen.getByText('Retry'));
  await screen.findByText('Total Purchases');
  assert.is(screen.queryByText('Failed to load metrics'), null);

  const empty = await openScreen(<TodayMetrics />, 'ann', { instead: () => respondWith(null) });
  await empty.findByText('No data available');
});

test('without a tenant the figures are of all of them; of no purchases 0.00% is held', async () => {
  const screen = await openScreen(<TodayMetrics />, 'sue');
  await screen.findByText('Total Purchases');
  assert.equal(screen.sent[0]!.query, {});
  assert.is(figures(screen)['Net Holding %'], '0.00%');
});

test("another server's odd figures show as dashes", async () => {
  const odd = { new_signups_today: '4', total_ggr: null, month_purchases: 'NaN', month_ggr: 5 };
  const screen = await openScreen(<Both />, 'ann', { instead: () => respondWith(odd) });
  await screen.findByText('New Sign Ups Today: 4');
  assert.ok(screen.getByText('First Purchase Today: -'));
  assert.is(figures(screen)['Net Holding %'], '-');
  assert.not.match(screen.container.textContent!, nonsense);
});

test.after(closeScreen);
test.run();
