import { type ComponentProps, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'wouter';
import type { Notification } from '../../../contract/entities';
import { notificationAddress } from '../../../contract/notificationAddress';
import { isListed, type ListedKind, NOTIFICATIONS_EVERY_MS, UNREAD_MAX } from '../../../contract/notifications';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { ListedRows } from '../../parts/alarms/ListedRows';
import { WaitingCount } from '../../parts/approvals/WaitingCount';
import { AuditLog } from '../../parts/audit/lazyAuditLog';
import { createPolling } from '../../parts/usePolling';
import { useApi, useFeature, useMay, useUser } from '../../state/session';
import { DateTime } from '../../ui/DateTime';
import { Email } from '../../ui/EmailLink';
import { Waiting } from '../../ui/Waiting';
import { NotificationSettings } from './NotificationSettings';
import { nameRule } from './ruleTexts';

/** What opens: the entries of the audit log that are meant, or the rows behind a notification of many, of a tenant. */
type Shown = 'settings' | { of: string; tenantId: number | null } | { kind: ListedKind; tenantId: number | undefined };
type Open = (what: Shown) => void;

/** The bell of the title bar: how much is new, and a menu with the newest notifications. */
export function Bell() {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [dialog, setDialog] = useState<Shown | null>(null);
  const known = useUnread(undefined).data?.unread;
  const unread = known ?? 0;
  const news = unread >= UNREAD_MAX ? `${UNREAD_MAX - 1}+` : String(unread);
  const close = () => panel.current?.togglePopover?.(false);
  const open: Open = (what) => {
    close();
    setDialog(what);
  };
  return (
    <>
      <button
        type="button"
        className="secondary"
        popoverTarget={id}
        title="Notifications"
        aria-label={unread ? `Notifications, ${news} new` : 'Notifications'}
        onClick={() => setOpen(true)}
      >
        <BellIcon />
        {unread > 0 && <span className="badge">{news}</span>}
      </button>
      <span role="status" className="unseen">
        {known !== undefined && <Announcement unread={known} />}
      </span>
      <div
        ref={panel}
        id={id}
        popover="auto"
        className="bar-menu bells"
        role="group"
        aria-label="Notifications"
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && <Newest onClose={close} onOpen={open} />}
      </div>
      <WaitingCount />
      {/* Outside the title bar, which has styles of its own. */}
      {dialog && createPortal(<Opened what={dialog} onClose={() => setDialog(null)} />, document.body)}
    </>
  );
}

function Opened({ what, onClose }: { what: Shown; onClose: () => void }) {
  if (what === 'settings') return <NotificationSettings onClose={onClose} />;
  return 'of' in what ? <AuditLog {...what} onClose={onClose} /> : <ListedRows {...what} onClose={onClose} />;
}

/** Says that something is new, but neither what is there at first nor that it became less. */
function Announcement({ unread }: { unread: number }) {
  const known = useRef<number | null>(null);
  const [words, setWords] = useState('');
  useEffect(() => {
    const before = known.current;
    known.current = unread;
    if (before !== null && unread > before) setWords(`${unread} new notification${unread === 1 ? '' : 's'}`);
    else if (unread === 0) setWords('');
  }, [unread]);
  return <>{words}</>;
}

const BellIcon = () => (
  <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" fill="none" stroke="currentColor">
    <path
      d="M4 14.5c1-1.2 1.5-2.4 1.5-5.2a4.5 4.5 0 0 1 9 0c0 2.8.5 4 1.5 5.2z M8.3 16.8a1.8 1.8 0 0 0 3.4 0"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);

const Quiet = (button: ComponentProps<'button'>) => (
  <small>
    <button type="button" className="link" {...button} />
  </small>
);

function Newest({ onClose, onOpen }: { onClose: () => void; onOpen: Open }) {
  const api = useApi();
  const list = useCall(api.listNotifications, {}, detailOr('Failed to fetch notifications'));
  const refresh = async () => {
    reloadUnread(api);
    await list.reload();
  };
  const read = useAction(api.readNotifications, {
    done: null,
    failed: detailOr('Failed to mark as read'),
    onDone: refresh,
  });
  const rows = list.data ?? [];
  const newest = Math.max(0, ...rows.map(({ id }) => id));
  return (
    <>
      <div className="bar">
        <h2>Notifications</h2>
        <Quiet onClick={() => onOpen('settings')}>Rules and channels</Quiet>
        {rows.length > 0 && (
          <Quiet
            disabled={read.busy || rows.every(({ is_read }) => is_read)}
            onClick={() => void read.run({ body: { up_to: newest } })}
          >
            Mark all as read
          </Quiet>
        )}
      </div>
      {!list.data ? (
        <Waiting for={list} />
      ) : rows.length === 0 ? (
        <p>No notifications yet.</p>
      ) : (
        <ul>
          {rows.map((one) => (
            <Item
              key={one.id}
              notification={one}
              onFollow={() => {
                onClose();
                if (!one.is_read) void read.run({ body: { ids: [one.id] } });
              }}
              onOpen={onOpen}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function Item({ notification, onFollow, onOpen }: { notification: Notification; onFollow: () => void; onOpen: Open }) {
  const api = useApi();
  const [, navigate] = useLocation();
  const isSuper = useUser().role.is_super_admin,
    hasView = useFeature('player_view'),
    hasOverview = useFeature('overview'),
    mayMute = useMay('settings');
  const { kind, title, detail, at, object_id, about_tenant_id, about_tenant_name, is_read, user_email, initiated_at } =
    notification;
  const address = notificationAddress(notification, { isSuper, hasView, hasOverview });
  const name = nameRule(kind);
  const mute = useAction(api.muteNotificationRule, {
    done: `Muted for a day: ${name}`,
    failed: detailOr('Failed to mute the rule'),
  });
  function follow() {
    onFollow();
    const of = new URLSearchParams(address?.split('?')[1]).get('of');
    if (of !== null) onOpen({ of, tenantId: about_tenant_id });
    else if (isListed(kind) && !object_id) onOpen({ kind, tenantId: about_tenant_id ?? undefined });
    else if (address) navigate(address);
  }
  // The hours in the title are those of the moment when it rang.
  const [what, hours] = title.split(' waits for ');
  const since = hours && initiated_at && <DateTime at={initiated_at} />;
  const words = (
    <>
      {since ? `${what} has waited since` : title} {since}
    </>
  );
  return (
    <li className={is_read ? undefined : 'new'}>
      <div className="bar">
        {address ? (
          <button type="button" className="link" onClick={follow}>
            {words}
          </button>
        ) : (
          <b>{words}</b>
        )}
      </div>
      {(user_email || detail) && (
        <p>
          {user_email && <Email email={user_email} />}
          {user_email && detail && ' · '}
          {detail}
        </p>
      )}
      <div className="bar small">
        <small>
          {!is_read && <span className="badge">New</span>} <DateTime at={at} />
          {isSuper && about_tenant_name && ` · ${about_tenant_name}`}
        </small>
        {mayMute && (
          <Quiet
            disabled={mute.busy}
            title="For a day, for everybody"
            onClick={() => void mute.run({ body: { kind, tenant_id: notification.tenant_id, is_muted: true } })}
          >
            Mute: {name}
          </Quiet>
        )}
      </div>
    </li>
  );
}

/** How many notifications the person has not read, refreshed every minute and after reading some. */
const { usePolling: useUnread, reloadVisible: reloadUnread } = createPolling(
  (api, _tenantId, signal) => api.countUnreadNotifications({}, { signal }),
  { firstMs: 0, everyMs: NOTIFICATIONS_EVERY_MS },
);
