import { useState } from 'react';
import type { PaymentMethod } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { useQueryParams } from '../../hooks/useQueryParams';
import { CommandButton } from '../../parts/CommandButton';
import { useAskedAction } from '../../parts/useAskedAction';
import { useQuestion } from '../../parts/useQuestion';
import { useApi, useUser } from '../../state/session';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { getPlatformLabel, withLongerToast } from './labels';
import { MethodDialog } from './MethodDialog';

/** The payment processors of the tenants (docs/product.md, "Payment methods"). */
export function PaymentMethods() {
  const api = useApi();
  const [{ add }, setAddress] = useQueryParams({ add: '' });
  const [chosen, setChosen] = useState<PaymentMethod | 'new' | null>(null);
  const editing = chosen ?? (add && 'new');
  const offersMore = useUser().features !== undefined;
  const methods = useCall(api.listPaymentMethods, {}, withLongerToast('Error fetching payment methods'));

  const { failed, reload } = methods;
  const noMethods = (
    <>
      No payment methods yet.{' '}
      {offersMore && (
        <button type="button" onClick={() => setChosen('new')}>
          Add the first one
        </button>
      )}
    </>
  );

  return (
    <>
      <header className="bar">
        <h2>Payment Methods Management</h2>
        <CommandButton onClick={() => setChosen('new')}>Add Payment Method</CommandButton>
      </header>
      <DataTable
        label="Payment methods"
        heads={['Tenant', 'Platform', 'Status', 'Webhook URL', 'Created', 'Actions']}
        of={methods}
        empty={noMethods}
      >
        {(method) => (
          <MethodRow key={method.id} {...{ method, reload }} isOld={failed} onEdit={() => setChosen(method)} />
        )}
      </DataTable>
      {editing && (
        <MethodDialog
          method={editing === 'new' ? null : editing}
          tenantId={add}
          onClose={() => {
            setChosen(null);
            setAddress({ add: '' }, { replace: true });
          }}
          onSaved={reload}
        />
      )}
    </>
  );
}

type Props = { method: PaymentMethod; isOld: boolean; reload: () => Promise<unknown>; onEdit: () => void };
/** `isOld`: the row may be outdated, so the switch is locked, because its call toggles whatever the server has. */
function MethodRow({ method, isOld, reload, onEdit }: Props) {
  const api = useApi();
  const at = { tenant_id: method.tenant_id, platform: method.payment_platform };
  const platform = getPlatformLabel(method.payment_platform),
    tenant = orDash(method.tenant_name);
  // What is toggled is part of the input: toggling it back is something else.
  const toggle = useAction((_: boolean, options) => api.togglePaymentMethod(at, options), {
    done: method.is_active ? 'Payment method deactivated successfully' : 'Payment method activated successfully',
    failed: withLongerToast('Error toggling payment method'),
    onDone: reload,
  });
  const remove = useAskedAction(api.deletePaymentMethod, {
    done: 'Payment method deleted successfully',
    failed: withLongerToast('Error deleting payment method'),
    onDone: reload,
    question: `Are you sure you want to delete ${platform} for ${tenant}?`,
    about: 'Its keys are deleted, and its events are refused from then on.',
    submit: 'Delete',
    isDangerous: true,
  });

  const caution = useQuestion({
    question: `Switch off ${platform} for ${tenant}?`,
    about: `Events of ${platform} for ${tenant} are refused until it is switched on again.`,
    submit: 'Switch off',
    isExtra: true,
  });

  async function askAndToggle() {
    if (!method.is_active || (await caution.ask())) await toggle.run(method.is_active);
  }

  return (
    <tr>
      <td className="head">{tenant}</td>
      <td>{platform}</td>
      <td>
        <label className="switch">
          <input
            type="checkbox"
            role="switch"
            aria-label={`${platform} of ${tenant} is active`}
            checked={Boolean(method.is_active)}
            disabled={toggle.busy || isOld}
            aria-busy={toggle.busy}
            onChange={() => void askAndToggle()}
          />
        </label>
        {method.is_active ? 'Active' : 'Inactive'}
      </td>
      <td className="broad">{method.webhook_url || 'No webhook'}</td>
      <td data-label="Created">
        <DateTime at={method.created_at} dateOnly tenantId={method.tenant_id} />
      </td>
      <td className="actions">
        <button type="button" onClick={onEdit}>
          Edit
        </button>
        <button type="button" className="danger" disabled={remove.busy} onClick={() => void remove.ask(at)}>
          Delete
        </button>
        {remove.dialog}
        {caution.dialog}
      </td>
    </tr>
  );
}
