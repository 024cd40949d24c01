import { balanceKinds } from '../../../contract/constants';
import type { Approval } from '../../../contract/entities';
import { toAmount } from '../../api/amount';
import type { SendOptions } from '../../api/client';
import type { AppApi } from '../../api/createApi';
import { orDash } from '../../api/parse';
import { useResource } from '../../hooks/useResource';
import { useApi, useFeature } from '../../state/session';
import { Button } from '../../ui/Button';
import { balanceLabels } from '../../ui/balanceLabels';
import { DateTime } from '../../ui/DateTime';
import { EmailLink } from '../../ui/EmailLink';
import { FormDialog } from '../../ui/FormDialog';
import { usd } from '../../ui/Money';
import { Waiting } from '../../ui/Waiting';
import { type Line, Lines } from '../details/Lines';
import { redeemLines } from '../details/RedeemDetails';
import { transactionLines } from '../details/TransactionDetails';
import { formatReason } from '../formatReason';
import { TenantLink } from '../tenantColumn';
import { useSpanning } from '../tenantScope';
import { describeChange, describeLimit, nameOf } from './words';

async function loadFacts(api: AppApi, { tenant_id, player_id, ...approval }: Approval, options: SendOptions) {
  const id = approval.redeem_id ?? approval.return_id;
  // By its number: the list of what is pending knows the risks.
  const query = { tenant_id, text: String(id), page: 1, limit: 100 };
  switch (approval.kind) {
    case 'redeem':
      return { redeem: findRow(await api.listRedeems(query, options), id) };
    case 'return':
      return { back: findRow(await api.listReturns(query, options), id) };
    case 'balances':
      return player_id ? { file: await api.getPlayer({ id: player_id }, options) } : {};
    case 'account':
      return { isOfAccount: true };
    default:
      return { limits: await api.getApprovalLimits({ tenant_id }, options) };
  }
}
function findRow<Row extends { id: number }>(rows: readonly Row[], id: unknown): Row {
  const found = rows.find((row) => row.id === id);
  if (!found) throw new Error(`Nothing with the number ${id} waits`);
  return found;
}
type Facts = Awaited<ReturnType<typeof loadFacts>>;

function editLines(
  approval: Approval,
  { player, held_balance }: NonNullable<Facts['file']>,
  { isSpanning }: { isSpanning: boolean },
): Line[] {
  return [
    ['Tenant', isSpanning && <TenantLink id={approval.tenant_id} />],
    ['User Email', <EmailLink email={player.email} playerId={player.id} />],
    ['Name', [player.first_name, player.last_name].filter(Boolean).join(' ')],
    ...balanceKinds.map((kind): Line => {
      const [before, added] = [toAmount(player[`${kind}_balance`]) ?? 0, approval[kind]];
      return [
        balanceLabels[kind],
        added !== null && `${usd(before)} → ${usd(Math.round((before + added) * 100) / 100)}`,
      ];
    }),
    ['Held', usd(held_balance)],
    ['Reason', formatReason(approval)],
  ];
}

const entryLines = (approval: Approval): Line[] => [
  ['Change', describeChange(approval)],
  ['Reason', orDash(approval.reason)],
];

/** Who was first, and everything about what the second person would make happen, or refuse. */
function useFacts(approval: Approval) {
  const api = useApi();
  const options = { isSpanning: useSpanning() !== null, hasView: useFeature('player_view') };
  const facts = useResource(
    (signal) => loadFacts(api, approval, { signal }),
    [api, approval.id],
    'Failed to fetch what would be approved',
  );
  const { redeem, back, file, limits, isOfAccount }: Facts = facts.data ?? {};
  const { payouts_from, edits_from } = approval;
  const lines: Line[] = [
    ['What', nameOf(approval)],
    [
      'First person',
      <>
        {approval.first_email}, <DateTime at={approval.first_at} tenantId={approval.tenant_id} />
      </>,
    ],
    ...(redeem ? redeemLines(redeem, options) : []),
    ['Account', redeem && approval.account_name],
    ...(back ? transactionLines(back, options) : []),
    ...(isOfAccount ? entryLines(approval) : []),
    ...(file ? editLines(approval, file, options) : []),
    ['Payouts', limits && `${describeLimit(limits.payouts_from)} → ${describeLimit(payouts_from)}`],
    ['Edits', limits && `${describeLimit(limits.edits_from)} → ${describeLimit(edits_from)}`],
  ];
  return {
    isKnown: facts.data !== undefined,
    shown: (
      <>
        <table className="facts">
          <tbody>
            <Lines lines={lines} />
          </tbody>
        </table>
        {!facts.data && <Waiting for={facts} failure="It could not be loaded." />}
      </>
    ),
  };
}
export const ApprovalFacts = ({ approval }: { approval: Approval }) => useFacts(approval).shown;

type Props = { approval: Approval; busy: boolean; onApprove: () => void; onRefuse: () => void; onClose: () => void };
/** The question for the second person, who sees everything before it can be approved. */
export function ApproveDialog({ approval, busy, onApprove, onRefuse, onClose }: Props) {
  const { isKnown, shown } = useFacts(approval);
  return (
    <FormDialog
      title="Approve this?"
      submit="Approve"
      busy={busy}
      disabled={!isKnown}
      other={
        <Button className="secondary danger" disabled={busy} onClick={onRefuse}>
          Refuse
        </Button>
      }
      onSubmit={onApprove}
      onClose={onClose}
    >
      {shown}
    </FormDialog>
  );
}
