import type { Redeem } from '../../../contract/entities';
import { isOpen } from '../../../contract/rules';
import { toFieldText } from '../../api/parse';
import { RiskChips } from './RiskChips';

/** A pending redeem without an address, in a list that knows its risks. */
const lacksAddress = ({ status, payout_address, risks }: Redeem): boolean =>
  isOpen(toFieldText(status)) && risks !== undefined && !payout_address;

export const isToLookAtTwice = (redeem: Redeem): boolean =>
  Boolean(redeem.risks?.length || redeem.payout_hold) || lacksAddress(redeem);

/** Why to look twice at a redeem. */
export const PayoutChips = ({ redeem }: { redeem: Redeem }) => (
  <>
    <RiskChips risks={redeem.risks} />
    {lacksAddress(redeem) && <small className="badge">No payout address</small>}
    {redeem.payout_hold && (
      <small className="badge" title={redeem.payout_hold}>
        Payouts on hold
      </small>
    )}
  </>
);
