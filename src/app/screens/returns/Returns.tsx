import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { type Saving, useForm } from '../../hooks/useForm';
import { type ListedReturn, useApprovedQueue } from '../../parts/approvals/useApprovals';
import { DialogButton } from '../../parts/DialogButton';
import { PlatformSelect } from '../../parts/logins/PlatformSelect';
import { noMoney, type PlayerMoney, PlayerMoneyDialog, readMoney } from '../../parts/PlayerMoneyDialog';
import { QueueFrame } from '../../parts/queue/QueueFrame';
import { getEmptyText, useQueue } from '../../parts/queue/useQueue';
import { useQueueDecisions } from '../../parts/queue/useSettle';
import { TransactionTable } from '../../parts/TransactionTable';
import { useListTools } from '../../parts/table/useListTools';
import { useQuestion } from '../../parts/useQuestion';
import { useApi, useFeature, useMay, useRefusal } from '../../state/session';

/** Winnings that come back from game platforms. There is no list without a work queue. */
export const Returns = (list: { tenantId?: number }) => useFeature('queue') && <ReturnQueue {...list} />;

function ReturnQueue({ tenantId }: { tenantId?: number }) {
  const api = useApi();
  const { queue, waiting } = useApprovedQueue<ListedReturn>(
    useQueue<ListedReturn>('returns', tenantId, api.listReturns, 'Failed to fetch returns'),
    tenantId,
    'return',
  );
  const decisions = useQueueDecisions(queue, {
    change: api.changePurchaseStatus,
    done: 'Status updated successfully',
  });
  const listTools = useListTools('returns', queue, decisions.rows.data);
  const mayRecord = useMay('queue');
  return (
    <QueueFrame
      list="returns"
      {...{ tenantId, queue, decisions, listTools }}
      title={<h2>Returns</h2>}
      noun="return"
      waiting={
        <span role="status">
          {waiting > 0 && `${waiting} ${waiting === 1 ? 'waits' : 'wait'} for a second approval`}
        </span>
      }
      buttons={
        mayRecord && (
          <DialogButton
            isCommand
            dialog={(onClose) => <RecordReturn {...{ tenantId, onClose }} onSaved={queue.reload} />}
          >
            Record Return
          </DialogButton>
        )
      }
      download={() => api.exportReturns(queue.query)}
      setting={tenantId !== undefined && <PaidFromGame tenantId={tenantId} />}
    >
      <TransactionTable
        heading="Returns"
        transactions={decisions.rows}
        tools={listTools}
        decisions={decisions}
        kind="RETURN"
        empty={getEmptyText(queue, 'No returns yet. They come from your systems, an import, or Record Return.')}
      />
    </QueueFrame>
  );
}

/** How the tenant pays winnings: out of the credit balance, or straight from the game. */
function PaidFromGame({ tenantId }: { tenantId: number }) {
  const api = useApi();
  const refusal = useRefusal('settings');
  const settings = useCall(api.getReturnSettings, { tenant_id: tenantId }, 'Failed to fetch how winnings are paid');
  const change = useAction(api.changeReturnSettings, {
    done: 'Saved',
    failed: detailOr('Failed to save'),
    onDone: settings.reload,
  });
  const isOn = settings.data?.redeems_from_game ?? false;
  const { ask, dialog } = useQuestion({
    question: isOn ? 'Pay redeems from the credit balance?' : 'Pay redeems from the game?',
    about: isOn
      ? 'From now on a redeem needs credit, and holds it until it is settled.'
      : 'From now on a redeem needs no credit. Its success takes the amount from its game platform.',
    submit: 'Change',
    isExtra: true,
  });
  if (!settings.data) return null;
  const flip = async () => {
    if (await ask()) await change.run({ body: { tenant_id: tenantId, redeems_from_game: !isOn } });
  };
  return (
    <>
      <label title={refusal ?? undefined}>
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          disabled={refusal !== null || change.busy}
          onChange={() => void flip()}
        />
        Winnings are paid from the game
      </label>
      {dialog}
    </>
  );
}

type Props = Saving & { tenantId: number | undefined };
function RecordReturn({ tenantId, onClose, onSaved }: Props) {
  const api = useApi();
  const form = useForm<PlayerMoney>({
    initial: noMoney,
    draft: `return ${tenantId ?? ''}`,
    check: (typed) => readMoney(typed),
    async send(typed, options) {
      const body = readMoney(typed),
        { platform, player } = typed;
      if (typeof body === 'string') return;
      const owner = player?.tenant_id !== undefined && { tenant_id: player.tenant_id };
      await api.createReturn({ body: { ...body, platform, ...owner } }, options);
    },
    done: 'Return recorded',
    failed: detailOr('Failed to record the return'),
    reload: onSaved,
    onDone: onClose,
  });
  const { id, tenant_id = tenantId } = form.values.player ?? {};
  const logins = useCall(api.listPlayerCredentials, id === undefined ? null : { id }, null);
  return (
    <PlayerMoneyDialog
      title="Record Return"
      submit="Record"
      form={form}
      tenantId={tenantId}
      platform={<PlatformSelect required tenantId={tenant_id} logins={logins.data} {...form.field('platform')} />}
      {...(tenantId === undefined && { cleared: { platform: '' } })}
      onClose={onClose}
    />
  );
}
