/** The pictures of what happened when. */
import { addDays } from '../../../contract/dates';
import type { Overview, OverviewStep } from '../../../contract/entities';
import { overviewSteps } from '../../../contract/overview';
import { formatDay } from '../../ui/formatDay';
import type { Links } from './links';
import type { Column, Picture } from './picture';
import { nameSpan, nameStep, nameWeekday } from './spans';

const flow = (before: string): Column[] => [
  { name: 'Purchases', unit: 'usd', tone: 'in' },
  { name: 'Redeems', unit: 'usd', tone: 'out' },
  { name: 'GGR', unit: 'usd', tone: 'net' },
  { name: `Purchases ${before}`, unit: 'usd', tone: 'in', behind: 0 },
  { name: `Redeems ${before}`, unit: 'usd', tone: 'out', behind: 1 },
  { name: `GGR ${before}`, unit: 'usd' },
];

type Flow = Pick<OverviewStep, 'purchases' | 'redeems' | 'before_purchases' | 'before_redeems' | 'before_ggr'>;
const valuesOf = (one: Flow & { ggr: number | null }) => [
  one.purchases,
  one.redeems,
  one.ggr,
  one.before_purchases,
  one.before_redeems,
  one.before_ggr,
];

export function hours({ hours: all, hours_day: day, today }: Overview, links: Links): Picture {
  const span = { starts: day, ends: day };
  // The line of today ends where the day is.
  const last = day === today ? all.findLastIndex(({ purchases, redeems }) => purchases || redeems) : all.length;
  // One high hour a week ago would leave the day itself no height.
  const before = all
    .flatMap((one) => [one.before_purchases, one.before_redeems])
    .filter(Boolean)
    .sort((a, b) => a - b);
  const most = Math.max(...all.flatMap((one) => [one.purchases, one.redeems]), before[(before.length * 0.75) | 0] ?? 0);
  const cut = (before.at(-1) ?? 0) > most ? ' A cut bar was higher.' : '';
  return {
    id: 'hours',
    title: day === today ? 'Today by hour' : 'By hour',
    note: `${nameSpan('day', day)}, compared with the ${nameWeekday(day)} before. US dollars.${cut}`,
    most,
    by: 'Hour',
    columns: flow('a week before'),
    rows: all.map((one, n) => ({
      label: `${one.hour}:00 – ${one.hour}:59`,
      short: String(Number(one.hour)),
      values: valuesOf({ ...one, ggr: n <= last ? one.ggr : null }),
      links: (['purchases', 'redeems'] as const).map((list) =>
        links.settled(list, span, { part: 'hour', key: one.hour }),
      ),
    })),
  };
}

const names = { day: 'Day', week: 'Week', month: 'Month' } as const;

/** A young tenant has few steps, but these at least are drawn. */
const FEWEST = 3;
/** The axis begins with the first data of the picture. */
const ofSteps = (
  { unit, steps }: Overview,
  picture: Omit<Picture, 'by' | 'rows'>,
  values: (step: OverviewStep) => (number | null)[],
  to: (step: OverviewStep) => string[],
  counts?: (step: OverviewStep) => number[],
): Picture => {
  const rows = steps.map((step) => ({
    label: nameSpan(unit, step.starts),
    short: nameStep(unit, step.starts),
    values: values(step),
    links: to(step),
    ...(counts && { counts: counts(step) }),
  }));
  const first = rows.findIndex((row) => row.values.some((value) => value));
  return { ...picture, by: names[unit], rows: rows.slice(Math.min(Math.max(first, 0), rows.length - FEWEST)) };
};

/** '30 days before'. */
const ago = ({ unit }: Overview) => `${overviewSteps[unit]} ${unit}s before`;
export const flows = (of: Overview, links: Links): Picture =>
  ofSteps(
    of,
    {
      id: `${of.unit}s`,
      title: `By ${of.unit}`,
      note: 'Purchases up, redeems down, in US dollars.',
      columns: flow(ago(of)),
    },
    valuesOf,
    (step) => [links.settled('purchases', step), links.settled('redeems', step)],
    (step) => [step.purchase_count, step.redeem_count],
  );

const counted = (
  of: Overview,
  [title, note, figure]: [title: string, note: string, figure: 'sign_ups' | 'first_purchases'],
  to: (step: OverviewStep) => string,
): Picture =>
  ofSteps(
    of,
    {
      id: title.toLowerCase().replace(' ', '-'),
      title,
      note: `${note} by ${of.unit}.`,
      columns: [
        { name: title, unit: 'count', tone: 'in' },
        { name: `${title} ${ago(of)}`, unit: 'count', tone: 'in', behind: 0 },
      ],
    },
    (step) => [step[figure], step[`before_${figure}`]],
    (step) => [to(step)],
  );
export const newPlayers = (of: Overview, links: Links): Picture =>
  counted(of, ['New players', 'Sign-ups', 'sign_ups'], links.signed);
export const firstPurchases = (of: Overview, links: Links): Picture =>
  counted(of, ['First purchases', 'Players who bought for the first time,', 'first_purchases'], links.first);

const mean = (amount: number, count: number) => (count ? Math.round((amount / count) * 100) / 100 : null);
export const averages = (of: Overview, links: Links): Picture =>
  ofSteps(
    of,
    {
      id: 'average-purchase',
      title: 'Average purchase',
      note: `Purchases divided by their number, by ${of.unit}. US dollars.`,
      columns: [
        { name: 'Average', unit: 'usd', tone: 'in', behindIt: 'purchases' },
        { name: `Average ${ago(of)}`, unit: 'usd', tone: 'in', behind: 0 },
        { name: 'Purchases', unit: 'usd' },
        { name: 'Number of purchases', unit: 'count' },
      ],
    },
    (step) => [
      mean(step.purchases, step.purchase_count),
      mean(step.before_purchases, step.before_purchase_count),
      step.purchases,
      step.purchase_count,
    ],
    (step) => [links.settled('purchases', step)],
    (step) => [step.purchase_count],
  );

/** Which of a week's sign-ups bought in that week, and in those after it. */
export function cohorts({ cohorts: all }: Overview, links: Links): Picture {
  const first = all.findIndex(({ sign_ups }) => sign_ups);
  const weeks = all.slice(Math.max(0, first));
  const most = Math.max(...weeks.map(({ buyers }) => buyers.length), 0);
  const after = Array.from({ length: most }, (_, n) => n);
  return {
    id: 'cohorts',
    title: 'Who came back',
    note: 'Of the players who signed up in a week: how many in a hundred bought in that week, the next one, and so on.',
    by: 'Signed up in the week of',
    columns: [
      { name: 'Sign-ups', unit: 'count' },
      ...after.map((n): Column => ({ name: `Week ${n} in %`, unit: 'percent', shareOf: 1 + most + n })),
      ...after.map((n): Column => ({ name: `Buyers in week ${n}`, unit: 'count' })),
    ],
    rows: [...weeks].reverse().map(({ week, sign_ups, buyers }) => {
      const days = { starts: week, ends: addDays(week, 6) };
      const numbers = after.map((n) => buyers[n] ?? null);
      return {
        label: formatDay(week),
        values: [
          sign_ups,
          ...numbers.map((number) => (number === null ? null : sign_ups ? (100 * number) / sign_ups : 0)),
          ...numbers,
        ],
        links: [
          links.signed(days),
          ...after.map(() => undefined),
          ...after.map((n) => links.signed(days, addDays(week, 7 * n))),
        ],
      };
    }),
  };
}
