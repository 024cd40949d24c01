import { depositType, isObject, orDash, parseJson } from '../../api/parse';
import { useFeature } from '../../state/session';
import { DateTime } from '../../ui/DateTime';
import { formatPlatform } from '../../ui/formatPlatform';
import { Money } from '../../ui/Money';
import type { ListedTransaction } from '../approvals/useApprovals';
import type { Deciding } from '../queue/decision';
import { RiskChips } from '../queue/RiskChips';
import { useSpanning } from '../tenantScope';
import { CopyableText } from './CopyableText';
import { type LineOptions, statusLine, whenLines, whoseLines } from './commonLines';
import { DetailsDialog } from './DetailsDialog';
import type { Line } from './Lines';

/** Everything that the list knows of a purchase, deposit or return. `status`: how it is shown. */
export const transactionLines = (row: ListedTransaction, options: LineOptions, status?: Line): Line[] => {
  const { platform, risks, payment_metadata, payment_reference, approval } = row;
  return [
    ...whoseLines(row, options),
    ['Look twice', risks?.length && <RiskChips risks={risks} />],
    ['Type', orDash(row.transaction_type)],
    ...(status ? [status] : []),
    ['Amount', <Money amount={row.amount} />],
    ['Platform', platform && formatPlatform(platform)],
    ['Net Amount', !platform && row.net_amount != null && <Money amount={row.net_amount} />],
    ['Payment Method', !platform && orDash(row.payment_method)],
    ['Deposit Type', !platform && depositType(payment_metadata)],
    [
      'Approved, 1 of 2',
      approval && (
        <>
          {approval.first_email}, <DateTime at={approval.first_at} tenantId={row.tenant_id} />
        </>
      ),
    ],
    ...whenLines(row),
    ['Description', orDash(row.description)],
    ['Reference', orDash(payment_reference) !== '-' && <CopyableText what="Reference" text={payment_reference} />],
    ['Metadata', !platform && Boolean(payment_metadata) && <Metadata of={payment_metadata} />],
  ];
};

type Props = { transaction: ListedTransaction; decisions: Deciding<ListedTransaction>; onClose: () => void };
/** All fields of a purchase, deposit or return, with the metadata of its processor; a pending one is decided here. */
export function TransactionDetails({ transaction, decisions, onClose }: Props) {
  const options = { isSpanning: useSpanning() !== null, hasView: useFeature('player_view') };
  const { id, user_email, payment_reference, player_id } = transaction;
  return (
    <DetailsDialog
      title={`Transaction ${id}`}
      id={id}
      tenantId={transaction.tenant_id}
      links={{ payment_reference, player_id, email: user_email }}
      onClose={onClose}
      lines={transactionLines(transaction, options, statusLine(transaction, decisions, onClose))}
    />
  );
}

function Metadata({ of }: { of: unknown }) {
  const value = typeof of === 'string' ? (parseJson(of) ?? of) : of;
  if (value == null || value === '' || JSON.stringify(value) === '{}') return <>-</>;
  if (!isObject(value)) return <>{Array.isArray(value) ? JSON.stringify(value) : String(value)}</>;
  return (
    <dl className="metadata">
      {Object.entries(value).map(([name, one]) => (
        <div key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd>{typeof one === 'object' || typeof one === 'boolean' ? <Metadata of={one} /> : orDash(one)}</dd>
        </div>
      ))}
    </dl>
  );
}
