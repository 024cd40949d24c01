/** Who may play and be paid; needs the feature `eligibility`. */
import * as v from 'valibot';
import { AGE_MAX, kycStates, MISSING_MAX, REGION, REGIONS_MAX } from '../eligibility';
import * as f from './fields';
import { namesOnePlayer, playerNames } from './integrations';

const region = v.pipe(f.plainText, v.regex(REGION, 'expected a region of ISO 3166-2 such as US or US-CA'));

/** What is known of a player. Null is unknown, and stops nothing by itself. */
export const Eligibility = v.object({
  birth_date: f.maybe(f.string),
  region: f.maybe(f.string),
  kyc_status: f.oneOf(kycStates),
  /** The last day of a verification; null: it has none. */
  kyc_until: f.maybe(f.string),
  /** What the player still has to send. */
  kyc_missing: f.maybe(f.string),
  /** The vendor's id of the check. No document is kept here. */
  kyc_reference: f.maybe(f.string),
  /** Null until somebody has set something. */
  since: f.maybe(f.instant),
  by: f.maybe(f.string),
});
export type Eligibility = v.InferOutput<typeof Eligibility>;

/** What is left out stays; null is unknown. */
const wish = {
  birth_date: v.optional(v.nullable(f.date)),
  region: v.optional(v.nullable(region)),
  kyc_status: v.optional(f.oneOf(kycStates)),
  kyc_until: v.optional(v.nullable(f.date)),
  kyc_missing: v.optional(v.nullable(f.filled(MISSING_MAX))),
  kyc_reference: v.optional(v.nullable(f.reference(200))),
};
export const EligibilityForm = v.object(wish);
export type EligibilityForm = v.InferOutput<typeof EligibilityForm>;

export const PushedEligibility = v.pipe(v.object({ ...playerNames, ...wish }), namesOnePlayer());

/** What a tenant asks for; null, an empty list and false ask for nothing. */
export const EligibilityRules = v.object({
  minimum_age: f.maybe(f.number),
  /** A country stands for all its parts. */
  refused_regions: v.array(f.string),
  /** A verified identity is needed for a payout of so much or more. */
  kyc_from: f.maybe(f.number),
  /** It is needed for the first payout. */
  kyc_first: f.boolean,
  /** Players whose payouts of a calendar year reach it are listed in the books. */
  report_from: f.maybe(f.number),
});
export type EligibilityRules = v.InferOutput<typeof EligibilityRules>;

export const EligibilityRulesForm = v.object({
  minimum_age: v.nullable(f.whole(1, AGE_MAX)),
  refused_regions: f.listOf(region, 'regions', REGIONS_MAX),
  kyc_from: v.nullable(f.sentMoney),
  kyc_first: f.trueOrFalse,
  report_from: v.nullable(f.sentMoney),
  tenant_id: f.given(f.id),
});
