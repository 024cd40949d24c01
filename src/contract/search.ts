/** The list of affiliates and the search: their limits. */

/** The most affiliates in one answer; the total covers all of them. */
export const AFFILIATES_MAX = 1000;
export const affiliateSorts = ['affiliate_id', 'players', 'purchases', 'redeems', 'ggr'] as const;
export type AffiliateSort = (typeof affiliateSorts)[number];

/** The search starts at this many characters. */
export const SEARCH_MIN = 2;
/** The most hits of one kind in an answer. */
export const SEARCH_HITS = 8;
/** The field that a search matched. */
export const matchedFields = [
  'email',
  'name',
  'phone',
  'payment_reference',
  'payout_address',
  'player_id',
  'payment_id',
  'amount',
] as const;
export type MatchedField = (typeof matchedFields)[number];
