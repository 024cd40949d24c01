import { useRef, useState } from 'react';
import type { ManualRedeemForm } from '../../../contract/entities';
import { manualRedeemPlatforms, payoutMethods } from '../../../contract/platforms';
import { toAmount } from '../../api/amount';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { useForm } from '../../hooks/useForm';
import { type ListedRedeem, useApprovedQueue } from '../../parts/approvals/useApprovals';
import { DialogButton } from '../../parts/DialogButton';
import { noMoney, type PlayerMoney, PlayerMoneyDialog, readMoney } from '../../parts/PlayerMoneyDialog';
import { useReload } from '../../parts/polled';
import { QueueFrame } from '../../parts/queue/QueueFrame';
import { getEmptyText, useQueue } from '../../parts/queue/useQueue';
import { useQueueDecisions, useSettle } from '../../parts/queue/useSettle';
import { useListTools } from '../../parts/table/useListTools';
import { useApi, useFeature, useMay } from '../../state/session';
import { Field } from '../../ui/Field';
import { Select } from '../../ui/Select';
import { RedeemTable } from './RedeemTable';

/** The redeems of one tenant or of all (docs/product.md, "Redeems"); a work queue if the server offers it. */
export const Redeems = ({ tenantId }: { tenantId?: number | undefined }) =>
  useFeature('queue') ? <RedeemQueue tenantId={tenantId} /> : <RedeemList tenantId={tenantId} />;

function RedeemList({ tenantId }: { tenantId: number | undefined }) {
  const api = useApi();
  const redeems = useCall(api.listRedeems, { tenant_id: tenantId }, 'Failed to fetch redeems');
  const reload = useReload(redeems.reload);
  const decisions = useSettle(redeems, {
    change: api.changeRedeemStatus,
    done: 'Status updated',
    reload,
  });

  return (
    <>
      <header className="bar">
        <h2>Redeems</h2>
        <span role="status">{redeems.data && `${redeems.data.length} shown`}</span>
        <CreateButton tenantId={tenantId} onSaved={reload} />
      </header>
      <RedeemTable redeems={redeems} decisions={decisions} />
    </>
  );
}

const CreateButton = ({ tenantId, onSaved }: Omit<Props, 'onClose'>) =>
  useMay('payouts') && (
    <DialogButton isCommand dialog={(onClose) => <ManualRedeem {...{ tenantId, onClose, onSaved }} />}>
      Create Manual Redeem
    </DialogButton>
  );

function RedeemQueue({ tenantId }: { tenantId: number | undefined }) {
  const api = useApi();
  const [newId, setNewId] = useState<number | null>(null);
  const { queue, waiting } = useApprovedQueue(
    useQueue<ListedRedeem>('redeems', tenantId, api.listRedeems, 'Failed to fetch redeems'),
    tenantId,
  );
  const decisions = useQueueDecisions(queue, {
    change: api.changeRedeemStatus,
    done: 'Status updated',
  });
  const listTools = useListTools('redeems', queue, decisions.rows.data);
  const onSaved = (id: number | null) => {
    setNewId(id);
    return queue.reload();
  };
  return (
    <QueueFrame
      list="redeems"
      {...{ tenantId, queue, decisions, listTools }}
      title={<h2>Redeems</h2>}
      noun="redeem"
      waiting={
        <span role="status">
          {waiting > 0 && (
            <button
              type="button"
              className="chip"
              aria-pressed={queue.address.approval === 'waiting'}
              onClick={() => queue.onFilter({ approval: queue.address.approval ? '' : 'waiting' })}
            >
              {waiting} {waiting === 1 ? 'waits' : 'wait'} for a second approval
            </button>
          )}
        </span>
      }
      buttons={<CreateButton {...{ tenantId, onSaved }} />}
      download={() => api.exportRedeems(queue.query)}
    >
      <RedeemTable
        redeems={decisions.rows}
        tools={listTools}
        decisions={decisions}
        newId={newId}
        empty={getEmptyText(queue, 'No redeems yet. They come from your systems, an import, or Create Manual Redeem.')}
      />
    </QueueFrame>
  );
}

const platforms = [{ value: '', label: 'Choose a platform' }, ...manualRedeemPlatforms];
const methods = [{ value: '', label: 'Choose a payout method' }, ...payoutMethods];

interface ManualRedeemFields extends PlayerMoney {
  payout_method: string;
  payout_address: string;
}

/** The form to send, or the message about what is missing (docs/product.md, "Redeems"). */
export function readManualRedeem(typed: ManualRedeemFields): string | ManualRedeemForm {
  const platform = manualRedeemPlatforms.find((name) => name === typed.platform);
  const payout_method = payoutMethods.find((name) => name === typed.payout_method);
  const payout_address = typed.payout_address.trim();
  const body = readMoney(typed, platform, payout_method, payout_address);
  if (typeof body === 'string' || !platform || !payout_method) return String(body);
  return { ...body, platform, payout_method, payout_address };
}

interface Props {
  tenantId?: number | undefined;
  onClose: () => void;
  /** With the id of the redeem, if the server answers it. */
  onSaved: (id: number | null) => Promise<unknown>;
}
/** A redeem entered by staff, for a player found by e-mail (docs/product.md, "Redeems"). */
function ManualRedeem({ tenantId, onClose, onSaved }: Props) {
  const api = useApi();
  const mayNameTenant = useFeature('redeem_tenant');
  const made = useRef<number>(null);
  const form = useForm<ManualRedeemFields>({
    initial: { ...noMoney, payout_method: '', payout_address: '' },
    draft: `manual redeem ${tenantId ?? ''}`,
    check: readManualRedeem,
    async send(typed, options) {
      const body = readManualRedeem(typed);
      if (typeof body === 'string') return;
      const owner = mayNameTenant && typed.player?.tenant_id !== undefined ? { tenant_id: typed.player.tenant_id } : {};
      made.current = toAmount(Object(await api.createManualRedeem({ body: { ...body, ...owner } }, options)).id);
    },
    done: 'Manual redeem created successfully',
    failed: detailOr('Failed to create manual redeem'),
    reload: () => onSaved(made.current),
    onDone: onClose,
  });
  const { field } = form;
  return (
    <PlayerMoneyDialog
      title="Create Manual Redeem"
      isOfCredit
      submit="Create"
      {...{ form, tenantId, onClose }}
      platform={<Select label="Platform" required options={platforms} {...field('platform')} />}
    >
      <Select label="Payout Method" required options={methods} {...field('payout_method')} />
      <Field label="Payout Address" required autoComplete="off" {...field('payout_address')} />
    </PlayerMoneyDialog>
  );
}
