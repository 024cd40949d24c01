/** Figures of the header, of the charts and of today's lists. */
import * as v from 'valibot';
import { chartDays } from '../constants';
import { given, id, instant, maybe, number, optionalElsewhere, playerId, string } from './fields';

/** Successful amounts in USD; GGR is their difference. */
export const Amounts = v.object({ purchases: number, redeems: number, ggr: number });
export type Amounts = v.InferOutput<typeof Amounts>;

/** `day` is a business day. For all tenants together, each tenant's days are counted back from its own today. */
export const DayAmounts = v.object({ ...Amounts.entries, day: string });
export type DayAmounts = v.InferOutput<typeof DayAmounts>;

/** `name` is empty where none was given; a purchase, for example, belongs to no game platform. */
export const NamedAmounts = v.object({ ...Amounts.entries, name: string });

export const DashboardMetrics = optionalElsewhere(['trend', 'time_zones'], {
  new_signups_today: number,
  first_purchase_today: number,
  total_purchases_today: number,
  total_redeems_today: number,
  /** Today. */
  total_ggr: number,
  yesterday_ggr: number,
  /** From Sunday to today. */
  week_ggr: number,
  week_purchases: number,
  /** The seven days before this week's Sunday. */
  last_week_ggr: number,
  last_week_purchases: number,
  /** From the 1st to today. */
  month_purchases: number,
  month_redeems: number,
  month_ggr: number,
  /** The last 30 business days up to today, oldest first. */
  trend: v.array(DayAmounts),
  /** The IANA time zones in which these days begin: one for a tenant; each only once for all tenants. */
  time_zones: v.array(string),
});
export type DashboardMetrics = v.InferOutput<typeof DashboardMetrics>;

export const ChartsQuery = v.object({
  tenant_id: given(id),
  days: given(v.pipe(id, v.picklist(chartDays, `expected one of ${chartDays.join(', ')}`))),
});

/** Read at once, so the parts of each add up to `total`. Days have no gaps, oldest first; names are by turnover. */
export const Charts = v.object({
  total: Amounts,
  days: v.array(DayAmounts),
  platforms: v.array(NamedAmounts),
  methods: v.array(NamedAmounts),
});
export type Charts = v.InferOutput<typeof Charts>;

/** A player who signed up today. */
export const PlayerToday = optionalElsewhere(['tenant_id'], {
  id: number,
  first_name: maybe(string),
  last_name: maybe(string),
  email: string,
  phone_number: maybe(string),
  affiliate_id: maybe(string),
  created_at: instant,
  tenant_id: number,
});
export type PlayerToday = v.InferOutput<typeof PlayerToday>;

export const FirstPurchase = optionalElsewhere(['tenant_id', 'player_id'], {
  id: number,
  user: v.object({ first_name: maybe(string), last_name: maybe(string), email: string }),
  amount: number,
  payment_method: maybe(string),
  /** Upper case here, and nowhere else. */
  status: string,
  initiated_at: instant,
  tenant_id: number,
  player_id: playerId,
});
export type FirstPurchase = v.InferOutput<typeof FirstPurchase>;
