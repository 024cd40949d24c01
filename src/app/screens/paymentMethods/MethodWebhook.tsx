import { useState } from 'react';
import type { PaymentMethod, WebhookDelivery } from '../../../contract/entities';
import { apiBase } from '../../api/basePath';
import { orDash } from '../../api/parse';
import { detailOr } from '../../hooks/useErrorToast';
import { useForm } from '../../hooks/useForm';
import { useResource } from '../../hooks/useResource';
import { CopyField } from '../../parts/CopyField';
import { OwnPassword } from '../../parts/OwnPassword';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';

const columns = ['When', 'Outcome', 'Event', 'Reference', 'Attempts'];
const outcomes: Record<WebhookDelivery['outcome'], string> = {
  received: 'Not finished',
  applied: 'Applied',
  unchanged: 'No change',
  ignored: 'Ignored',
  attention: 'Needs review',
};

/** The address and secret for a processor's webhooks, and the latest deliveries. */
export function MethodWebhook({ method: { tenant_id, payment_platform: platform } }: { method: PaymentMethod }) {
  const api = useDialogApi(),
    at = { tenant_id, platform };
  const [secret, setSecret] = useState('');
  const webhook = useResource(
    (signal) => api.getWebhook(at, { signal }),
    [api, tenant_id, platform],
    'Failed to fetch the webhook',
  );
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
        className=""
        heads={columns}
        of={{ ...webhook, data: deliveries }}
        empty="No deliveries yet."
      >
        {(one) => (
          <tr key={one.id}>
            <td>
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
            <td>{orDash(one.event_type)}</td>
            <td>{orDash(one.reference)}</td>
            <td>{orDash(one.attempts)}</td>
          </tr>
        )}
      </DataTable>
    </details>
  );
}
