import { type ReactNode, useState } from 'react';
import { PLATFORM_TENANT_ID } from '../../../contract/constants';
import { useCall } from '../../hooks/useCall';
import { useCloseOnLeave } from '../../hooks/useCloseOnLeave';
import { detailOr } from '../../hooks/useErrorToast';
import { useChosenTenant } from '../../parts/useChosenTenant';
import { useRefusal } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Dialog } from '../../ui/Dialog';
import { Channels } from './Channels';
import { Deliveries } from './Deliveries';
import { Rules } from './Rules';

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
      <nav aria-label="Parts of the settings">
        <ul className="parts">
          {tabs.map((tab) => (
            <li key={tab}>
              <button type="button" aria-pressed={tab === open} onClick={() => setOpen(tab)}>
                {tab}
              </button>
            </li>
          ))}
        </ul>
      </nav>
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
    Channels: (
      <Channels
        owner={owner}
        channels={channels}
        hasEmail={settings.data?.has_email ?? true}
        onTested={deliveries.reload}
      />
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
