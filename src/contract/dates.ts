/** Calendar days as YYYY-MM-DD. Weeks start on Sunday (docs/product.md, "Business day"). */

export type Preset = 'today' | 'yesterday' | 'week' | 'month' | 'custom';
/** The date presets of Affiliate Tracking with their labels, in order (docs/product.md, "Affiliate tracking"). */
export const presets: readonly { value: Preset; label: string }[] = [
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: 'week', label: 'Week to Date' },
  { value: 'month', label: 'Month to Date' },
  { value: 'custom', label: 'Custom Range' },
];
export interface DateRange {
  start_date: string;
  end_date: string;
}

const atNoon = (day: string): Date => new Date(`${day}T12:00:00Z`);

export const addDays = (day: string, days: number): string => {
  const date = atNoon(day);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
};

/** The most recent Sunday; on a Sunday, that day. */
export const startOfWeek = (day: string): string => addDays(day, -atNoon(day).getUTCDay());
export const startOfMonth = (day: string): string => `${day.slice(0, 8)}01`;

/** The range of a date preset; `custom` is chosen freely and has none. */
export function presetRange(preset: Exclude<Preset, 'custom'>, today: string): DateRange {
  switch (preset) {
    case 'today':
      return { start_date: today, end_date: today };
    case 'yesterday':
      return { start_date: addDays(today, -1), end_date: addDays(today, -1) };
    case 'week':
      return { start_date: startOfWeek(today), end_date: today };
    case 'month':
      return { start_date: startOfMonth(today), end_date: today };
  }
}
