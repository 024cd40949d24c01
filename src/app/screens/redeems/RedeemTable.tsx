import { Fragment, memo, useState } from 'react';
import { orDash } from '../../api/parse';
import type { Resource } from '../../hooks/useResource';
import { FirstApproval } from '../../parts/approvals/FirstApproval';
import type { ListedRedeem } from '../../parts/approvals/useApprovals';
import { CopyButton } from '../../parts/CopyButton';
import { RedeemDetails } from '../../parts/details/RedeemDetails';
import { LookUpButton, type OnLookUp, useLookUp } from '../../parts/logins/lookUp';
import type { TakeHow } from '../../parts/queue/claim';
import { ClaimButton, ClaimHolder } from '../../parts/queue/claimCells';
import type { Decision, Decisions } from '../../parts/queue/decision';
import { PayoutChips } from '../../parts/queue/PayoutChips';
import { RowStatus } from '../../parts/queue/RowStatus';
import { WaitingTime } from '../../parts/queue/WaitingTime';
import { hiddenClass } from '../../parts/table/columns';
import { ListHeader } from '../../parts/table/ListHeader';
import { PlayerCell } from '../../parts/table/PlayerCell';
import type { ListTools } from '../../parts/table/useListTools';
import { TenantCell, TenantHeader, useTableClass } from '../../parts/tenantColumn';
import { useFeature, useRefusal } from '../../state/session';
import { columnClass } from '../../ui/columnClass';
import { DateTime } from '../../ui/DateTime';
import { formatPlatform } from '../../ui/formatPlatform';
import { Money } from '../../ui/Money';
import { NewBadge } from '../../ui/NewBadge';
import { Rows } from '../../ui/Rows';
import { TableFrame } from '../../ui/TableFrame';

/** The table of redeems. */
export function RedeemTable({
  redeems,
  decisions,
  newId = null,
  tools,
  empty,
}: {
  redeems: Resource<ListedRedeem[]>;
  decisions: Decisions<ListedRedeem>;
  /** The redeem that was just made. */
  newId?: number | null;
  tools?: ListTools<ListedRedeem> | null;
  /** Of a work queue: shown if there are no rows. */
  empty?: string;
}) {
  const hasDetails = useFeature('details');
  const base = useTableClass('stack queue');
  const [shown, setShown] = useState<ListedRedeem | null>(null);
  const lookUp = useLookUp(decisions.isQueue);
  return (
    <>
      <TableFrame label="Redeems" isLong>
        <table className={hiddenClass(base, tools?.columns.hidden)} onFocus={lookUp.onFocus}>
          <thead>
            <tr>
              <ListHeader tools={tools} by="player" className="email">
                User Email
              </ListHeader>
              <TenantHeader />
              <th className="platform">Platform</th>
              <ListHeader tools={tools} by="amount" className="number amount">
                Amount
              </ListHeader>
              <th className="method">Payout Method</th>
              <th className="address">Payout Address</th>
              <th className="state">Status</th>
              <ListHeader tools={tools} by="initiated_at" className="started">
                Initiated At
              </ListHeader>
              <th className="ended">Completed At</th>
              <th className="actions">Actions</th>
            </tr>
          </thead>
          <Rows of={redeems} span={10} empty={empty ?? 'No redeems yet.'}>
            {(redeem) => (
              <Fragment key={redeem.id}>
                <RedeemRow
                  redeem={redeem}
                  isNew={redeem.id === newId}
                  decision={decisions.planned.get(redeem.id)}
                  decide={decisions.decide}
                  onShow={hasDetails ? setShown : undefined}
                  isSelected={tools?.selection.rows.has(redeem.id) ?? false}
                  onSelect={tools?.selection.toggle}
                  isTimed={empty !== undefined}
                  take={decisions.take}
                  isLookedUp={redeem.id === lookUp.openId}
                  onLookUp={lookUp.onLookUp}
                />
                {lookUp.below(redeem, 10)}
              </Fragment>
            )}
          </Rows>
        </table>
      </TableFrame>
      {shown && <RedeemDetails redeem={shown} decisions={decisions} onClose={() => setShown(null)} />}
    </>
  );
}

const RedeemRow = memo(function RedeemRow({
  redeem,
  isNew,
  decision,
  decide,
  onShow,
  isSelected,
  onSelect,
  isTimed,
  take,
  isLookedUp,
  onLookUp,
}: {
  redeem: ListedRedeem;
  isNew: boolean;
  decision: Decision<ListedRedeem> | undefined;
  decide: Decisions<ListedRedeem>['decide'];
  onShow: ((redeem: ListedRedeem) => void) | undefined;
  isSelected: boolean;
  onSelect: ListTools<ListedRedeem>['selection']['toggle'] | undefined;
  isTimed: boolean;
  take: Decisions<ListedRedeem>['take'];
  isLookedUp: boolean;
  onLookUp: OnLookUp;
}) {
  const refusal = useRefusal('payouts');
  const { payout_method: method, payout_address: address } = redeem;
  const platform = isTimed ? formatPlatform(redeem.platform) : orDash(redeem.platform),
    short = address?.replace(/^([^@]{5})[^@]{3,}?([^@]{3}@.+|[^@]{5})$/, '$1…$2');
  const onTake = take && ((how: TakeHow) => take(redeem, how)),
    isMarked = isSelected || decision;

  return (
    <tr className={isMarked ? 'picked' : undefined} {...(isTimed && { 'data-id': redeem.id, tabIndex: -1 })}>
      <td className="email">
        <PlayerCell row={redeem} isSelected={isSelected} onSelect={onSelect} />
        {isNew && <NewBadge />}
        <PayoutChips redeem={redeem} />
        {redeem.approval && <FirstApproval approval={redeem.approval} />}
        <ClaimHolder row={redeem} onTake={onTake} />
      </td>
      <TenantCell id={redeem.tenant_id} tab="redeems" about={short ? `${platform}\n${short}` : platform} />
      <td className="platform" data-payout={address ? `${orDash(method)}, ${address}` : undefined} data-short={short}>
        {platform}
      </td>
      <td className="number amount" data-method={orDash(method)}>
        <Money amount={redeem.amount} />
      </td>
      <td className={columnClass('method', orDash(method))}>{orDash(method)}</td>
      <td
        className={columnClass('address', orDash(address))}
        title={address ?? undefined}
        data-short={isTimed ? short : undefined}
      >
        {orDash(address)}
      </td>
      <td className="state">
        <RowStatus row={redeem} decision={decision} decide={decide} />
      </td>
      <td className="started">
        <DateTime at={redeem.initiated_at} tenantId={redeem.tenant_id} isInRow={isTimed} />
        {isTimed && !decision && <WaitingTime status={redeem.status} at={redeem.initiated_at} row={redeem} />}
      </td>
      <td className={redeem.completed_at ? 'ended' : 'ended none'}>
        <DateTime at={redeem.completed_at} tenantId={redeem.tenant_id} isInRow={isTimed} />
      </td>
      <td className="actions">
        {!refusal && !decision && <ClaimButton row={redeem} onTake={onTake} />}
        <LookUpButton row={redeem} isOpen={isLookedUp} onLookUp={onLookUp} />
        <CopyButton what="Payout address" text={address} />
        {onShow && (
          <button type="button" aria-keyshortcuts="d" onClick={() => onShow(redeem)}>
            Details
          </button>
        )}
      </td>
    </tr>
  );
});
