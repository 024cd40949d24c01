/** Limits of the list of affiliates and of the search. Apart from the other constants: only who opens them needs it. */

/** Affiliates in one answer; the total is that of all. */
export const AFFILIATES_MAX = 1000;
export const affiliateSorts = ['affiliate_id', 'players', 'purchases', 'redeems', 'ggr'] as const;
export type AffiliateSort = (typeof affiliateSorts)[number];

/** From how many characters on the search asks. */
export const FIND_MIN = 2;
/** Hits of one kind in an answer. */
export const FIND_HITS = 8;
/** By what a player was found. */
export const foundBy = ['email', 'name', 'phone', 'payment_reference', 'payout_address'] as const;
export type FoundBy = (typeof foundBy)[number];
