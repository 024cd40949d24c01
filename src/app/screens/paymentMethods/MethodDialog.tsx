import { PAYMENT_ERROR_MS, paymentPlatformNames, paymentPlatforms } from '../../../contract/constants';
import type { PaymentMethod } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { useFields } from '../../hooks/useFields';
import { FormError, fieldOf, useFormError } from '../../parts/FormError';
import { SecretField } from '../../parts/SecretField';
import { useTenants } from '../../parts/useTenants';
import { useApi, useFeature } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { findPaymentPlatform, formatFieldName } from './labels';
import { MethodWebhook } from './MethodWebhook';

/**
 * Tenant and platform are locked when editing. Each platform has its own credential fields (docs/product.md, "Payment
 * methods").
 */
export function MethodDialog({
  method,
  tenantId,
  onClose,
  onSaved,
}: {
  method: PaymentMethod | null;
  /** Chosen for a new one. */
  tenantId?: string;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}) {
  const api = useApi();
  const formError = useFormError(PAYMENT_ERROR_MS);
  const hasWebhooks = useFeature('webhooks');
  const main = useFields(
    {
      tenant: String(method?.tenant_id ?? tenantId ?? ''),
      platform: method?.payment_platform ?? '',
      webhook: method?.webhook_url ?? '',
    },
    { draft: `payment method ${method?.id ?? ''}` },
  );
  const credentials = useFields<Record<string, string>>(method?.credentials ?? {});
  const tenants = useTenants(null, { enabled: method === null });

  const failed = {
    message: formError.withMessage('Error saving payment method'),
    ms: PAYMENT_ERROR_MS,
    isTold: (error: unknown) => ['webhook_url', ...fields].includes(fieldOf(error)),
  };
  const create = useAction(api.createPaymentMethod, {
    done: 'Payment method created successfully',
    failed,
    onDone: onSaved,
  });
  const update = useAction(api.updatePaymentMethod, {
    done: 'Payment method updated successfully',
    failed,
    onDone: onSaved,
  });

  const { tenant, platform, webhook } = main.values;
  const known = findPaymentPlatform(platform);
  const fields: readonly string[] = known ? paymentPlatforms[known].fields : Object.keys(method?.credentials ?? {});

  async function submit() {
    if (!tenant || !platform) return create.refuse('Please select tenant and platform', PAYMENT_ERROR_MS);
    formError.clear();
    const body = Object.fromEntries(fields.map((name) => [name, credentials.values[name] ?? '']));
    const webhook_url = webhook.trim();
    const isSaved = method
      ? await update.run({ tenant_id: method.tenant_id, platform: method.payment_platform, webhook_url, body })
      : known
        ? await create.run({ tenant_id: tenant, payment_platform: known, ...(webhook_url && { webhook_url }), body })
        : false;
    if (!isSaved) return;
    main.draft.clear();
    onClose();
  }

  return (
    <FormDialog
      title={method ? 'Edit Payment Method' : 'Add New Payment Method'}
      submit={method ? 'Update' : 'Create'}
      noValidate
      disabled={create.busy || update.busy}
      draft={main.draft}
      onClose={onClose}
      onSubmit={submit}
    >
      <Select
        label="Tenant"
        disabled={method !== null}
        {...main.field('tenant')}
        options={
          method
            ? [{ value: main.values.tenant, label: orDash(method.tenant_name) }]
            : [
                { value: '', label: tenants.slow ? STILL_WAITING : 'Choose a tenant' },
                ...(tenants.data ?? []).map(({ id, name }) => ({ value: id, label: orDash(name) })),
              ]
        }
      />
      <Select
        label="Payment Platform"
        disabled={method !== null}
        {...main.field('platform')}
        options={[
          ...(known ? [] : [{ value: platform, label: platform || 'Choose a payment platform' }]),
          ...paymentPlatformNames.map((name) => ({ value: name, label: paymentPlatforms[name].label })),
        ]}
      />
      <Field
        label="Webhook URL"
        type="url"
        hint="Optional"
        autoComplete="off"
        error={formError.at('webhook_url')}
        {...main.field('webhook')}
      />
      {fields.map((name) =>
        /key|secret/.test(name) ? (
          <SecretField
            key={name}
            label={formatFieldName(name)}
            error={formError.at(name)}
            {...credentials.field(name)}
          />
        ) : (
          <Field
            key={name}
            label={formatFieldName(name)}
            autoComplete="off"
            error={formError.at(name)}
            {...credentials.field(name)}
          />
        ),
      )}
      {method && hasWebhooks && <MethodWebhook method={method} />}
      <FormError error={formError} fields={['webhook_url', ...fields]} />
    </FormDialog>
  );
}
