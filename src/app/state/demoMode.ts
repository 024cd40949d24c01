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

/**
 * Demo mode (docs/product.md, "Demo mode"): purchases times 5, redeems times 2. Where both are shown, GGR is their
 * difference; the GGR of other periods is multiplied by 5.
 */
export function demoFigures(real: Figures): Figures {
  const total_purchases_today = times(real.total_purchases_today, DEMO_PURCHASES);
  const total_redeems_today = times(real.total_redeems_today, DEMO_REDEEMS);
  const month_purchases = times(real.month_purchases, DEMO_PURCHASES);
  const month_redeems = times(real.month_redeems, DEMO_REDEEMS);
  return {
    total_purchases_today,
    total_redeems_today,
    total_ggr: minus(total_purchases_today, total_redeems_today),
    yesterday_ggr: times(real.yesterday_ggr, DEMO_PURCHASES),
    week_ggr: times(real.week_ggr, DEMO_PURCHASES),
    week_purchases: times(real.week_purchases, DEMO_PURCHASES),
    last_week_purchases: times(real.last_week_purchases, DEMO_PURCHASES),
    last_week_ggr: times(real.last_week_ggr, DEMO_PURCHASES),
    month_purchases,
    month_redeems,
    month_ggr: minus(month_purchases, month_redeems),
  };
}
