import { type ReactNode, useState } from 'react';
import { PLATFORM_TENANT_ID } from '../../../contract/constants';
import type { NotificationDelivery } from '../../../contract/entities';
import type { DeliveryState } from '../../../contract/notifications';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { useCloseOnLeave } from '../../hooks/useCloseOnLeave';
import { detailOr } from '../../hooks/useErrorToast';
import type { Resource } from '../../hooks/useResource';
import { useChosenTenant } from '../../parts/useChosenTenant';
import { useRefusal } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { PartTabs } from '../../ui/PartTabs';
import { Waiting } from '../../ui/Waiting';
import { Channels } from './Channels';
import { Rules } from './Rules';
import { channelLabels } from './ruleTexts';

const tabs = ['Rules', 'Channels', 'Deliveries'] as const;

/** The rules of a tenant, or of the platform, and where they are sent. */
export function NotificationSettings({ onClose }: { onClose: () => void }) {
  const { tenantId: owner = 0, picker } = useChosenTenant('Rules of', {
    value: PLATFORM_TENANT_ID,
    label: 'The platform (all tenants)',
  });
  const [open, setOpen] = useState<(typeof tabs)[number]>('Rules');
  useCloseOnLeave(onClose);
  return (
    <Dialog title="Notifications" wide withClose onClose={onClose}>
      {picker}
      <PartTabs label="Parts of the settings" parts={tabs} open={open} onOpen={setOpen} />
      <Parts key={owner} owner={owner} open={open} />
    </Dialog>
  );
}

function Parts({ owner, open }: { owner: number; open: string }) {
  const api = useDialogApi();
  const refusal = useRefusal('settings');
  const query = { tenant_id: owner };
  const channels = useCall(api.listNotificationChannels, query, detailOr('Failed to fetch channels'));
  const settings = useCall(api.getNotificationSettings, query, detailOr('Failed to fetch the settings'));
  const deliveries = useCall(api.listNotificationDeliveries, query, detailOr('Failed to fetch deliveries'));
  const panels: Record<(typeof tabs)[number], ReactNode> = {
    Rules: <Rules owner={owner} channels={channels.data?.filter(({ kind }) => kind !== 'events') ?? []} />,
    // Not before it is known what can be chosen: what a form begins with would count as changed.
    Channels: settings.data ? (
      <Channels {...{ owner, channels }} hasEmail={settings.data.has_email} onTested={deliveries.reload} />
    ) : (
      <Waiting for={settings} />
    ),
    Deliveries: <Deliveries deliveries={deliveries} />,
  };
  return (
    // Without a box of its own: the dialog gives its parts their heights.
    <fieldset disabled={refusal !== null} style={{ display: 'contents' }}>
      {refusal && <p>{refusal}.</p>}
      {tabs.map((tab) => (
        // What is typed, or shown only once, stays while another tab is open.
        <div key={tab} hidden={tab !== open}>
          {panels[tab]}
        </div>
      ))}
    </fieldset>
  );
}

const columns = ['Notification', 'Channel', 'State', 'Last answer', 'Actions'];
const states: Readonly<Record<DeliveryState, string>> = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed' };

const Deliveries = ({ deliveries }: { deliveries: Resource<NotificationDelivery[]> }) => (
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
