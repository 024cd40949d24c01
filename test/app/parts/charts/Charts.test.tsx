import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { demoAmounts } from '../../../../src/app/parts/charts/amounts';
import { Charts } from '../../../../src/app/parts/charts/Charts';
import { TodayMetrics } from '../../../../src/app/parts/TodayMetrics';
import { startOfMonth } from '../../../../src/contract/dates';
import { closeScreen, openScreen } from '../../../screen';
import { redeem, topUp } from '../../../seed';
import { pam } from '../../../world';
import { interceptRequests, interceptRequestsAfter, nonsense, respondWith } from '../../network';

type Within = ReturnType<typeof within>;
const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
/** Odd amounts on many days, paid in several ways. */
const work = async () => {
  for (let n = 0; n < 80; n += 4) {
    const when = { initiated_at: ago(n), completed_at: ago(n) };
    await topUp(pam, `${70 + n}.13`, 'success', { ...when, payment_method: n % 8 ? 'card' : 'Bitcoin' });
    await redeem(pam, `${11 + n / 4}.07`, 'success', when);
  }
};
const cents = (text: string | null | undefined) => Math.round(Number((text ?? '').replace(/[$,]/g, '')) * 100);
/** The columns of a table summed, in cents. */
const sums = (table: HTMLElement): number[] =>
  [...table.querySelectorAll('tbody tr')]
    .map((row) => [...row.querySelectorAll('data')].map((cell) => cents(cell.textContent)))
    .reduce((all, row) => row.map((value, n) => (all[n] ?? 0) + value), [] as number[]);
const figure = (screen: Within, label: string) =>
  cents(screen.getByText(label).parentElement?.querySelector('dd')?.textContent);
const tableOf = (dialog: Within, name: string) => dialog.getByRole('region', { name, hidden: true });

test.after.each(() => localStorage.removeItem('admin_demo_mode'));

for (const mode of ['real', 'demo'] as const) {
  test(`the days in the sidebar sum to the figures beside them, to the cent (${mode} figures)`, async () => {
    const { fetch } = interceptRequestsAfter(async () => {
      if (mode === 'demo') localStorage.setItem('admin_demo_mode', 'true');
      await work();
    });
    const screen = await openScreen(<TodayMetrics tenantId={2} />, 'ann', { fetch });
    const list = await screen.findByRole('list', { name: 'Last 30 days' });
    assert.is(screen.queryByRole('table'), null, "the only table of a page is its screen's");
    const rows = [...list.querySelectorAll('li')];
    assert.is(rows.length, 30);
    const days = rows.map((row) => {
      const [, purchases, redeems] = /: purchases (\S+), redeems (\S+)$/.exec(row.textContent ?? '') ?? [];
      return {
        day: row.querySelector('time')?.getAttribute('datetime') ?? '',
        purchases: cents(purchases),
        redeems: cents(redeems),
      };
    });
    const today = days.at(-1)!;
    assert.equal(
      [today.purchases, today.redeems],
      [figure(screen, 'Total Purchases'), figure(screen, 'Total Redeems')],
    );
    assert.is(today.purchases - today.redeems, figure(screen, 'Total GGR'));
    const month = days.filter(({ day }) => day >= startOfMonth(today.day));
    if (startOfMonth(today.day) >= days[0]!.day) {
      const [bought, paid] = [
        month.reduce((sum, { purchases }) => sum + purchases, 0),
        month.reduce((sum, { redeems }) => sum + redeems, 0),
      ];
      assert.equal(
        [bought, paid, bought - paid],
        [figure(screen, 'MTD Purchases'), figure(screen, 'MTD Redeems'), figure(screen, 'MTD GGR')],
      );
    }
    assert.not.match(screen.container.textContent ?? '', nonsense);
  });

  test(`by day, platform and method each sum to what the dialog says, to the cent (${mode} figures)`, async () => {
    const { fetch, sent } = interceptRequestsAfter(async () => {
      if (mode === 'demo') localStorage.setItem('admin_demo_mode', 'true');
      await work();
    });
    const screen = await openScreen(<TodayMetrics tenantId={2} />, 'ann', { fetch });
    fireEvent.click(await screen.findByRole('button', { name: 'Charts' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Charts' }));
    fireEvent.click(dialog.getByRole('button', { name: 'By day as a table' }));
    for (const days of [30, 90]) {
      fireEvent.change(dialog.getByLabelText('Period'), { target: { value: String(days) } });
      await waitFor(() => assert.is(tableOf(dialog, 'By day').querySelectorAll('tbody tr').length, days));
      const total = [...dialog.getByText(/^Purchases , redeems/).querySelectorAll('data')].map((cell) =>
        cents(cell.textContent),
      );
      for (const name of ['By day', 'By platform', 'By method'])
        assert.equal(sums(tableOf(dialog, name)), total, `${name}, ${days} days`);
      assert.is(total[2], total[0]! - total[1]!);
    }
    assert.equal(dialog.queryByText('Demo figures') !== null, mode === 'demo');
    assert.equal(
      sent.filter(({ path }) => path.endsWith('/charts')).map(({ query }) => query),
      [
        { tenant_id: '2', days: '30' },
        { tenant_id: '2', days: '90' },
      ],
    );
    assert.ok(dialog.getByText('Wallet (no platform)'));
    assert.is(
      screen.container.querySelector('[style]'),
      null,
      'no style attribute: the policy of the page forbids them',
    );
  });
}

test('in demo mode purchases are times 5, redeems times 2, and GGR is their difference, without crumbs', () => {
  assert.equal(demoAmounts({ purchases: 0.07, redeems: 0.29, ggr: -0.22 }), {
    purchases: 0.35,
    redeems: 0.58,
    ggr: -0.23,
  });
});

test('a server that does not offer it gets no call, and its sidebar no picture', async () => {
  const { fetch, sent } = interceptRequests();
  const screen = await openScreen(<TodayMetrics tenantId={2} />, 'ann', { fetch, features: [] });
  await screen.findByText('Total Purchases');
  assert.equal([screen.queryByText('Charts'), screen.container.querySelector('svg')], [null, null]);
  assert.is(sent.length, 1);
});

test('a trend that is none draws nothing, and odd figures count as zero', async () => {
  for (const trend of [[], 'x', 5, [null]]) {
    const { fetch } = interceptRequests(({ path }) =>
      path.endsWith('/dashboard-metrics') ? respondWith({ total_ggr: 1, trend }) : undefined,
    );
    const screen = await openScreen(<TodayMetrics tenantId={2} />, 'ann', { fetch });
    await screen.findByText('Total GGR');
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.is(screen.container.querySelector('svg'), null);
  }
  const { fetch } = interceptRequests(({ path }) =>
    path.endsWith('/dashboard-metrics')
      ? respondWith({ trend: [{ day: '2026-01-01', purchases: 'x', redeems: '2.50' }, { day: null }] })
      : undefined,
  );
  const screen = await openScreen(<TodayMetrics tenantId={2} />, 'ann', { fetch });
  const list = await screen.findByRole('list', { name: 'Last 2 days' });
  assert.equal(
    [...list.querySelectorAll('li')].map((line) => line.textContent),
    ['Jan 1: purchases $0.00, redeems $2.50', '-: purchases $0.00, redeems $0.00'],
  );
  assert.not.match(screen.container.innerHTML, /NaN|undefined|Infinity/);
});

test('charts that fail to load say so and offer to try again', async () => {
  let isDown = true;
  const { fetch } = interceptRequests(({ path }) =>
    path.endsWith('/charts') && isDown ? respondWith({ detail: 'no' }, 500) : undefined,
  );
  const screen = await openScreen(<Charts tenantId={undefined} onClose={() => {}} />, 'sue', { fetch });
  await screen.findByText('Failed to load charts');
  isDown = false;
  fireEvent.click(screen.getAllByText('Retry')[0]!);
  await screen.findAllByText('Nothing in this period.');
});

test.after(closeScreen);
test.run();
