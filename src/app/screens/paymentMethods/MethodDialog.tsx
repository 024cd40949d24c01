import { useState } from 'react';
import { PAYMENT_ERROR_MS } from '../../../contract/constants';
import type { PaymentMethod, Tenant, WebhookDelivery } from '../../../contract/entities';
import { paymentPlatformNames, paymentPlatforms } from '../../../contract/platforms';
import { apiBase } from '../../api/basePath';
import { orDash } from '../../api/parse';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { useForm } from '../../hooks/useForm';
import { CopyField } from '../../parts/CopyField';
import { OwnPassword } from '../../parts/OwnPassword';
import { SecretField } from '../../parts/SecretField';
import { useTenants } from '../../parts/useTenants';
import { useApi, useFeature } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { findPaymentPlatform, formatFieldName } from './labels';

type Props = { method: PaymentMethod | null; tenantId?: string; onClose: () => void; onSaved: () => Promise<unknown> };
/** Tenant and platform are locked when editing. Fields go by platform (docs/product.md, "Payment methods"). */
export function MethodDialog({ method, tenantId, onClose, onSaved }: Props) {
  const api = useApi();
  const hasWebhooks = useFeature('webhooks');
  const fieldsOf = (platform: string): readonly string[] => {
    const known = findPaymentPlatform(platform);
    return known ? paymentPlatforms[known].fields : Object.keys(method?.credentials ?? {});
  };
  const form = useForm({
    initial: {
      tenant: String(method?.tenant_id ?? tenantId ?? ''),
      platform: method?.payment_platform ?? '',
      webhook: method?.webhook_url ?? '',
      credentials: method?.credentials ?? ({} as Record<string, string>),
    },
    draft: `payment method ${method?.id ?? ''}`,
    secrets: ['credentials'],
    check: ({ tenant, platform }) => (tenant && platform ? true : 'Please select tenant and platform'),
    async send({ tenant, platform, webhook, credentials }, options) {
      const body = Object.fromEntries(fieldsOf(platform).map((name) => [name, credentials[name] ?? '']));
      const webhook_url = webhook.trim(),
        known = findPaymentPlatform(platform);
      const at = { tenant_id: tenant, body };
      if (method) await api.updatePaymentMethod({ ...at, platform, webhook_url }, options);
      else if (known)
        await api.createPaymentMethod({ ...at, payment_platform: known, ...(webhook_url && { webhook_url }) }, options);
    },
    done: `Payment method ${method ? 'updated' : 'created'} successfully`,
    failed: 'Error saving payment method',
    errorMs: PAYMENT_ERROR_MS,
    shownAt: ['webhook_url', ...paymentPlatformNames.flatMap(fieldsOf), ...fieldsOf('')],
    reload: onSaved,
    onDone: onClose,
  });
  const { tenant, platform, credentials } = form.values;
  const fixed = { required: true, disabled: method !== null };
  const tenants = useTenants(null, { enabled: method === null });
  const credential = (name: string) => ({
    label: formatFieldName(name),
    error: form.errorAt(name),
    name,
    value: credentials[name] ?? '',
    onChange: ({ target }: { target: { value: string } }) =>
      form.set({ credentials: { ...credentials, [name]: target.value } }),
  });

  return (
    <FormDialog
      title={method ? 'Edit Payment Method' : 'Add New Payment Method'}
      submit={method ? 'Update' : 'Create'}
      noValidate
      {...form.dialog}
      onClose={onClose}
    >
      <Select
        label="Tenant"
        {...fixed}
        {...form.field('tenant')}
        options={
          method
            ? [{ value: tenant, label: orDash(method.tenant_name) }]
            : listTenants(tenants.data, tenants.slow ? STILL_WAITING : 'Choose a tenant')
        }
      />
      <Select label="Payment Platform" {...fixed} {...form.field('platform')} options={listPlatforms(platform)} />
      <Field
        label="Webhook URL"
        type="url"
        hint={hasWebhooks ? 'Optional, for your notes: nothing is sent there' : 'Optional'}
        autoComplete="off"
        error={form.errorAt('webhook_url')}
        {...form.field('webhook')}
      />
      {fieldsOf(platform).map((name) =>
        /key|secret/.test(name) ? (
          <SecretField key={name} {...credential(name)} />
        ) : (
          <Field key={name} autoComplete="off" {...credential(name)} />
        ),
      )}
      {method && hasWebhooks && <MethodWebhook method={method} />}
    </FormDialog>
  );
}

const listTenants = (tenants: readonly Tenant[] = [], prompt: string) => [
  { value: '', label: prompt },
  ...tenants.map(({ id, name }) => ({ value: id, label: orDash(name) })),
];

/** The platforms that this app knows, and first the chosen one if it is not among them. */
const listPlatforms = (chosen: string) => [
  ...(findPaymentPlatform(chosen) ? [] : [{ value: chosen, label: chosen || 'Choose a payment platform' }]),
  ...paymentPlatformNames.map((name) => ({ value: name, label: paymentPlatforms[name].label })),
];

const columns = ['When', 'Outcome', 'Event', ['Attempts', 'number']] as const;
const outcomes: Record<WebhookDelivery['outcome'], string> = {
  received: 'Not finished',
  applied: 'Applied',
  unchanged: 'No change',
  ignored: 'Ignored',
  attention: 'Needs review',
};

function MethodWebhook({ method: { tenant_id, payment_platform: platform } }: { method: PaymentMethod }) {
  const api = useDialogApi(),
    at = { tenant_id, platform };
  const [secret, setSecret] = useState('');
  const webhook = useCall(api.getWebhook, at, 'Failed to fetch the webhook');
  const deliveries = Array.isArray(webhook.data?.deliveries) ? webhook.data.deliveries : undefined;
  const form = useForm({
    initial: { password: '', code: '', rotate: false },
    async send({ code, ...typed }, options) {
      const body = { ...typed, ...(code && { code }) };
      setSecret((await api.revealWebhookSecret({ ...at, body }, options)).secret);
    },
    done: null,
    failed: detailOr('Failed to fetch the webhook secret'),
  });
  const { field } = form;
  const locked = form.busy || !form.values.password;

  return (
    <details>
      <summary>Webhook: address, secret, deliveries</summary>
      {webhook.data && (
        <CopyField
          label="Address for the processor"
          value={new URL(apiBase() + webhook.data.path, location.href).href}
          hint={`The processor sends the signature of each event in the header ${webhook.data.header}.`}
        />
      )}
      {secret && <CopyField label="Webhook Secret of this address" value={secret} />}
      <div
        className="grid"
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault(); // would save the payment method
          if (!locked) void form.submit();
        }}
      >
        <OwnPassword required={false} hint="For the secret" {...field('password')} code={field('code')} />
      </div>
      <p className="bar">
        <Button disabled={locked} onClick={() => void form.submit()}>
          Show Secret
        </Button>
        <Button
          className="secondary danger"
          disabled={locked}
          onClick={() => {
            if (confirm('Generate a new secret? Requests signed with the old one will be rejected immediately.'))
              void form.submit({ rotate: true });
          }}
        >
          New Secret
        </Button>
      </p>
      <DataTable
        label="Last deliveries"
        className="stack"
        heads={columns}
        of={{ ...webhook, data: deliveries }}
        empty="No deliveries yet."
      >
        {(one) => (
          <tr key={one.id}>
            <td className="head">
              <DateTime at={one.last_at} />
            </td>
            <td>
              {outcomes[one.outcome] ?? orDash(one.outcome)}
              {one.detail && (
                <div>
                  <small>{one.detail}</small>
                </div>
              )}
            </td>
            <td>
              {orDash(one.event_type)}
              <div>{one.reference && <small>{one.reference}</small>}</div>
            </td>
            <td className="number" data-label="Attempts">
              {orDash(one.attempts)}
            </td>
          </tr>
        )}
      </DataTable>
    </details>
  );
}
