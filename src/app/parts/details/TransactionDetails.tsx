import type { Transaction } from '../../../contract/entities';
import { depositType, orDash } from '../../api/parse';
import { DateTime } from '../../ui/DateTime';
import { EmailLink } from '../../ui/EmailLink';
import { formatPlatform } from '../../ui/formatPlatform';
import { Money } from '../../ui/Money';
import { formatStatus } from '../../ui/StatusSelect';
import { TenantLink } from '../tenantColumn';
import { useSpanning } from '../tenantScope';
import { CopyableText } from './CopyableText';
import { DetailsDialog } from './DetailsDialog';
import { Metadata } from './Metadata';

/** All fields of a purchase, deposit or return, with the metadata of its processor; of a return its platform. */
export function TransactionDetails({
  transaction,
  onClose,
}: {
  transaction: Transaction & { platform?: string };
  onClose: () => void;
}) {
  const isSpanning = useSpanning() !== null;
  const { id, user_email, payment_reference, payment_metadata, platform } = transaction;
  return (
    <DetailsDialog
      title={`Transaction ${id}`}
      id={id}
      tenantId={transaction.tenant_id}
      links={{ payment_reference, player_id: transaction.player_id, email: user_email }}
      onClose={onClose}
      lines={[
        ['ID', <CopyableText what="ID" text={id} />],
        [
          'User Email',
          <CopyableText what="Email" text={user_email}>
            <EmailLink email={user_email} playerId={transaction.player_id} />
          </CopyableText>,
        ],
        ...(isSpanning ? [['Tenant', <TenantLink id={transaction.tenant_id} />] as const] : []),
        ['Type', orDash(transaction.transaction_type)],
        ['Status', formatStatus(transaction.status)],
        ['Amount', <Money amount={transaction.amount} />],
        ...(platform
          ? [['Platform', formatPlatform(platform)] as const]
          : [
              ['Net Amount', <Money amount={transaction.net_amount} />] as const,
              ['Payment Method', orDash(transaction.payment_method)] as const,
              ['Deposit Type', depositType(payment_metadata)] as const,
            ]),
        ['Initiated At', <DateTime at={transaction.initiated_at} tenantId={transaction.tenant_id} />],
        ['Completed At', <DateTime at={transaction.completed_at} tenantId={transaction.tenant_id} />],
        ['Description', orDash(transaction.description)],
        ['Reference', <CopyableText what="Reference" text={payment_reference} />],
        ...(platform ? [] : [['Metadata', <Metadata of={payment_metadata} />] as const]),
      ]}
    />
  );
}
