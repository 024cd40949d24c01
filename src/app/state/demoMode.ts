import { DEMO_PURCHASES, DEMO_REDEEMS } from '../../contract/constants';
import type { DashboardMetrics } from '../../contract/entities';
import { toAmount } from '../api/amount';

/** On if local storage has exactly 'true' (docs/product.md, "Demo mode"). */
export const isDemoMode = (storage: Storage = localStorage): boolean => storage.getItem('admin_demo_mode') === 'true';

const moneyFigures = [
  'total_purchases_today',
  'total_redeems_today',
  'total_ggr',
  'yesterday_ggr',
  'week_ggr',
  'week_purchases',
  'last_week_purchases',
  'last_week_ggr',
  'month_purchases',
  'month_redeems',
  'month_ggr',
] as const satisfies readonly (keyof DashboardMetrics)[];
/** The amounts of Today's Metrics in USD; null if the server did not send one. */
export type Figures = Record<(typeof moneyFigures)[number], number | null>;

export const parseFigures = (metrics: Partial<Record<keyof DashboardMetrics, unknown>>): Figures =>
  Object.fromEntries(moneyFigures.map((name) => [name, toAmount(metrics[name])])) as Figures;

// Demo amounts are computed in cents to avoid rounding errors.
const cents = (amount: number) => Math.round(amount * 100);
const times = (amount: number | null, factor: number) => (amount === null ? null : (cents(amount) * factor) / 100);
const minus = (one: number | null, other: number | null) =>
  one === null || other === null ? null : (cents(one) - cents(other)) / 100;

/** Purchases times 5, redeems times 2; GGR is their difference, or times 5 alone (docs/product.md, "Demo mode"). */
export function demoFigures(real: Figures): Figures {
  const factorOf = (name: keyof Figures) => (name.includes('redeems') ? DEMO_REDEEMS : DEMO_PURCHASES);
  const shown = Object.fromEntries(moneyFigures.map((name) => [name, times(real[name], factorOf(name))])) as Figures;
  return {
    ...shown,
    total_ggr: minus(shown.total_purchases_today, shown.total_redeems_today),
    month_ggr: minus(shown.month_purchases, shown.month_redeems),
  };
}
