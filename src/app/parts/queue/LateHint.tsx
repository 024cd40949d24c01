import type { ReactNode } from 'react';
import type { MoneyList } from '../../../contract/constants';
import { useCall } from '../../hooks/useCall';
import { useApi, useFeature, useMay } from '../../state/session';
import { lazyWithRetry } from '../../ui/lazyWithRetry';
import { DialogButton } from '../DialogButton';
import { SignalChoice } from './SignalChoice';
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
