/** The list of affiliates and the search: their records and limits. */

/** The most affiliates in one answer; the total covers all of them. */
export const AFFILIATES_MAX = 1000;
export const affiliateSorts = ['affiliate_id', 'players', 'purchases', 'redeems', 'ggr'] as const;
export type AffiliateSort = (typeof affiliateSorts)[number];

/** `text` matches a part of the affiliate's id. */
export interface AffiliatesQuery {
  start_date: string;
  end_date: string;
  tenant_id?: number | undefined;
  text?: string | undefined;
  sort_by?: AffiliateSort | undefined;
  sort_order?: 'asc' | 'desc' | undefined;
}
/** `players` signed up in the range; the amounts are those of all players of the affiliate. `ggr` is the difference. */
interface AffiliateFigures {
  players: number;
  purchases: number;
  redeems: number;
  ggr: number;
}
/** Ids that differ in case only are one affiliate; `affiliate_id` is the most common spelling. */
export interface Affiliate extends AffiliateFigures {
  affiliate_id: string;
}
/** The affiliates with any activity in the range; `total` covers every match, also those beyond the limit. */
export interface AffiliateList {
  affiliates: Affiliate[];
  total: AffiliateFigures & { affiliates: number };
}

/** The search starts at this many characters. */
export const FIND_MIN = 2;
/** The most hits of one kind in an answer. */
export const FIND_HITS = 8;
/** The field that a search matched. */
export const foundBy = ['email', 'name', 'phone', 'payment_reference', 'payout_address'] as const;
export type FoundBy = (typeof foundBy)[number];

/** A player, the field that matched, and its value. */
export interface FoundPlayer {
  id: number;
  tenant_id: number;
  tenant_name: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  matched: FoundBy;
  value: string;
}
/** The best hits of each kind. Only super admins get tenants. */
export interface Found {
  players: FoundPlayer[];
  payments: FoundPlayer[];
  payouts: FoundPlayer[];
  tenants: { id: number; name: string; email: string | null }[];
}
