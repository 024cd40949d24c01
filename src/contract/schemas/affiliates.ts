import * as v from 'valibot';
import { affiliateSorts } from '../search';
import { date, filled, given, id, number, oneOf, sortOrder, string, text } from './fields';

/** Dates are business days, both ends included. */
const range = { start_date: date, end_date: date, tenant_id: given(id) };

export const AffiliateQuery = v.object({
  affiliate_id: filled(100),
  ...range,
});

export const AffiliateStats = v.object({ total_players: number, total_ggr: number });
export type AffiliateStats = v.InferOutput<typeof AffiliateStats>;

export const AffiliatesQuery = v.object({
  ...range,
  text: given(text(100)),
  sort_by: given(oneOf(affiliateSorts)),
  sort_order: given(sortOrder),
});

/** `players` signed up in the range; the amounts are those of all players of the affiliate. `ggr` is the difference. */
const figures = { players: number, purchases: number, redeems: number, ggr: number };

/** Ids that differ in case only are one affiliate; `affiliate_id` is the most common spelling. */
export const Affiliate = v.object({ affiliate_id: string, ...figures });
export type Affiliate = v.InferOutput<typeof Affiliate>;

/** The affiliates with any activity in the range; `total` covers every match, also those beyond the limit. */
export const AffiliateList = v.object({
  affiliates: v.array(Affiliate),
  total: v.object({ affiliates: number, ...figures }),
});
