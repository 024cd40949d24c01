import { addDays, startOfMonth } from '../../../contract/dates';

interface Range {
  from: string;
  to: string;
}
/** Spans of business days that are often asked for, up to today. */
export const ranges: readonly { name: string; label: string; get: (today: string) => Range }[] = [
  { name: 'today', label: 'Today', get: (today) => ({ from: today, to: today }) },
  { name: 'yesterday', label: 'Yesterday', get: (today) => ({ from: addDays(today, -1), to: addDays(today, -1) }) },
  { name: '7', label: '7 days', get: (today) => ({ from: addDays(today, -6), to: today }) },
  { name: 'month', label: 'This month', get: (today) => ({ from: startOfMonth(today), to: today }) },
];

/** The name of the range that these days are; '' for none. */
export const findRange = ({ from, to }: Range, today: string): string =>
  ranges.find(({ get }) => JSON.stringify(get(today)) === JSON.stringify({ from, to }))?.name ?? '';
