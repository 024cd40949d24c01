import { useState } from 'react';
import { DATE_MAX } from '../../../contract/constants';
import type { ApiKey } from '../../../contract/entities';
import { KEY_NAME_MAX, type Scope, scopes } from '../../../contract/integrations';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { useForm } from '../../hooks/useForm';
import { OwnPassword } from '../../parts/OwnPassword';
import { SaveOnce } from '../../parts/SaveOnce';
import { useChosenTenant } from '../../parts/useChosenTenant';
import { useFeature } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { CheckBox } from '../../ui/CheckBox';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { Field } from '../../ui/Field';
import { focusOnMount } from '../../ui/focusOnMount';

const labels: Record<Scope, string> = {
  'players:write': 'Create and update players',
  'players:read': 'List players and their GGR',
  'transactions:write': 'Create top-ups, deposits, returns and redeems',
  'transactions:settle': 'Set transactions to success or failed',
  'events:read': 'Read what happened',
  work: 'Do deposits and returns at game platforms',
};
const DAY_MS = 86_400_000;
const columns = ['Name', 'Key', 'Permissions', 'Created', 'Last Used', 'State', 'Actions'];

/** What most systems need. Deciding is for those that pay out. */
const usual: readonly Scope[] = ['players:write', 'transactions:write'];

/** The API keys of a tenant's own systems. A super admin chooses the tenant first. */
export function ApiKeys({ onClose }: { onClose: () => void }) {
  const first = { value: '', label: 'Choose a tenant', whileLoading: 'Loading…' } as const;
  const { tenantId, picker } = useChosenTenant('Tenant', first);
  const [made, setMade] = useState<NewKey | null>(null);
  if (made) {
    return (
      <Dialog title="API keys" wide onClose={onClose}>
        <ShownKey made={made} onSaved={() => setMade(null)} />
      </Dialog>
    );
  }
  return (
    <Dialog title="API keys" wide withClose onClose={onClose}>
      {picker}
      {tenantId === undefined ? (
        <p>Choose a tenant to see its keys, and to make one.</p>
      ) : (
        <TenantKeys key={tenantId} tenantId={tenantId} onMade={setMade} />
      )}
    </Dialog>
  );
}

interface NewKey {
  name: string;
  key: string;
}

const ShownKey = ({ made: { name, key }, onSaved }: { made: NewKey; onSaved: () => void }) => (
  <section aria-label="New API key">
    <p>Shown only once. Store it where your system keeps its secrets.</p>
    <label>
      Key of {name}
      <textarea readOnly rows={3} ref={focusOnMount} value={key} onFocus={({ target }) => target.select()} />
    </label>
    <SaveOnce what={`Key of ${name}`} text={key} file="api-key.txt" submit="I have saved it" onSaved={onSaved} />
  </section>
);

function TenantKeys({ tenantId, onMade }: { tenantId: number; onMade: (made: NewKey) => void }) {
  const api = useDialogApi();
  const keys = useCall(api.listApiKeys, { tenant_id: tenantId }, 'Failed to fetch API keys');
  const form = useForm({
    initial: { name: '', expires: '', password: '', code: '', may: usual },
    async send({ name, expires, password, code, may }, options) {
      const body = {
        name,
        scopes: [...may],
        tenant_id: tenantId,
        password,
        ...(expires && { expires_on: expires }),
        ...(code && { code }),
      };
      onMade(await api.createApiKey({ body }, options));
    },
    done: 'API key created',
    failed: detailOr('Failed to create the API key'),
    reload: keys.reload,
  });
  const { may, name, password } = form.values;
  const hasEvents = useFeature('events');
  const offered = scopes.filter((scope) => hasEvents || !['events:read', 'work'].includes(scope));

  return (
    <>
      <DataTable label="API keys" heads={columns} of={keys} empty="No API keys yet.">
        {(one) => <KeyRow key={one.id} apiKey={one} reload={keys.reload} />}
      </DataTable>
      <h3>New key</h3>
      <form onSubmit={form.onSubmit}>
        <div className="grid">
          <Field label="Name" required maxLength={KEY_NAME_MAX} autoComplete="off" {...form.field('name')} />
          <Field
            label="Expires"
            type="date"
            hint="One year from today, if left blank"
            max={DATE_MAX}
            {...form.field('expires')}
          />
        </div>
        <fieldset className="grid">
          <legend>Permissions</legend>
          {offered.map((scope) => (
            <CheckBox
              key={scope}
              label={labels[scope]}
              checked={may.includes(scope)}
              onChange={(isOn) => form.set({ may: scopes.filter((one) => (one === scope ? isOn : may.includes(one))) })}
            />
          ))}
        </fieldset>
        <div className="grid">
          <OwnPassword {...form.field('password')} code={form.field('code')} />
        </div>
        <p>
          <button disabled={form.busy || !name.trim() || !password || may.length === 0}>Create API key</button>
        </p>
      </form>
    </>
  );
}

function KeyRow({ apiKey, reload }: { apiKey: ApiKey; reload: () => Promise<unknown> }) {
  const api = useDialogApi();
  const revoke = useAction(api.revokeApiKey, {
    done: 'API key revoked',
    failed: 'Failed to revoke the API key',
    onDone: reload,
  });
  const daysLeft = apiKey.expires_at ? (new Date(apiKey.expires_at).getTime() - Date.now()) / DAY_MS : Infinity;
  return (
    <tr>
      <td className="head">{orDash(apiKey.name)}</td>
      <td>
        <code>{apiKey.prefix}…</code>
      </td>
      <td className="broad">
        {apiKey.scopes.map((scope) => (
          <div key={scope} title={scope}>
            {labels[scope] ?? scope}
          </div>
        ))}
      </td>
      <td data-label="Created">
        <DateTime at={apiKey.created_at} dateOnly />{' '}
        <small>
          {orDash(apiKey.created_by)}
          {apiKey.created_by_active === false && ' (disabled)'}
        </small>
      </td>
      <td data-label="Last used">
        <DateTime at={apiKey.last_used_at} />
      </td>
      <td>
        {apiKey.revoked_at ? (
          <>
            Revoked <DateTime at={apiKey.revoked_at} dateOnly />
          </>
        ) : apiKey.expires_at ? (
          <>
            {daysLeft <= 0 ? 'Expired' : 'Until'} <DateTime at={apiKey.expires_at} dateOnly />
            {daysLeft > 0 && daysLeft < 30 && <span className="badge">Ends soon</span>}
          </>
        ) : (
          'Active'
        )}
      </td>
      <td className="actions">
        {apiKey.revoked_at === null && (
          <button
            type="button"
            className="danger"
            disabled={revoke.busy}
            onClick={() => {
              if (confirm(`Revoke the API key ${apiKey.name}? Systems that use it lose access immediately.`))
                void revoke.run({ id: apiKey.id });
            }}
          >
            Revoke
          </button>
        )}
      </td>
    </tr>
  );
}
