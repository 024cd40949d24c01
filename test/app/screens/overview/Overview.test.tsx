import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../../src/app/App';
import { toCsv } from '../../../../src/app/screens/overview/files';
import { findTicks, formatTick, type Picture } from '../../../../src/app/screens/overview/picture';
import { closeScreen, type Options, openScreen, type Screen } from '../../../screen';
import { addPlayer, redeem, topUp } from '../../../seed';
import { pam, pat, sql } from '../../../world';
import { opens, textsOf } from '../../controls';
import { nonsense } from '../../network';

const cents = (text: string | null | undefined) => Math.round(Number((text ?? '').replace(/[$,]/g, '')) * 100);
const day = new Date().toISOString().slice(0, 10);

/** Three purchases of two players in two ways, one redeem, and one purchase of another tenant. */
const world = async () => {
  await topUp(pam, '100.10', 'success', { payment_method: 'Card', net_amount: '97.10' });
  const west = await addPlayer(2, { email: 'west@mail.test', affiliate_id: 'West', credit: '100' });
  await topUp(west, '20.25', 'success', { payment_method: 'Bitcoin' });
  await topUp(west, '30', 'success', { payment_method: 'Card' });
  await redeem(west, '40.05', 'success');
  await topUp(pat, '999', 'success', { payment_method: 'Card' });
};
const open = (person: 'ann' | 'sue', path = '/overview', options: Options = {}) =>
  openScreen(<App />, person, { before: world, path, ...options });
const figure = async (screen: Screen, name: string) => within(await screen.findByRole('figure', { name }));
const bars = (of: Awaited<ReturnType<typeof figure>>) =>
  of
    .getAllByRole('link')
    .map((bar: HTMLElement) => [bar.getAttribute('aria-label'), bar.getAttribute('href')] as const);
const choose = async (screen: Screen, title: string, item: string) => {
  fireEvent.click((await figure(screen, title)).getByRole('button', { name: `Actions for ${title}` }));
  fireEvent.click(await screen.findByRole('menuitem', { name: item }));
};
const amount = (screen: Screen) => screen.container.querySelector('.figures dd')!.textContent;
test.after.each(closeScreen);

test('figures say what is left after fees; each bar what it is, with its list; a table has the same', async () => {
  const screen = await open('ann', '/overview?unit=day');
  const fees = await screen.findByText('After fees');
  assert.match(fees.parentElement?.textContent ?? '', /^After fees\$147\.35/);
  assert.match(screen.getByText('Purchases', { selector: 'dt' }).parentElement?.textContent ?? '', /\$150\.35/);
  const methods = await figure(screen, 'Payment methods');
  const [card] = bars(methods);
  assert.is(card![0], 'Card: Purchases $130.10, Redeems $0.00, Share of purchases 86.5%, Share of redeems 0.0%');
  assert.is(card![1], `/?tab=purchases&status=success&settled_from=${day}&settled_to=${day}&part=method&key=Card`);
  await choose(screen, 'Payment methods', 'Show table');
  const rows = [...methods.getByRole('table').querySelectorAll('tbody tr')].map((row) => textsOf(row.children));
  assert.equal(rows, [
    ['Card', '$130.10', '$0.00', '86.5%', '0.0%'],
    ['Bitcoin', '$20.25', '$0.00', '13.5%', '0.0%'],
    ['No method', '$0.00', '$40.05', '0.0%', '100.0%'],
  ]);
  assert.not.match(screen.container.textContent ?? '', nonsense);
});

test('the list behind a bar has its filters set, and its sum is the bar', async () => {
  const screen = await open('ann', '/overview?unit=day');
  const methods = await figure(screen, 'Payment methods');
  fireEvent.click(methods.getAllByRole('link')[0]!);
  await screen.findByText('2 transactions');
  const chips = within(screen.getByRole('group', { name: 'Filters that are set' }));
  assert.ok(chips.getByRole('button', { name: /^Method: Card/ }));
  const sum = await screen.findByText(/\$130\.10/);
  assert.ok(sum);
  fireEvent.click(chips.getByRole('button', { name: /^Method: Card/ }));
  await screen.findByText('3 transactions');
  assert.not.match(location.search, /part|key/);
});

test('the parts add up to the figures above, to the cent', async () => {
  const screen = await open('ann');
  await figure(screen, 'Affiliates');
  const shown = amount(screen);
  assert.is(shown, '$150.35');
  for (const name of ['Payment methods', 'Platforms', 'Affiliates', 'Top players']) {
    const picture = await figure(screen, name);
    await choose(screen, name, 'Show table');
    const sum = [...picture.getByRole('table').querySelectorAll('tbody tr')]
      .map((row) => cents(row.children[1]?.textContent))
      .reduce((all, one) => all + one, 0);
    assert.is(sum, cents(shown), name);
  }
});

test('what waits says how much of it is late, where the server offers late minutes', async () => {
  const before = () => sql`update redeems set initiated_at = now() - interval '5 hours'`;
  for (const [lacks, words] of [
    [[], 'Pending redeems1$150.001 lateWaiting 5 h'],
    [['late_minutes'], 'Pending redeems1$150.00Late: 5 h'],
  ] as const) {
    const screen = await open('ann', '/overview', { before, lacks });
    assert.is((await screen.findByRole('row', { name: /^Pending redeems/ })).textContent, words);
  }
});

test('a super admin sees which tenants bring most, one of them, and whose player it is', async () => {
  const screen = await open('sue');
  const [first] = bars(await figure(screen, 'Tenants'));
  assert.match(first![0]!, /^Bravo: Purchases \$999\.00, .*GGR \$999\.00, Hold 100\.0%$/);
  assert.match(first![1]!, /^\/purchases\?tenant=3&status=success/);
  const players = await figure(screen, 'Top players');
  assert.match(bars(players)[0]![0]!, /^pat@mail\.test · Bravo: Purchases \$999\.00/);
  assert.match(bars(players)[0]![1]!, /^\/purchases\?status=success&settled_from=/);
  fireEvent.change(await screen.findByRole('combobox', { name: 'By tenant' }), { target: { value: '2' } });
  await waitFor(() => assert.is(amount(screen), '$150.35'));
  assert.match(bars(await figure(screen, 'Top players'))[0]![1]!, /^\/purchases\?tenant=2&status=success/);
  assert.is(location.search, '?tenant=2');
});

test('the keyboard: one stop for each picture, arrows from bar to bar, Escape hides the values', async () => {
  const screen = await open('ann', '/overview?unit=day');
  const hours = await figure(screen, 'Today by hour');
  const all = [...screen.container.querySelectorAll<SVGElement>('[aria-label="Today by hour"] [data-mark]')];
  assert.is(all.filter((bar) => bar.getAttribute('tabindex') === '0').length, 1);
  all[0]!.focus();
  const tip = () => screen.container.querySelector('.tip strong')?.textContent;
  const at = () => document.activeElement!.getAttribute('data-mark');
  await waitFor(() => assert.is(tip(), '00:00 – 00:59'));
  fireEvent.keyDown(document.activeElement!, { key: 'ArrowRight' });
  await waitFor(() => assert.equal([tip(), at()], ['01:00 – 01:59', '1-0']));
  fireEvent.keyDown(document.activeElement!, { key: 'ArrowDown' });
  await waitFor(() => assert.is(at(), '1-1'));
  fireEvent.keyDown(document.activeElement!, { key: 'End' });
  await waitFor(() => assert.is(tip(), '23:00 – 23:59'));
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
  await waitFor(() => assert.is(tip(), undefined));
  const leading = hours.getAllByRole('link').map((bar: HTMLElement) => bar.getAttribute('href')!);
  assert.ok(
    leading.length > 0 && leading.length < 4 && leading.every((to: string) => /part=hour&key=\d\d$/.test(to)),
    'a bar of nothing leads nowhere',
  );
});

test('what needs attention is first, and leads to its list', async () => {
  const screen = await open('ann', '/overview?unit=day');
  const region = within(await screen.findByRole('region', { name: 'Needs attention' }));
  const link = region.getByRole('link', { name: 'Pending redeems' });
  assert.is(link.getAttribute('href'), '/?tab=redeems&status=pending');
  assert.match(link.closest('tr')!.textContent!, /^Pending redeems\d+\$\d+\.\d\d(Waiting|Late|Overdue)/);
  const name = 'Success purchase without a payment reference';
  const rows = await opens(await region.findByRole('button', { name }), name);
  await rows.findAllByRole('row', { name: /west@mail\.test/ });
});

test('a month that runs is compared with the same days, up or down', async () => {
  const now = new Date(`${day}T12:00:00Z`);
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1, 12));
  const screen = await open('ann', '/overview', {
    before: async () => {
      await world();
      await topUp(pam, '300.70', 'success', { initiated_at: last, completed_at: last });
    },
  });
  const label = await screen.findByText('Purchases', { selector: 'dt' });
  const words = label.parentElement!.textContent!;
  assert.match(words, /^Purchases\$150\.35/);
  assert.match(words, now.getUTCDate() === 1 ? /: \$300\.70/ : /▼down\s50%\w+ 1.*: \$300\.70Full month/);
});

test('the span is chosen, is in the address, and goes back and forth', async () => {
  const screen = await open('ann');
  await figure(screen, 'By month');
  fireEvent.click(screen.getByRole('button', { name: 'Week' }));
  await figure(screen, 'By week');
  assert.is(location.search, '?unit=week');
  fireEvent.click(screen.getByRole('button', { name: 'Previous week' }));
  await waitFor(() => assert.match(location.search, /^\?unit=week&date=\d{4}-\d\d-\d\d$/));
  await waitFor(() => assert.is(amount(screen), '$0.00'));
  fireEvent.click(screen.getByRole('button', { name: 'Next week' }));
  await waitFor(() => assert.is(location.search, '?unit=week'));
  assert.ok(screen.sent.some(({ path }) => path.includes('/overview')));
});

test('demo figures are marked, multiplied and not to be saved', async () => {
  const screen = await open('ann', '/overview', {
    before: async () => {
      await world();
      localStorage.setItem('admin_demo_mode', 'true');
    },
  });
  await figure(screen, 'Payment methods');
  assert.is(amount(screen), '$751.75');
  assert.ok(within(screen.container.querySelector('.overview')!).getByText('Demo figures'));
  fireEvent.click(screen.getByRole('button', { name: 'Actions for Payment methods' }));
  assert.equal(textsOf(screen.getAllByRole('menuitem')), ['Show table']);
});

test('the axis has round numbers with zero among them, and a file has no formulas', () => {
  assert.equal(findTicks(-1380, 830, 4, false), [-2000, -1000, 0, 1000]);
  assert.equal(findTicks(0, 3, 4, true), [0, 1, 2, 3]);
  assert.equal(findTicks(0, 0, 4, true).slice(0, 2), [0, 1]);
  assert.is(formatTick(-1500, 'usd'), '−$1.5K');
  const picture: Picture = {
    id: 'x',
    title: 'X',
    note: '',
    by: 'Name',
    columns: [
      { name: 'Amount', unit: 'usd', tone: 'in' },
      { name: 'Number', unit: 'count' },
    ],
    rows: [
      { label: '=cmd()', short: '', values: [1.5, 2] },
      { label: 'a "b", c', short: '', values: [0, null] },
    ],
  };
  assert.is(toCsv(picture), '\uFEFF"Name","Amount","Number"\r\n"\'=cmd()",1.50,2\r\n"a ""b"", c",0.00,\r\n');
});

test.run();
