import type { Approval, ApprovalLimitsForm } from '../../../contract/entities';
import { useForm } from '../../hooks/useForm';
import { type Resource, useResource } from '../../hooks/useResource';
import { useApi, useMay } from '../../state/session';
import { Field } from '../../ui/Field';
import { FormError } from '../../ui/FormError';
import { usd } from '../../ui/Money';
import { Waiting } from '../../ui/Waiting';

type Limits = Pick<ApprovalLimitsForm, 'payouts_from' | 'edits_from'>;
const describe = (amount: unknown): string =>
  amount === null || amount === undefined ? 'one person' : `two people from ${usd(amount)} on`;
const toText = (amount: unknown): string => (amount === null || amount === undefined ? '' : String(amount));

interface ApprovalLimitsProps {
  tenantId: number;
  /** The change that waits for a second person. */
  waiting: Approval | undefined;
  reload: () => Promise<unknown>;
}
/** From which amounts on two people must agree. While one is set, so does a change of them. */
export function ApprovalLimits({ tenantId, waiting, reload }: ApprovalLimitsProps) {
  const api = useApi();
  const mayChange = useMay('team');
  const limits = useResource(
    (signal) => api.getApprovalLimits({ tenant_id: tenantId }, { signal }),
    [api, tenantId, waiting?.id],
    'Failed to fetch the limits',
  );
  return (
    <section aria-label="Limits">
      <h3>Limits</h3>
      {!limits.data && <Waiting for={limits} failure="The limits could not be loaded." />}
      {limits.data && (
        <p role="status">
          Now payouts need {describe(limits.data.payouts_from)}, and edits of balances{' '}
          {describe(limits.data.edits_from)}.
        </p>
      )}
      {waiting ? (
        <p>A change of the limits waits for a second person, above.</p>
      ) : mayChange ? (
        limits.data && (
          // Anew when they change: what was saved is no longer something typed.
          <LimitsForm key={JSON.stringify(limits.data)} tenantId={tenantId} limits={limits} reload={reload} />
        )
      ) : (
        <p>
          <small>Only people with the Team permission can change the limits.</small>
        </p>
      )}
      {!!limits.data?.both_ends?.length && (
        <p>
          <small>
            These people can report payments by an API key (Settings) and settle payments (Queue). From the limit of
            edits on, another person must settle what their keys report: {limits.data.both_ends.join(', ')}
          </small>
        </p>
      )}
    </section>
  );
}

type LimitsFormProps = { tenantId: number; limits: Resource<Limits>; reload: () => Promise<unknown> };
function LimitsForm({ tenantId, limits, reload }: LimitsFormProps) {
  const api = useApi();
  const { payouts_from, edits_from } = limits.data ?? { payouts_from: null, edits_from: null };
  const isOn = payouts_from !== null || edits_from !== null;
  const form = useForm({
    initial: { payouts: toText(payouts_from), edits: toText(edits_from) },
    send: ({ payouts, edits }, options) => {
      const body = { payouts_from: payouts.trim() || null, edits_from: edits.trim() || null, tenant_id: tenantId };
      return api.changeApprovalLimits({ body }, options);
    },
    done: isOn ? 'The change of the limits waits for a second person' : 'Limits saved',
    failed: 'Failed to save the limits',
    reload: () => Promise.all([limits.reload(), reload()]),
  });
  const { values, field } = form;
  const isUnchanged = values.payouts === toText(payouts_from) && values.edits === toText(edits_from);
  return (
    <form onSubmit={form.onSubmit}>
      <div className="grid">
        <Field label="Two people for payouts from" inputMode="decimal" autoComplete="off" {...field('payouts')} />
        <Field
          label="Two people for edits of balances from"
          inputMode="decimal"
          autoComplete="off"
          {...field('edits')}
        />
      </div>
      <p style={{ marginTop: '-0.625rem' }}>
        <small>In dollars; blank: one person is enough. {isOn && 'A second person must agree to the change.'}</small>
      </p>
      <FormError reason={form.reason} />
      <p>
        <button disabled={form.busy || isUnchanged}>Save limits</button>
      </p>
    </form>
  );
}
