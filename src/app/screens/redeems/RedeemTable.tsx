import { type ComponentType, memo } from 'react';
import type { Risk, Status } from '../../../contract/constants';
import type { Redeem } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import type { Resource } from '../../hooks/useResource';
import type { ChangeReasonInput } from '../../parts/changeReason';
import type { QueueRows } from '../../parts/TransactionList';
import { useApi } from '../../state/session';
import { useToast } from '../../state/toasts';
import { DateTime } from '../../ui/DateTime';
import { EmailLink } from '../../ui/EmailLink';
import { Money } from '../../ui/Money';
import { Rows } from '../../ui/Rows';
import { StatusSelect } from '../../ui/StatusSelect';
import { TableFrame } from '../../ui/TableFrame';

/** The risks are shown below the e-mail. */
export interface RedeemQueueRows extends QueueRows {
  Risks: ComponentType<{ risks: readonly Risk[] | undefined }>;
}

/** The table of redeems. */
export function RedeemTable({
  redeems,
  changeReason,
  reload,
  queue,
}: {
  redeems: Resource<Redeem[]>;
  changeReason: ChangeReasonInput;
  reload: () => Promise<unknown>;
  queue?: RedeemQueueRows;
}) {
  return (
    <TableFrame label="Redeems">
      <table className="long redeems">
        <thead>
          <tr>
            <th>User Email</th>
            <th>Platform</th>
            <th className="number">Amount</th>
            <th>Payout Method</th>
            <th>Payout Address</th>
            <th>Status</th>
            <th>Initiated At</th>
            <th>Completed At</th>
            <th>Actions</th>
          </tr>
        </thead>
        <Rows of={redeems} span={9} empty={queue?.empty ?? 'No redeems yet.'}>
          {(redeem) => (
            <RedeemRow
              key={redeem.id}
              redeem={redeem}
              changeReason={changeReason}
              reload={reload}
              planned={queue?.planned.get(redeem.id)}
              WaitingTime={queue?.WaitingTime}
              Risks={queue?.Risks}
            />
          )}
        </Rows>
      </table>
    </TableFrame>
  );
}

/** Each row has its own action, so that saving one does not lock the others. */
const RedeemRow = memo(function RedeemRow({
  redeem,
  changeReason,
  reload,
  planned,
  WaitingTime,
  Risks,
}: {
  redeem: Redeem;
  changeReason: ChangeReasonInput;
  reload: () => Promise<unknown>;
  planned: Status | undefined;
  WaitingTime: QueueRows['WaitingTime'] | undefined;
  Risks: RedeemQueueRows['Risks'] | undefined;
}) {
  const api = useApi();
  const toast = useToast();
  const change = useAction(api.changeRedeemStatus, {
    done: 'Status updated',
    failed: 'Failed to update status',
    onDone: reload,
  });
  const address = redeem.payout_address;

  return (
    <tr {...(WaitingTime && { 'data-id': redeem.id, tabIndex: -1 })}>
      <td>
        <EmailLink email={redeem.user_email} />
        {Risks && <Risks risks={redeem.risks} />}
        {redeem.payout_hold && (
          <small className="badge" title={redeem.payout_hold}>
            Payouts on hold
          </small>
        )}
      </td>
      <td>{orDash(redeem.platform)}</td>
      <td className="number">
        <Money amount={redeem.amount} />
      </td>
      <td>{orDash(redeem.payout_method)}</td>
      <td title={address ?? undefined}>{orDash(address)}</td>
      <td>
        <StatusSelect
          status={planned ?? redeem.status}
          label={`Status of redeem ${redeem.id}`}
          busy={change.busy}
          onChange={async (status) => {
            const why = changeReason.take();
            if (await change.run({ id: redeem.id, body: { status, ...why } })) changeReason.clear(why);
          }}
        />
      </td>
      <td>
        <DateTime at={redeem.initiated_at} />
        {WaitingTime && <WaitingTime status={redeem.status} at={redeem.initiated_at} />}
      </td>
      <td>
        <DateTime at={redeem.completed_at} />
      </td>
      <td className="actions">
        <button
          type="button"
          disabled={!address}
          onClick={() =>
            address &&
            copy(address).then(
              () => toast.success('Payout address copied'),
              () => toast.error('The payout address could not be copied'),
            )
          }
        >
          Copy Address
        </button>
      </td>
    </tr>
  );
});

/** Throws where there is no clipboard: browsers offer it over TLS and on localhost only. */
const copy = async (text: string): Promise<void> => navigator.clipboard.writeText(text);
