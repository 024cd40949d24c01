/** The list of affiliates and the search: their records and limits. */

/** Affiliates in one answer; the total is that of all. */
export const AFFILIATES_MAX = 1000;
export const affiliateSorts = ['affiliate_id', 'players', 'purchases', 'redeems', 'ggr'] as const;
export type AffiliateSort = (typeof affiliateSorts)[number];

/** `text` is a part of the affiliate's id. */
export interface AffiliatesQuery {
  start_date: string; end_date: string; tenant_id?: number | undefined; text?: string | undefined;
  sort_by?: AffiliateSort | undefined; sort_order?: 'asc' | 'desc' | undefined;
}
/** Who signed up, and what all of the affiliate's players bought and redeemed. `ggr` is the difference. */
interface AffiliateFigures { players: number; purchases: number; redeems: number; ggr: number }
/** An affiliate is one however it is written; `affiliate_id` is its most common spelling there. */
export interface Affiliate extends AffiliateFigures { affiliate_id: string }
/** Whoever brought anything in the range; `total` is of all that the text matches, however many are listed. */
export interface AffiliateList { affiliates: Affiliate[]; total: AffiliateFigures & { affiliates: number } }

/** From how many characters on the search asks. */
export const FIND_MIN = 2;
/** Hits of one kind in an answer. */
export const FIND_HITS = 8;
/** By what a player was found. */
export const foundBy = ['email', 'name', 'phone', 'payment_reference', 'payout_address'] as const;
export type FoundBy = (typeof foundBy)[number];

/** A player, and by which of their words: `value` is that field's. */
export interface FoundPlayer { id: number; tenant_id: number; tenant_name: string; email: string; first_name: string | null; last_name: string | null; matched: FoundBy; value: string }
/** The best hits of each kind. Tenants for super admins only. */
export interface Found { players: FoundPlayer[]; payments: FoundPlayer[]; payouts: FoundPlayer[]; tenants: { id: number; name: string; email: string | null }[] }
