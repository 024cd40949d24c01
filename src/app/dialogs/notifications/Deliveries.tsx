import type { NotificationDelivery } from '../../../contract/entities';
import type { DeliveryState } from '../../../contract/notifications';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import type { Resource } from '../../hooks/useResource';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { channelLabels } from './ruleTexts';

const columns = ['Notification', 'Channel', 'State', 'Last answer', 'Actions'];
const states: Readonly<Record<DeliveryState, string>> = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed' };

/** What went where, newest first. */
export const Deliveries = ({ deliveries }: { deliveries: Resource<NotificationDelivery[]> }) => (
  <>
    <p>
      <Button disabled={deliveries.busy} onClick={() => void deliveries.reload()}>
        Refresh
      </Button>
    </p>
    <DataTable label="Deliveries" heads={columns} of={deliveries} empty="Nothing was sent yet.">
      {(one) => <DeliveryRow key={one.id} delivery={one} reload={deliveries.reload} />}
    </DataTable>
  </>
);

function DeliveryRow({ delivery, reload }: { delivery: NotificationDelivery; reload: () => Promise<unknown> }) {
  const api = useDialogApi();
  const { id, title, channel_kind, target, status, attempts, answer, last_at, next_at } = delivery;
  const resend = useAction(api.resendNotification, {
    done: 'Queued again',
    failed: detailOr('Failed to send it again'),
    onDone: reload,
  });
  return (
    <tr>
      <td>{orDash(title)}</td>
      <td>
        {channelLabels[channel_kind] ?? channel_kind} {target}
      </td>
      <td>
        {states[status] ?? status}{' '}
        <small>
          {attempts} {attempts === 1 ? 'try' : 'tries'}
        </small>
        {next_at && (
          <small>
            , next <DateTime at={next_at} />
          </small>
        )}
      </td>
      <td>
        {orDash(answer)}{' '}
        {last_at && (
          <small>
            <DateTime at={last_at} />
          </small>
        )}
      </td>
      <td className="actions">
        <Button
          disabled={resend.busy}
          aria-label={`Send again: ${title}, ${target}`}
          onClick={() => void resend.run({ id })}
        >
          Send again
        </Button>
      </td>
    </tr>
  );
}
