import { memo, useState } from 'react';
import type { Redeem } from '../../../contract/entities';
import { useAction, useResource } from '../../hooks';
import { useRemark, type RemarkTaker } from '../../parts/remark';
import { orDash } from '../../read';
import { useApi } from '../../session';
import { useToast } from '../../toasts';
import { EmailLink } from '../../ui/EmailLink';
import { Money } from '../../ui/Money';
import { Rows } from '../../ui/Rows';
import { StatusSelect } from '../../ui/StatusSelect';
import { TableFrame } from '../../ui/TableFrame';
import { When } from '../../ui/When';
import { ManualRedeem } from './ManualRedeem';

/** Cash-outs of one tenant or of all, each to be decided, and the way to enter one by hand (spec 2). */
export function Redeems({ tenantId }: { tenantId?: number | undefined }) {
  const api = useApi();
  const [isCreating, setIsCreating] = useState(false);
  const remark = useRemark();
  const redeems = useResource((signal) => api.listRedeems({ tenant_id: tenantId }, { signal }), [api, tenantId], 'Failed to fetch redeems');

  return (
    <>
      <header className="bar">
        <h2>Redeems</h2>
        <span role="status">{redeems.data && `${redeems.data.length} shown`}</span>
        <button type="button" onClick={() => setIsCreating(true)}>Create Manual Redeem</button>
        {remark.fields}
      </header>
      <TableFrame label="Redeems">
        <table className="pinned long redeems">
          <thead>
            <tr>
              <th>User Email</th><th>Platform</th><th className="number">Amount</th><th>Payout Method</th><th>Payout Address</th><th>Status</th>
              <th>Initiated At</th><th>Completed At</th><th>Actions</th>
            </tr>
          </thead>
          <Rows of={redeems} span={9} empty="No redeems yet.">
            {(redeem) => <RedeemRow key={redeem.id} of={redeem} remark={remark.taker} reload={redeems.reload} />}
          </Rows>
        </table>
      </TableFrame>
      {isCreating && <ManualRedeem tenantId={tenantId} onClose={() => setIsCreating(false)} onSaved={redeems.reload} />}
    </>
  );
}

/** Each row has a change of its own, so that deciding one never locks the others. */
const RedeemRow = memo(function RedeemRow({ of: redeem, remark, reload }: { of: Redeem; remark: RemarkTaker; reload: () => Promise<unknown> }) {
  const api = useApi();
  const toast = useToast();
  const change = useAction(api.changeRedeemStatus, { done: 'Status updated', failed: 'Failed to update status', then: reload });
  const address = redeem.payout_address;

  return (
    <tr>
      <td><EmailLink email={redeem.user_email} /></td>
      <td>{orDash(redeem.platform)}</td>
      <td className="number"><Money amount={redeem.amount} /></td>
      <td>{orDash(redeem.payout_method)}</td>
      <td title={address ?? undefined}>{orDash(address)}</td>
      <td>
        <StatusSelect status={redeem.status} label={`Status of redeem ${redeem.id}`} busy={change.busy}
          onChange={async (status) => {
            const why = remark.take();
            if (await change.run({ id: redeem.id, body: { status, ...why } })) remark.clear(why);
          }} />
      </td>
      <td><When at={redeem.initiated_at} /></td>
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
