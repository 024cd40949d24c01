import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { demoAmounts } from '../../../../src/app/parts/charts/amounts';
import { TodayMetrics } from '../../../../src/app/parts/TodayMetrics';
import { startOfMonth } from '../../../../src/contract/dates';
import { closeScreen, openScreen } from '../../../screen';
import { redeem, topUp } from '../../../seed';
import { pam } from '../../../world';
import { textsOf, type Within } from '../../controls';
import { at, nonsense } from '../../network';

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
const figure = (screen: Within, label: string) =>
  cents(screen.getByText(label).parentElement?.querySelector('dd')?.textContent);

test.after.each(() => localStorage.removeItem('admin_demo_mode'));

for (const mode of ['real', 'demo'] as const) {
  test(`the days in the sidebar sum to the figures beside them, to the cent (${mode} figures)`, async () => {
    const screen = await openScreen(<TodayMetrics tenantId={2} />, 'ann', {
      before: async () => {
        if (mode === 'demo') localStorage.setItem('admin_demo_mode', 'true');
        await work();
      },
    });
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
    const figures = (...labels: string[]) => labels.map((label) => figure(screen, label));
    const { purchases, redeems } = today;
    assert.equal([purchases, redeems, purchases - redeems], figures('Total Purchases', 'Total Redeems', 'Total GGR'));
    const month = days.filter(({ day }) => day >= startOfMonth(today.day));
    if (startOfMonth(today.day) >= days[0]!.day) {
      const bought = month.reduce((sum, day) => sum + day.purchases, 0),
        paid = month.reduce((sum, day) => sum + day.redeems, 0);
      assert.equal([bought, paid, bought - paid], figures('MTD Purchases', 'MTD Redeems', 'MTD GGR'));
    }
    assert.not.match(screen.container.textContent ?? '', nonsense);
  });
}

test('a trend that is none draws nothing, and odd figures count as zero', async () => {
  for (const trend of [[], 'x', 5, [null]]) {
    const screen = await openScreen(<TodayMetrics tenantId={2} />, 'ann', {
      instead: at('/dashboard-metrics', { total_ggr: 1, trend }),
    });
    await screen.findByText('Total GGR');
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.is(screen.container.querySelector('svg'), null);
  }

  const trend = [{ day: '2026-01-01', purchases: 'x', redeems: '2.50' }, { day: null }];
  const instead = at('/dashboard-metrics', { trend });
  const screen = await openScreen(<TodayMetrics tenantId={2} />, 'ann', { instead });
  const list = await screen.findByRole('list', { name: 'Last 2 days' });
  assert.equal(textsOf(list.querySelectorAll('li')), [
    'Jan 1: purchases $0.00, redeems $2.50',
    '-: purchases $0.00, redeems $0.00',
  ]);
  assert.not.match(screen.container.innerHTML, /NaN|undefined|Infinity/);
});

test.after(closeScreen);
test('in demo mode purchases are times 5, redeems times 2, and GGR is their difference, without crumbs', () => {
  assert.equal(demoAmounts({ purchases: 0.07, redeems: 0.29, ggr: -0.22 }), {
    purchases: 0.35,
    redeems: 0.58,
    ggr: -0.23,
  });
});

test.run();
