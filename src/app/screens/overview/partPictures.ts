/** The pictures of what a span consists of. */
import type { MoneyList } from '../../../contract/constants';
import type { Overview, OverviewPart } from '../../../contract/entities';
import type { ListPart } from '../../../contract/overview';
import { balanceLabels } from '../../ui/balanceLabels';
import { formatPlatform } from '../../ui/formatPlatform';
import { nameTime, nameWithin } from '../../ui/payoutTime';
import { createLinks, type Links } from './links';
import type { Column, Picture, Row } from './picture';

const REST = 'All others';
const share = (amount: number, total: number) => (total ? (100 * amount) / total : 0);
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + Math.round(one * 100), 0) / 100;
const find = ({ parts }: Overview, part: OverviewPart['part']) => parts.filter((one) => one.part === part);

const moneyColumns: Column[] = [
  { name: 'Purchases', unit: 'usd', tone: 'in' },
  { name: 'Redeems', unit: 'usd', tone: 'out' },
  { name: 'Share of purchases', unit: 'percent', shareOf: 0 },
  { name: 'Share of redeems', unit: 'percent', shareOf: 1 },
];
/** Where both belong to the same name; purchases go to the wallet and not to a platform. */
const marginColumns: Column[] = [...moneyColumns, { name: 'GGR', unit: 'usd' }, { name: 'Hold', unit: 'percent' }];
const total = ({ steps }: Overview) => steps.at(-1) ?? { purchases: 0, redeems: 0 };

const moneyRow = (of: Overview, label: string, [taken, paid]: [number, number], more: Partial<Row> = {}): Row => ({
  label,
  values: [
    ...[taken, paid, share(taken, total(of).purchases), share(paid, total(of).redeems)],
    ...[sum([taken, -paid]), taken ? (100 * (taken - paid)) / taken : null],
  ],
  ...more,
});
type About = { part: ListPart; key: string };
const both = (links: Links, of: Overview, about?: About, lists: readonly MoneyList[] = ['purchases', 'redeems']) =>
  lists.map((list) => links.settled(list, of, about));

/** Purchases by size, then what has redeems alone, and the rest at the end. */
const inOrder = (a: OverviewPart, b: OverviewPart) =>
  Number(a.key === null) - Number(b.key === null) || b.amount_in - a.amount_in;
/** Purchases and redeems by platform, method or affiliate. */
const named =
  (
    part: 'platform' | 'method' | 'affiliate',
    { none, ...words }: Pick<Picture, 'id' | 'title' | 'note' | 'by'> & { none: string },
  ) =>
  (of: Overview, links: Links): Picture => {
    const list = find(of, part).toSorted(inOrder);
    const rows = list.map(({ key, name, amount_in, amount_out, count_in, count_out }) =>
      moneyRow(
        of,
        key === null ? REST : key === '' ? none : part === 'platform' ? formatPlatform(key) : name || key,
        [amount_in, amount_out],
        {
          isApart: part === 'platform' && key === '',
          ...(key !== null && { links: both(links, of, { part, key }), counts: [count_in, count_out] }),
        },
      ),
    );
    if (part === 'affiliate' && list.length) {
      const [taken, paid] = [
        sum([total(of).purchases, ...list.map((one) => -one.amount_in)]),
        sum([total(of).redeems, ...list.map((one) => -one.amount_out)]),
      ];
      if (taken || paid) rows.push(moneyRow(of, none, [taken, paid], { links: both(links, of, { part, key: '' }) }));
    }
    return { ...words, columns: part === 'affiliate' ? marginColumns : moneyColumns, rows };
  };

export const platforms = named('platform', {
  id: 'platforms',
  title: 'Platforms',
  note: 'Redeems by game platform. Purchases go to the wallet. US dollars.',
  by: 'Platform',
  none: 'Wallet (no platform)',
});
export const methods = named('method', {
  id: 'methods',
  title: 'Payment methods',
  note: 'Purchases by payment method, redeems by payout method. US dollars.',
  by: 'Method',
  none: 'No method',
});
export const affiliates = named('affiliate', {
  id: 'affiliates',
  title: 'Affiliates',
  note: 'By the affiliate of the player. US dollars.',
  by: 'Affiliate',
  none: 'No affiliate',
});

/** Which tenants bring most; the lists behind them are theirs. */
export const tenants = (of: Overview): Picture => ({
  id: 'tenants',
  title: 'Tenants',
  note: 'The largest, with their share of everything. US dollars.',
  by: 'Tenant',
  columns: marginColumns,
  rows: find(of, 'tenant').map(({ key, name, amount_in, amount_out, count_in, count_out }) =>
    moneyRow(
      of,
      key === null ? REST : name || `Tenant ${key}`,
      [amount_in, amount_out],
      key === null
        ? {}
        : { links: both(createLinks({ isSuper: true, tenant: key }), of), counts: [count_in, count_out] },
    ),
  ),
});

export const players = (of: Overview, links: Links, isSpanning: boolean): Picture => ({
  id: 'players',
  title: 'Top players',
  note: 'Who bought most, with their share of all purchases. US dollars.',
  by: 'Player',
  columns: marginColumns,
  rows: of.players.map((one) =>
    moneyRow(of, isSpanning ? `${one.email} · ${one.tenant_name}` : one.email, [one.purchases, one.redeems], {
      links: both(links, of, { part: 'player', key: String(one.player_id) }),
    }),
  ),
});

const types: Readonly<Record<string, string>> = balanceLabels;
export function deposits(of: Overview, links: Links): Picture {
  const list = find(of, 'deposit'),
    all = sum(list.map(({ amount_in }) => amount_in));
  return {
    id: 'deposits',
    title: 'Deposits by type',
    note: 'From the wallet onto game platforms, by the balance that paid. US dollars.',
    by: 'Type',
    columns: [
      { name: 'Deposits', unit: 'usd', tone: 'in' },
      { name: 'Share', unit: 'percent', shareOf: 0 },
      { name: 'Number', unit: 'count' },
    ],
    rows: list.map(({ key, amount_in, count_in }) => ({
      label: types[key?.toLowerCase() ?? ''] ?? (key || '-'),
      values: [amount_in, share(amount_in, all), count_in],
      links: [links.settled('deposits', of, { part: 'method', key: key ?? '' })],
    })),
  };
}

/** What went onto each game platform and came back from it. */
export const games = (of: Overview, links: Links): Picture => ({
  id: 'games',
  title: 'Deposits and returns',
  note: 'Onto game platforms, and back from them when players win. US dollars.',
  by: 'Platform',
  columns: [
    { name: 'Deposits', unit: 'usd', tone: 'in' },
    { name: 'Returns', unit: 'usd', tone: 'out' },
  ],
  rows: find(of, 'game').map(({ key, amount_in, amount_out }) => ({
    label: key === null ? REST : key === '' ? 'No platform' : formatPlatform(key),
    values: [amount_in, amount_out],
    ...(key !== null && { links: both(links, of, { part: 'platform', key }, ['deposits', 'returns']) }),
  })),
});

/** How long payouts took: the end of the span of times in which so many of a hundred were paid. */
function findTime(list: readonly OverviewPart[], percent: number): string {
  const all = list.reduce((count, one) => count + one.count_out, 0);
  let seen = 0;
  for (const { key, count_out } of list) {
    seen += count_out;
    if (seen * 100 >= all * percent) return nameWithin(Number(key));
  }
  return '-';
}
export function payouts(of: Overview, links: Links): Picture {
  const list = find(of, 'payout').toSorted((a, b) => Number(a.key) - Number(b.key));
  const [first, last] = [Number(list[0]?.key ?? 0), Number(list.at(-1)?.key ?? -1)];
  const keys = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  return {
    id: 'payout-times',
    title: 'From request to payout',
    note: list.length
      ? `Half were paid ${findTime(list, 50)}, 95 of 100 ${findTime(list, 95)}.`
      : 'How long paid redeems took.',
    by: 'Time',
    columns: [
      { name: 'Redeems paid', unit: 'count', tone: 'in' },
      { name: 'Amount', unit: 'usd' },
    ],
    rows: keys.map((key) => {
      const one = list.find((part) => part.key === String(key));
      return {
        label: `Paid ${nameWithin(key)}`,
        short: nameTime(key),
        values: [one?.count_out ?? 0, one?.amount_out ?? 0],
        links: [links.settled('redeems', of, { part: 'payout', key: String(key) })],
      };
    }),
  };
}

export function deciders(of: Overview, links: Links): Picture {
  const lists = [find(of, 'paid'), find(of, 'refused')] as const;
  const keys = [...new Set(lists.flat().map(({ key }) => key))];
  return {
    id: 'deciders',
    title: 'Who decided',
    note: 'Redeems set to success and to failed, by person.',
    by: 'Person',
    columns: [
      { name: 'Success', unit: 'count', tone: 'in', behindIt: 'success redeems' },
      { name: 'Failed', unit: 'count', tone: 'out', behindIt: 'failed redeems' },
      { name: 'Paid', unit: 'usd' },
    ],
    rows: keys.map((key) => {
      const [paid, refused] = lists.map((list) => list.find((one) => one.key === key));
      const label =
        key === null ? REST : key === '' ? 'The platform, or not known' : (paid ?? refused)?.name || `Admin ${key}`;
      return {
        label,
        values: [paid?.count_out ?? 0, refused?.count_out ?? 0, paid?.amount_out ?? 0],
        ...(key !== null && {
          links: (['success', 'failed'] as const).map((status) =>
            links.settled('redeems', of, { part: 'decided', key }, status),
          ),
        }),
      };
    }),
  };
}

const balances = { ...balanceLabels, held: 'Held for pending redeems and deposits' };
export function held(of: Overview, links: Links): Picture {
  const list = find(of, 'held'),
    all = sum(list.map(({ amount_in }) => amount_in));
  return {
    id: 'held',
    title: 'Money that players hold',
    note: 'In open wallets, now. US dollars.',
    by: 'Balance',
    columns: [
      { name: 'Held', unit: 'usd', tone: 'in', behindIt: 'players' },
      { name: 'Share', unit: 'percent', shareOf: 0 },
    ],
    rows: Object.entries(balances).map(([key, label]) => {
      const amount = list.find((one) => one.key === key)?.amount_in ?? 0;
      return { label, values: [amount, share(amount, all)], links: [links.held] };
    }),
  };
}
