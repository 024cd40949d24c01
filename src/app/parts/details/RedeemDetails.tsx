import { orDash } from '../../api/parse';
import { useFeature } from '../../state/session';
import { DateTime } from '../../ui/DateTime';
import { formatPlatform } from '../../ui/formatPlatform';
import { Money } from '../../ui/Money';
import type { ListedRedeem } from '../approvals/useApprovals';
import type { Deciding } from '../queue/decision';
import { isToLookAtTwice, PayoutChips } from '../queue/PayoutChips';
import { useSpanning } from '../tenantScope';
import { CopyableText } from './CopyableText';
import { type LineOptions, statusLine, whenLines, whoseLines } from './commonLines';
import { DetailsDialog } from './DetailsDialog';
import type { Line } from './Lines';

/** Everything that the list knows of a redeem. `status`: how it is shown. */
export const redeemLines = (redeem: ListedRedeem, options: LineOptions, status?: Line): Line[] => [
  ...whoseLines(redeem, options),
  ['Look twice', isToLookAtTwice(redeem) && <PayoutChips redeem={redeem} />],
  ['Platform', formatPlatform(redeem.platform)],
  ['Amount', <Money amount={redeem.amount} />],
  ['Paid from', redeem.from_game && 'The game: nothing held'],
  ['Payout Method', redeem.payout_method],
  [
    'Payout Address',
    orDash(redeem.payout_address) !== '-' && <CopyableText what="Payout address" text={redeem.payout_address} />,
  ],
  ...(status ? [status] : []),
  ['Payouts on hold', redeem.payout_hold],
  [
    'Approved, 1 of 2',
    redeem.approval && (
      <>
        {redeem.approval.first_email}, <DateTime at={redeem.approval.first_at} tenantId={redeem.tenant_id} />
      </>
    ),
  ],
  ...whenLines(redeem),
];

type Props = { redeem: ListedRedeem; decisions: Deciding<ListedRedeem>; onClose: () => void };
/** All fields of a redeem; a pending one is decided here, too. */
export function RedeemDetails({ redeem, decisions, onClose }: Props) {
  const options = { isSpanning: useSpanning() !== null, hasView: useFeature('player_view') };
  const { payout_address, player_id, user_email: email } = redeem;
  return (
    <DetailsDialog
      title={`Redeem ${redeem.id}`}
      id={redeem.id}
      tenantId={redeem.tenant_id}
      links={{ payout_address, player_id, email }}
      onClose={onClose}
      lines={redeemLines(redeem, options, statusLine(redeem, decisions, onClose))}
    />
  );
}
