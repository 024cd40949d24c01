import { memo, type ComponentType } from 'react';
import type { Risk, Status } from '../../../contract/constants';
import type { Redeem } from '../../../contract/entities';
import { useAction, type Resource } from '../../hooks';
import type { RemarkTaker } from '../../parts/remark';
import type { QueueRows } from '../../parts/TransactionList';
import { orDash } from '../../read';
import { useApi } from '../../session';
import { useToast } from '../../toasts';
import { EmailLink } from '../../ui/EmailLink';
import { Money } from '../../ui/Money';
import { Rows } from '../../ui/Rows';
import { StatusSelect } from '../../ui/StatusSelect';
import { TableFrame } from '../../ui/TableFrame';
import { When } from '../../ui/When';

/** What makes a redeem worth a second look stands below its e-mail. */
export interface RedeemQueueRows extends QueueRows { Risks: ComponentType<{ of: readonly Risk[] | undefined }> }

/** The specified columns. */
export function RedeemTable({ of, remark, reload, queue }: { of: Resource<Redeem[]>; remark: RemarkTaker; reload: () => Promise<unknown>; queue?: RedeemQueueRows }) {
  return (
    <TableFrame label="Redeems">
      <table className="long redeems">
        <thead>
          <tr>
            <th>User Email</th><th>Platform</th><th className="number">Amount</th><th>Payout Method</th><th>Payout Address</th><th>Status</th>
            <th>Initiated At</th><th>Completed At</th><th>Actions</th>
          </tr>
        </thead>
        <Rows of={of} span={9} empty={queue?.empty ?? 'No redeems yet.'}>
          {(redeem) => <RedeemRow key={redeem.id} of={redeem} remark={remark} reload={reload} planned={queue?.planned.get(redeem.id)} Age={queue?.Age} Risks={queue?.Risks} />}
        </Rows>
      </table>
    </TableFrame>
  );
}

/** Each row has a change of its own, so that deciding one never locks the others. */
const RedeemRow = memo(function RedeemRow({ of: redeem, remark, reload, planned, Age, Risks }: {
  of: Redeem; remark: RemarkTaker; reload: () => Promise<unknown>; planned: Status | undefined; Age: QueueRows['Age'] | undefined; Risks: RedeemQueueRows['Risks'] | undefined;
}) {
  const api = useApi();
  const toast = useToast();
  const change = useAction(api.changeRedeemStatus, { done: 'Status updated', failed: 'Failed to update status', then: reload });
  const address = redeem.payout_address;

  return (
    <tr {...(Age && { 'data-id': redeem.id, tabIndex: -1 })}>
      <td><EmailLink email={redeem.user_email} />{Risks && <Risks of={redeem.risks} />}{redeem.payout_hold && <small className="badge" title={redeem.payout_hold}>Payouts on hold</small>}</td>
      <td>{orDash(redeem.platform)}</td>
      <td className="number"><Money amount={redeem.amount} /></td>
      <td>{orDash(redeem.payout_method)}</td>
      <td title={address ?? undefined}>{orDash(address)}</td>
      <td>
        <StatusSelect status={planned ?? redeem.status} label={`Status of redeem ${redeem.id}`} busy={change.busy}
          onChange={async (status) => {
            const why = remark.take();
            if (await change.run({ id: redeem.id, body: { status, ...why } })) remark.clear(why);
          }} />
      </td>
      <td><When at={redeem.initiated_at} />{Age && <Age status={redeem.status} at={redeem.initiated_at} />}</td>
      <td><When at={redeem.completed_at} /></td>
      <td className="actions">
        <button type="button" disabled={!address} onClick={() => address && copy(address).then(
          () => toast.success('Payout address copied'), () => toast.error('The payout address could not be copied'))}>Copy Address</button>
      </td>
    </tr>
  );
});

/** Browsers hand out the clipboard over TLS and on localhost only. */
const copy = async (text: string): Promise<void> => navigator.clipboard.writeText(text);
