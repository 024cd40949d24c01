import { type ReactNode, useState } from 'react';
import type { MoneyList } from '../../../contract/constants';
import { useCall } from '../../hooks/useCall';
import { useApi, useFeature, useMay } from '../../state/session';
import { Button } from '../../ui/Button';
import { lazyWithRetry } from '../../ui/lazyWithRetry';
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
  const [isOpen, setOpen] = useState(false);
  const settings = useCall(
    api.getQueueSettings,
    isOffered && isReady && tenantId !== undefined ? { tenant_id: tenantId } : null,
    null,
  );
  return (
    <>
      <div className="bar">
        <small>{waitingHint(settings.data?.late_minutes.find((own) => own.list === list))}</small>
        {settings.data && mayChange && <Button onClick={() => setOpen(true)}>Queue settings</Button>}
        <SignalChoice />
        {children}
      </div>
      {isOpen && settings.data && tenantId !== undefined && (
        <QueueSettings
          tenantId={tenantId}
          settings={settings.data}
          onSaved={() => Promise.all([settings.reload(), reload()])}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
