/** Who may play and be paid; needs the feature `eligibility`. */
import * as v from 'valibot';
import { AGE_MAX, kycStates, MISSING_MAX, REGION, REGIONS_MAX } from '../eligibility';
import {
  boolean,
  date,
  filled,
  given,
  id,
  instant,
  maybe,
  number,
  oneOf,
  plainText,
  reference,
  sentMoney,
  string,
  trueOrFalse,
  whole,
} from './fields';
import { namesOnePlayer, playerNames } from './integrations';

const region = v.pipe(plainText, v.regex(REGION, 'expected a region of ISO 3166-2 such as US or US-CA'));

/** What is known of a player. Null is unknown, and stops nothing by itself. */
export const Eligibility = v.object({
  birth_date: maybe(string),
  region: maybe(string),
  kyc_status: oneOf(kycStates),
  /** The last day of a verification; null: it has none. */
  kyc_until: maybe(string),
  /** What the player still has to send. */
  kyc_missing: maybe(string),
  /** The vendor's id of the check. No document is kept here. */
  kyc_reference: maybe(string),
  /** Null until somebody has set something. */
  since: maybe(instant),
  by: maybe(string),
});
export type Eligibility = v.InferOutput<typeof Eligibility>;

/** What is left out stays; null is unknown. */
const wish = {
  birth_date: v.optional(v.nullable(date)),
  region: v.optional(v.nullable(region)),
  kyc_status: v.optional(oneOf(kycStates)),
  kyc_until: v.optional(v.nullable(date)),
  kyc_missing: v.optional(v.nullable(filled(MISSING_MAX))),
  kyc_reference: v.optional(v.nullable(reference(200))),
};
export const EligibilityForm = v.object(wish);
export type EligibilityForm = v.InferOutput<typeof EligibilityForm>;

export const PushedEligibility = v.pipe(v.object({ ...playerNames, ...wish }), namesOnePlayer());

/** What a tenant asks for; null, an empty list and false ask for nothing. */
export const EligibilityRules = v.object({
  minimum_age: maybe(number),
  /** A country stands for all its parts. */
  refused_regions: v.array(string),
  /** A verified identity is needed for a payout of so much or more. */
  kyc_from: maybe(number),
  /** It is needed for the first payout. */
  kyc_first: boolean,
  /** Players whose payouts of a calendar year reach it are listed in the books. */
  report_from: maybe(number),
});
export type EligibilityRules = v.InferOutput<typeof EligibilityRules>;

export const EligibilityRulesForm = v.object({
  minimum_age: v.nullable(whole(1, AGE_MAX)),
  refused_regions: v.pipe(
    v.array(region, 'expected a list of regions'),
    v.maxLength(REGIONS_MAX, `at most ${REGIONS_MAX} regions`),
  ),
  kyc_from: v.nullable(sentMoney),
  kyc_first: trueOrFalse,
  report_from: v.nullable(sentMoney),
  /** A super admin names the tenant. */
  tenant_id: given(id),
});
