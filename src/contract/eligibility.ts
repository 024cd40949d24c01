/** Who may play and be paid (docs/extras/protection.md). */

/** How far a vendor or staff is with knowing who the player is. */
export const kycStates = ['none', 'pending', 'verified', 'refused'] as const;
export type KycState = (typeof kycStates)[number];
/** ISO 3166-2: a country, or one of its parts, such as US or US-CA. */
export const REGION = /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/;
export const REGIONS_MAX = 300;
export const AGE_MAX = 99;
export const MISSING_MAX = 500;
/** The `code` of a 409 about a payout to somebody whose identity must be verified first. */
export const NOT_VERIFIED = 'not_verified';
