import {
  NEAR_LIMIT,
  REDEEM_MAX,
  RETURN_TIMES,
  type ReturnRisk,
  type Risk,
  returnRisks,
  risks,
} from '../../../contract/constants';
import { type Attention, attentions } from '../../../contract/protection';

const HOLDS = 'Payouts are held when such money arrives.';

const labels: Record<Risk | ReturnRisk | Attention, [label: string, reason: string]> = {
  first_redeem: ['First redeem', 'The player has not redeemed before.'],
  shared_address: ['Shared address', 'Another player uses the same payout address.'],
  new_account: ['New account', 'The account was less than a day old when this was requested.'],
  adjusted: [
    'Adjusted',
    'A balance of this player was changed by hand less than a day before the request, or after it.',
  ],
  near_limit: [
    'Near limit',
    `The player's redeems on that day add up to $${NEAR_LIMIT} or more. The limit is $${REDEEM_MAX}.`,
  ],
  reported: ['Reported', 'With this redeem, the payouts of the year reach the amount from which they are reported.'],
  no_deposit: ['No deposit there', 'The player has no successful deposit at this platform.'],
  over_20_times: [
    `Over ${RETURN_TIMES} times`,
    `More than ${RETURN_TIMES} times what the player deposited at this platform has come back from it.`,
  ],
  excluded: ['On a break', `This payment came while the player was on a break. ${HOLDS}`],
  over_limit: ['Over limit', `This payment came over the player's own limit. ${HOLDS}`],
  refused_region: ['Refused region', `This payment came from a refused region. ${HOLDS}`],
  too_young: ['Below the age', `This payment came from a player below the minimum age. ${HOLDS}`],
  negative_ggr: ['Negative GGR', 'The player has redeemed more than they have purchased.'],
};

/** Risks, and why a purchase needs a person, each with its reason as a tooltip and for screen readers. */
export function RiskChips({ risks: found }: { risks: readonly (Risk | ReturnRisk | Attention)[] | undefined }) {
  const known = Array.isArray(found)
    ? [...risks, ...returnRisks, ...attentions].filter((risk) => found.includes(risk))
    : [];
  if (!known.length) return null;
  return (
    <ul className="chips" aria-label="Risks">
      {known.map((risk) => (
        <li key={risk} className="badge" title={labels[risk][1]}>
          {labels[risk][0]}
          <span className="unseen">: {labels[risk][1]}</span>
        </li>
      ))}
    </ul>
  );
}
