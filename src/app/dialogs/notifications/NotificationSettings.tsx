import { useState } from 'react';
import { PLATFORM_TENANT_ID } from '../../../contract/constants';
import { orDash } from '../../api/parse';
import { useCloseOnLeave } from '../../hooks/useCloseOnLeave';
import { detailOr } from '../../hooks/useErrorToast';
import { usePathTenant } from '../../hooks/usePathTenant';
import { useResource } from '../../hooks/useResource';
import { useTenants } from '../../parts/useTenants';
import { useApi, useRefusal, useUser } from '../../state/session';
import { CloseButton, Dialog } from '../../ui/Dialog';
import { Select } from '../../ui/Select';
import { Channels } from './Channels';
import { Deliveries } from './Deliveries';
import { Rules } from './Rules';

/** The rules of a tenant, or of the platform, and where they are sent. */
export function NotificationSettings({ onClose }: { onClose: () => void }) {
  const { role, tenant_id: own } = useUser();
  const isSuper = role.is_super_admin;
  const opened = usePathTenant();
  const [owner, setOwner] = useState(isSuper ? (opened ?? PLATFORM_TENANT_ID) : (own ?? 0));
  useCloseOnLeave(onClose);
  const tenants = useTenants('Failed to fetch tenants', { enabled: isSuper });
  return (
    <Dialog title="Notifications" wide onClose={onClose}>
      {isSuper && (
        <Select
          label="Rules of"
          value={owner}
          aria-busy={tenants.busy}
          onChange={(event) => setOwner(Number(event.target.value))}
          options={[
            { value: PLATFORM_TENANT_ID, label: 'The platform (all tenants)' },
            ...(tenants.data ?? []).map(({ id, name }) => ({ value: id, label: orDash(name) })),
          ]}
        />
      )}
      <Parts key={owner} owner={owner} />
      <footer>
        <CloseButton />
      </footer>
    </Dialog>
  );
}

function Parts({ owner }: { owner: number }) {
  const api = useApi();
  const refusal = useRefusal('settings');
  const query = { tenant_id: owner };
  const channels = useResource(
    (signal) => api.listNotificationChannels(query, { signal }),
    [api, owner],
    detailOr('Failed to fetch channels'),
  );
  const settings = useResource(
    (signal) => api.getNotificationSettings(query, { signal }),
    [api, owner],
    detailOr('Failed to fetch the settings'),
  );
  const deliveries = useResource(
    (signal) => api.listNotificationDeliveries(query, { signal }),
    [api, owner],
    detailOr('Failed to fetch deliveries'),
  );
  return (
    // Without a box of its own: the dialog gives its parts their heights.
    <fieldset disabled={refusal !== null} style={{ display: 'contents' }}>
      {refusal && <p>{refusal}.</p>}
      <Rules owner={owner} channels={channels.data ?? []} />
      <Channels
        owner={owner}
        channels={channels}
        hasEmail={settings.data?.has_email ?? true}
        onTested={deliveries.reload}
      />
      <Deliveries deliveries={deliveries} />
    </fieldset>
  );
}
