import { type ReactNode, useState } from 'react';
import type { MoneyList } from '../../../contract/constants';
import { useCall } from '../../hooks/useCall';
import { useApi, useFeature, useMay } from '../../state/session';
import { type Signal, saveSignal, signals, storedSignal } from '../../state/storage';
import { useToast } from '../../state/toasts';
import { lazyWithRetry } from '../../ui/lazyWithRetry';
import { Select } from '../../ui/Select';
import { DialogButton } from '../DialogButton';
import { mayNotify } from './signal';
import { waitingHint } from './WaitingTime';

const QueueSettings = lazyWithRetry(() => import('./QueueSettings').then((file) => file.QueueSettings));

/** When rows are late, and the way to change it for a tenant. */
export function LateHint({
  list,
  tenantId,
  isReady,
  reload,
  children,
}: {
  list: MoneyList;
  tenantId: number | undefined;
  /** The rows are there, which come first. */
  isReady: boolean;
  reload: () => Promise<void>;
  children: ReactNode;
}) {
  const api = useApi();
  const isOffered = useFeature('late_minutes'),
    mayChange = useMay('settings');
  const settings = useCall(
    api.getQueueSettings,
    isOffered && isReady && tenantId !== undefined ? { tenant_id: tenantId } : null,
    null,
  );
  const { data } = settings;
  const onSaved = () => Promise.all([settings.reload(), reload()]);
  return (
    <div className="bar">
      <small>{waitingHint(data?.late_minutes.find((own) => own.list === list))}</small>
      {data && mayChange && tenantId !== undefined && (
        <DialogButton dialog={(onClose) => <QueueSettings {...{ tenantId, onClose, onSaved }} settings={data} />}>
          Queue settings
        </DialogButton>
      )}
      <SignalChoice />
      {children}
    </div>
  );
}

const labels: Record<Signal, string> = { off: 'Quiet', sound: 'Sound', notice: 'Sound and desktop notice' };

/** How this person is told of new rows. */
function SignalChoice() {
  const isOffered = useFeature('new_rows');
  const toast = useToast();
  const [chosen, choose] = useState(storedSignal);
  async function change(wanted: Signal): Promise<void> {
    const isRefused = wanted === 'notice' && !(await mayNotify());
    if (isRefused) toast.error('This browser does not allow desktop notices here');
    const signal = isRefused ? 'sound' : wanted;
    saveSignal(signal);
    choose(signal);
  }
  return isOffered ? (
    <Select
      label="New rows"
      options={signals.map((value) => ({ value, label: labels[value] }))}
      value={chosen}
      onChange={({ target }) => void change(target.value as Signal)}
    />
  ) : null;
}
