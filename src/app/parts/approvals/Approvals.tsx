import { useEffect, useId } from 'react';
import type { Approval, ApprovalLimitsForm } from '../../../contract/entities';
import { neededFor } from '../../../contract/permissions';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { useCloseOnLeave } from '../../hooks/useCloseOnLeave';
import { detailOr } from '../../hooks/useErrorToast';
import { useForm } from '../../hooks/useForm';
import { usePathTenant } from '../../hooks/usePathTenant';
import { type Resource, useResource } from '../../hooks/useResource';
import { useApi, useMay, useRefusal, useUser } from '../../state/session';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { EmailLink } from '../../ui/EmailLink';
import { Field } from '../../ui/Field';
import { FormError } from '../../ui/FormError';
import { usd } from '../../ui/Money';
import { RowLink } from '../../ui/RowLink';
import { Waiting } from '../../ui/Waiting';
import { DialogButton } from '../DialogButton';
import { useReload } from '../polled';
import { useSpanning, useTenantScope } from '../tenantScope';
import { useAskedAction } from '../useAskedAction';
import { ApprovalFacts, ApproveDialog } from './ApproveDialog';
import { describeChange, nameOf } from './words';

/** What a second person must approve, too, and from which amounts on (docs/permissions.md, "Two people"). */
export function Approvals({ tenantId, onClose }: { tenantId?: number; onClose: () => void }) {
  const api = useApi();
  useCloseOnLeave(onClose);
  const inView = usePathTenant();
  const { tenant_id: own, role } = useUser();
  const tenant = tenantId ?? (role.is_super_admin ? inView : own) ?? undefined;
  const tenant_id = tenant || undefined;
  const waiting = useCall(api.listApprovals, { tenant_id }, 'Failed to fetch approvals');
  const { isSpanning, request } = useTenantScope();
  useEffect(() => void (isSpanning && request()), [isSpanning, request]);
  const limits = waiting.data?.find(({ kind }) => kind === 'limits');
  const reload = useReload(waiting.reload);
  return (
    <Dialog title="Approvals" wide withClose onClose={onClose}>
      <p role="status">{waiting.data && describeCount(waiting.data.length)}</p>
      <DataTable
        label="Waiting for a second person"
        className="stack approvals"
        heads={['What', 'Change', 'First person', 'Actions']}
        of={waiting}
        empty="Nothing waits for a second person."
      >
        {(approval) => <ApprovalRow key={approval.id} approval={approval} onDone={reload} />}
      </DataTable>
      {tenant_id ? (
        <ApprovalLimits key={tenant_id} tenantId={tenant_id} waiting={limits} reload={reload} />
      ) : (
        <p>
          <RowLink to="/tenants">Open a tenant</RowLink> to see its approval limits.
        </p>
      )}
    </Dialog>
  );
}

const describeCount = (count: number): string =>
  count === 0 ? '' : count === 1 ? '1 waits for a second person' : `${count} wait for a second person`;

function ApprovalRow({ approval, onDone }: { approval: Approval; onDone: () => Promise<unknown> }) {
  const api = useApi();
  const whyId = useId();
  const tenant = useSpanning()?.get(Number(approval.tenant_id))?.name;
  const missing = useRefusal(neededFor[approval.kind]);
  const { id, kind, is_own: isOwn, user_email: email } = approval;
  const moneyId = approval.redeem_id ?? approval.return_id;
  const what = `${nameOf(approval)}${moneyId ? ` ${moneyId}` : ''}`;
  const about = [what, ...(email ? [email] : []), describeChange(approval)].join(', ');
  const end = isOwn ? 'Withdraw' : 'Refuse';

  const approve = useAction(api.approveChange, {
    done: kind === 'redeem' ? 'Approved by two. It is paid out' : 'Approved by two. It is done',
    failed: detailOr('Failed to approve'),
    onDone,
  });
  const drop = useAskedAction(api.endApproval, {
    done: isOwn ? 'Approval withdrawn' : 'Approval refused',
    failed: detailOr(`Failed to ${end.toLowerCase()}`),
    onDone,
    question: `${end} this?`,
    about: (
      <>
        <p>{moneyId ? `The ${kind} stays pending.` : 'Nothing changes then.'}</p>
        <ApprovalFacts approval={approval} />
      </>
    ),
    submit: end,
    isDangerous: !isOwn,
    isExtra: true,
    hasNoReason: isOwn,
  });

  const why = missing ?? (isOwn ? null : approval.refusal);
  const isBusy = approve.busy || drop.busy;
  return (
    <tr>
      <td className="head">
        {what}
        {email && (
          <>
            {' '}
            <small>
              <EmailLink email={email} playerId={approval.player_id} />
            </small>
          </>
        )}
        {tenant && <small> {tenant}</small>}
      </td>
      <td data-label="Change">{describeChange(approval)}</td>
      <td data-label="First person">
        {isOwn ? 'You' : orDash(approval.first_email)},{' '}
        <DateTime at={approval.first_at} tenantId={approval.tenant_id} />
      </td>
      <td className="actions">
        {!isOwn && (
          <DialogButton
            className=""
            aria-label={`Approve: ${about}`}
            aria-describedby={why ? whyId : undefined}
            disabled={isBusy || why !== null}
            dialog={(onClose) => (
              <ApproveDialog
                approval={approval}
                busy={isBusy}
                onRefuse={() => void drop.ask({ id }).then((isDone) => isDone && onClose())}
                onApprove={() => void approve.run({ id }).then(onClose)}
                onClose={onClose}
              />
            )}
          >
            Approve
          </DialogButton>
        )}
        <button
          type="button"
          className="danger"
          aria-label={`${end}: ${about}`}
          disabled={isBusy || missing !== null}
          onClick={() => void drop.ask({ id })}
        >
          {end}
        </button>
        {why && (
          <small id={whyId} className="why">
            {why}
          </small>
        )}
        {isOwn && !why && <small>You approved this. It needs a second person.</small>}
        {drop.dialog}
      </td>
    </tr>
  );
}

type Limits = Pick<ApprovalLimitsForm, 'payouts_from' | 'edits_from'>;
const describe = (amount: unknown): string =>
  amount === null || amount === undefined ? 'one person' : `two people from ${usd(amount)} on`;
const toText = (amount: unknown): string => (amount === null || amount === undefined ? '' : String(amount));

type ApprovalLimitsProps = { tenantId: number; waiting: Approval | undefined; reload: () => Promise<unknown> };
/** From which amounts on two people must agree. While one is set, so does a change of them. */
function ApprovalLimits({ tenantId, waiting, reload }: ApprovalLimitsProps) {
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
      {limits.data && (waiting || !mayChange) && (
        <p role="status">
          Payouts: {describe(limits.data.payouts_from)}. Edits of balances: {describe(limits.data.edits_from)}.
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
          <small>
            Only people with the Team permission can change the limits:{' '}
            {limits.data?.changers?.join(', ') || "ask your tenant's admin"}.
          </small>
        </p>
      )}
      {limits.data?.edits_from != null && !!limits.data.both_ends?.length && (
        <p>
          <small>
            These people can report payments by an API key, and settle payments: {limits.data.both_ends.join(', ')}.
            From the limit of edits on, another person must settle what their keys report.
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
    initial: { payouts_from: toText(payouts_from), edits_from: toText(edits_from) },
    send: (typed, options) => {
      const [payouts_from, edits_from] = [typed.payouts_from.trim() || null, typed.edits_from.trim() || null];
      const body = { payouts_from, edits_from, tenant_id: tenantId };
      return api.changeApprovalLimits({ body }, options);
    },
    done: isOn ? 'The change of the limits waits for a second person' : 'Limits saved',
    failed: 'Failed to save the limits',
    shownAt: ['payouts_from', 'edits_from'],
    reload: () => Promise.all([limits.reload(), reload()]),
  });
  const { values, field } = form;
  const isUnchanged = values.payouts_from === toText(payouts_from) && values.edits_from === toText(edits_from);
  return (
    <form onSubmit={form.onSubmit}>
      <p>In dollars; blank: one person is enough. {isOn && 'A second person must agree to the change.'}</p>
      <div className="grid">
        <Field label="Two people for payouts from" inputMode="decimal" autoComplete="off" {...field('payouts_from')} />
        <Field
          label="Two people for edits of balances from"
          inputMode="decimal"
          autoComplete="off"
          {...field('edits_from')}
        />
      </div>
      <FormError reason={form.reason} />
      <p>
        <button disabled={form.busy || isUnchanged}>Save limits</button>
      </p>
    </form>
  );
}
