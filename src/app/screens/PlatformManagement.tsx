import { useState } from 'react';
import type { AvailablePlatform, LinkTemplate, MyPlatform } from '../../contract/entities';
import { isApiPlatform } from '../../contract/rules';
import { orDash } from '../api/parse';
import { useAction } from '../hooks/useAction';
import { useCall } from '../hooks/useCall';
import { detailOr } from '../hooks/useErrorToast';
import type { Saving } from '../hooks/useForm';
import type { Resource } from '../hooks/useResource';
import { CredentialsDialog } from '../parts/CredentialsDialog';
import { DialogButton } from '../parts/DialogButton';
import { EditLinks } from '../parts/links/EditLinks';
import { TemplateLinks, useLinkTemplates } from '../parts/links/TemplateLinks';
import { PanelAddress } from '../parts/logins/PanelAddress';
import { useAskedAction } from '../parts/useAskedAction';
import { useApi, useFeature, useRefusal, useUser } from '../state/session';
import { DataTable } from '../ui/DataTable';
import { Dialog } from '../ui/Dialog';
import { lazyWithRetry } from '../ui/lazyWithRetry';

const EligibilityRules = lazyWithRetry(() =>
  import('../parts/eligibility/EligibilityRules').then((file) => file.EligibilityRules),
);

const columns = ['Platform', 'Description', 'Status', 'Credentials', 'Actions'];
const NEEDS_CREDENTIALS = 'Please add credentials first before activating the platform';
const getPlatformName = (platform: AvailablePlatform): string => platform.display_name || orDash(platform.name);

/** A tenant's own platforms: credentials and activation (docs/product.md, "Platforms"). */
export function PlatformManagement({ tenantId }: { tenantId?: number | undefined }) {
  const isSuper = useUser().role.is_super_admin;
  const mayNameTenant = useFeature('platforms_tenant') && tenantId !== undefined;
  const isElsewhere = isSuper && !mayNameTenant;
  const mayLink = useRefusal('settings') === null;
  const templates = useLinkTemplates(isElsewhere ? undefined : tenantId);
  const mayRule = useFeature('eligibility') && mayLink && !isElsewhere && tenantId !== undefined;
  // Their button would push another one aside.
  const areLinksUnknown = templates.busy && !templates.data && !templates.failed;

  return (
    <>
      <header className="bar">
        <h2>Platform Management</h2>
        {mayRule && !areLinksUnknown && (
          <DialogButton dialog={(onClose) => <EligibilityRules {...{ tenantId, onClose }} />}>
            Who may play
          </DialogButton>
        )}
        {mayLink && templates.data && tenantId !== undefined && (
          <DialogButton
            dialog={(onClose) => (
              <EditLinks {...{ tenantId, onClose }} templates={templates.data ?? []} onSaved={templates.reload} />
            )}
          >
            Links
          </DialogButton>
        )}
      </header>
      <p>Manage your platform credentials and activation status</p>
      {isElsewhere ? (
        <p>The platforms of a tenant are managed by the tenant's own admin.</p>
      ) : (
        <PlatformTable query={isSuper ? { tenant_id: tenantId } : {}} templates={templates} />
      )}
    </>
  );
}

interface TenantQuery {
  tenant_id?: number | undefined;
}
interface Shown {
  platform: AvailablePlatform;
  mine: MyPlatform | undefined;
}

function PlatformTable({ query, templates }: { query: TenantQuery; templates: Resource<LinkTemplate[]> }) {
  const api = useApi();
  const refusal = useRefusal('settings');
  const [editing, setEditing] = useState<Shown | null>(null);
  const available = useCall(api.listAvailablePlatforms, query, 'Failed to fetch available platforms');
  const mine = useCall(api.listMyPlatforms, query, 'Failed to fetch your platforms');

  // What is allowed depends on the tenant's own records, and links widen a column: no row is shown before all are here.
  const awaitsLinks = templates.busy && !templates.data;
  const rows = {
    busy: available.busy || mine.busy || awaitsLinks,
    failed: available.failed || mine.failed,
    offline: available.offline || mine.offline,
    slow: available.slow || mine.slow,
    data:
      !mine.data || awaitsLinks
        ? undefined
        : available.data?.map((platform) => ({
            platform,
            mine: mine.data?.find(({ id }) => String(id) === String(platform.id)),
          })),
    reload: async () => {
      await Promise.all([available.reload(), mine.reload()]);
    },
  };

  return (
    <>
      {refusal && <p>{refusal}.</p>}
      <DataTable label="Platforms" heads={columns} of={rows} empty="No platforms yet.">
        {(row) => (
          <PlatformRow
            key={row.platform.id}
            {...row}
            query={query}
            templates={templates.data}
            reload={mine.reload}
            onEdit={() => setEditing(row)}
          />
        )}
      </DataTable>
      {editing && <EditCredentials {...editing} query={query} onClose={() => setEditing(null)} onSaved={mine.reload} />}
    </>
  );
}

interface RowProps extends Shown {
  query: TenantQuery;
  templates: readonly LinkTemplate[] | undefined;
  reload: () => Promise<unknown>;
  onEdit: () => void;
}

function PlatformRow({ platform, mine, query, templates, reload, onEdit }: RowProps) {
  const api = useApi();
  const refusal = useRefusal('settings');
  const hasPanels = useFeature('player_logins');
  const isApi = isApiPlatform(mine?.platform_type ?? platform.platform_type);
  const isActive = Boolean(mine?.is_activated),
    isConfigured = Boolean(mine?.is_configured);
  const words = {
    failed: (error: unknown) =>
      detailOr('')(error) === NEEDS_CREDENTIALS ? NEEDS_CREDENTIALS : 'Failed to toggle platform status',
    onDone: reload,
  };
  const activate = useAction(api.activateMyPlatform, { ...words, done: 'Platform activated successfully' });
  const deactivate = useAskedAction(api.deactivateMyPlatform, {
    ...words,
    done: 'Platform deactivated successfully',
    question: `Switch off ${getPlatformName(platform)}?`,
    about: 'Players can no longer use it until it is switched on again.',
    submit: 'Switch off',
    isDangerous: true,
    isExtra: true,
  });
  const add = useAction(api.activateMyPlatform, { ...words, done: 'Platform added successfully' });
  const isBusy = activate.busy || deactivate.busy || add.busy;
  const call = { id: platform.id, ...query };

  return (
    <tr>
      <td className="head">
        {getPlatformName(platform)}{' '}
        <TemplateLinks templates={templates} kind="platform" values={{ platform: platform.name }} />
      </td>
      <td className={platform.description ? '' : 'none'}>{orDash(platform.description)}</td>
      <td>
        <span className={`status ${isActive ? 'success' : ''}`}>{isActive ? 'Active' : 'Inactive'}</span>
      </td>
      <td data-label="Credentials">{isApi ? 'Not needed' : isConfigured ? 'Configured' : 'Not configured'}</td>
      <td className="actions">
        {!refusal && (isApi || isConfigured || isActive) && (
          <label className="switch">
            <input
              type="checkbox"
              role="switch"
              aria-label={`${getPlatformName(platform)} is active`}
              checked={isActive}
              disabled={isBusy || !(isApi || isConfigured)}
              aria-busy={isBusy}
              onChange={() => void (isActive ? deactivate.ask(call) : activate.run(call))}
            />
          </label>
        )}
        {isApi && (
          <DialogButton
            className=""
            dialog={(onClose) => (
              <Dialog withClose title={getPlatformName(platform)} onClose={onClose}>
                <p>The credentials of this API platform are managed by the system. Only the toggle is used.</p>
              </Dialog>
            )}
          >
            Info
          </DialogButton>
        )}
        {!refusal && !isApi && (isConfigured || isActive) && (
          <button type="button" onClick={onEdit}>
            Edit
          </button>
        )}
        {!refusal && !isConfigured && !isActive && !(isApi && mine) && (
          <button type="button" disabled={isBusy} onClick={() => (isApi ? void add.run(call) : onEdit())}>
            Add
          </button>
        )}
        {hasPanels && mine && (
          <PanelAddress platform={mine} name={getPlatformName(platform)} query={query} reload={reload} />
        )}
        {deactivate.dialog}
      </td>
    </tr>
  );
}

function EditCredentials({ platform, mine, query, onClose, onSaved }: Shown & Saving & { query: TenantQuery }) {
  const api = useApi();
  const { features } = useUser();
  const isNew = !(mine?.is_configured || mine?.is_activated);
  return (
    <CredentialsDialog
      title={isNew ? 'Add Platform Credentials' : 'Edit Platform Credentials'}
      about={getPlatformName(platform)}
      hint={isNew || !features ? undefined : 'Saving replaces the stored login.'}
      onClose={onClose}
      send={(body, options) => api.saveMyPlatformCredentials({ id: platform.id, ...query, body }, options)}
      done={isNew ? 'Platform added successfully' : 'Credentials updated successfully'}
      failed="Failed to save credentials"
      reload={onSaved}
    />
  );
}
