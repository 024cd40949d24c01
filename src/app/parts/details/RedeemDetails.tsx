import { orDash } from '../../api/parse';
import { DateTime } from '../../ui/DateTime';
import { EmailLink } from '../../ui/EmailLink';
import { formatPlatform } from '../../ui/formatPlatform';
import { Money } from '../../ui/Money';
import { formatStatus } from '../../ui/StatusSelect';
import type { ListedRedeem } from '../approvals/useApprovals';
import { TenantLink } from '../tenantColumn';
import { useSpanning } from '../tenantScope';
import { CopyableText } from './CopyableText';
import { DetailsDialog } from './DetailsDialog';

/** All fields of a redeem. */
export function RedeemDetails({ redeem, onClose }: { redeem: ListedRedeem; onClose: () => void }) {
  const isSpanning = useSpanning() !== null;
  return (
    <DetailsDialog
      title={`Redeem ${redeem.id}`}
      id={redeem.id}
      tenantId={redeem.tenant_id}
      links={{
        payout_address: redeem.payout_address,
        player_id: redeem.player_id,
        email: redeem.user_email,
      }}
      onClose={onClose}
      lines={[
        ['ID', <CopyableText what="ID" text={redeem.id} />],
        [
          'User Email',
          <CopyableText what="Email" text={redeem.user_email}>
            <EmailLink email={redeem.user_email} playerId={redeem.player_id} />
          </CopyableText>,
        ],
        ...(isSpanning ? [['Tenant', <TenantLink id={redeem.tenant_id} />] as const] : []),
        ['Platform', formatPlatform(redeem.platform)],
        ['Amount', <Money amount={redeem.amount} />],
        ['Payout Method', orDash(redeem.payout_method)],
        ['Payout Address', <CopyableText what="Payout address" text={redeem.payout_address} />],
        ['Status', formatStatus(redeem.status)],
        ...(redeem.payout_hold ? [['Payouts on hold', redeem.payout_hold] as const] : []),
        ...(redeem.approval
          ? [
              [
                'Approved, 1 of 2',
                <>
                  {redeem.approval.first_email}, <DateTime at={redeem.approval.first_at} tenantId={redeem.tenant_id} />
                </>,
              ] as const,
            ]
          : []),
        ['Initiated At', <DateTime at={redeem.initiated_at} tenantId={redeem.tenant_id} />],
        ['Completed At', <DateTime at={redeem.completed_at} tenantId={redeem.tenant_id} />],
      ]}
    />
  );
}
