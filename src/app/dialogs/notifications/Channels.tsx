import { useState } from 'react';
import { PLATFORM_TENANT_ID } from '../../../contract/constants';
import type { NotificationChannel } from '../../../contract/entities';
import { CHANNELS_MAX, type ChannelKind, channelKinds } from '../../../contract/notifications';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import { useForm } from '../../hooks/useForm';
import type { Resource } from '../../hooks/useResource';
import { SaveOnce } from '../../parts/SaveOnce';
import { useFeature } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { CheckBox } from '../../ui/CheckBox';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Field } from '../../ui/Field';
import { Select } from '../../ui/Select';
import { channelLabels } from './ruleTexts';

const columns = ['Kind', 'Goes to', 'Since', 'Actions'];
const targetLabels: Readonly<Record<ChannelKind, string>> = {
  email: 'E-mail address',
  webhook: 'Address of your system',
  chat: 'Address of the incoming webhook',
  events: 'Address of your system',
};

const NO_MAIL = 'This server cannot send mail yet. Whoever runs it can change that.';

interface Props {
  owner: number;
  channels: Resource<NotificationChannel[]>;
  hasEmail: boolean;
  onTested: () => Promise<unknown>;
}
/** Where notifications go besides the app. */
export function Channels({ owner, channels, hasEmail, onTested }: Props) {
  const api = useDialogApi();
  const [made, setMade] = useState<{ target: string; secret: string } | null>(null);
  const hasEvents = useFeature('events') && owner !== PLATFORM_TENANT_ID;
  const usual = hasEmail ? 'email' : 'webhook';
  const form = useForm<{ kind?: ChannelKind; target: string; with_addresses?: boolean }>({
    initial: { target: '' },
    async send({ kind = usual, ...typed }, options) {
      const { target, secret } = await api.addNotificationChannel(
        { body: { tenant_id: owner, ...typed, kind } },
        options,
      );
      if (secret) setMade({ target, secret });
    },
    done: 'Channel added',
    failed: 'Failed to add the channel',
    shownAt: ['target'],
    reload: channels.reload,
  });
  const { kind = usual, target } = form.values;
  return (
    <>
      <DataTable
        label="Channels"
        heads={columns}
        of={channels}
        empty="No channels yet: notifications are seen in the app only."
      >
        {(one) => (
          <ChannelRow key={one.id} channel={one} reload={channels.reload} onTested={onTested} onSecret={setMade} />
        )}
      </DataTable>
      {made ? (
        <div>
          <Field
            label={`Signing secret of ${made.target}`}
            readOnly
            autoFocus
            spellCheck={false}
            value={made.secret}
            hint={`Shown only once. Your system checks the header ${hasEvents ? 'webhook-signature' : 'X-Signature'} with it.`}
            onFocus={(event) => event.target.select()}
          />
          <SaveOnce
            what="Signing secret"
            text={made.secret}
            file="webhook-secret.txt"
            submit="I have saved it"
            onSaved={() => setMade(null)}
          />
        </div>
      ) : (
        <form onSubmit={form.onSubmit}>
          <div className="grid">
            <Select
              label="Kind"
              value={kind}
              options={channelKinds
                .filter((value) => value !== 'events' || hasEvents)
                .map((value) => ({ value, label: channelLabels[value] }))}
              onChange={(event) => {
                const chosen = channelKinds.find((one) => one === event.target.value) ?? 'email';
                form.set({ kind: chosen, ...(chosen !== 'events' && { with_addresses: undefined }) });
              }}
            />
            <Field
              label={targetLabels[kind]}
              type={kind === 'email' ? 'email' : 'url'}
              required
              autoComplete="off"
              maxLength={1000}
              hint={kind !== 'email' ? 'Must begin with https://' : hasEmail ? undefined : NO_MAIL}
              {...form.field('target')}
              error={form.errorAt('target')?.replace(/^Expected/, 'Enter')}
            />
          </div>
          {kind === 'events' && (
            <>
              <p>Your system is told of every change of a player, payment or hold. Notifications do not go there.</p>
              <CheckBox
                label="With the addresses that redeems are paid to"
                checked={form.values.with_addresses ?? false}
                onChange={(with_addresses) => form.set({ with_addresses })}
              />
            </>
          )}
          <p>
            <button disabled={form.busy || !target.trim() || (channels.data?.length ?? 0) >= CHANNELS_MAX}>
              Add channel
            </button>
          </p>
        </form>
      )}
    </>
  );
}

/** Its owner reads the code in the mail and tells it. */
function Confirm({ id, target, reload }: { id: number; target: string; reload: () => Promise<unknown> }) {
  const api = useDialogApi();
  const form = useForm<{ code: string }>({
    initial: { code: '' },
    send: ({ code }, options) => api.confirmNotificationChannel({ id, body: { code } }, options),
    done: 'Address confirmed',
    failed: detailOr('Failed to confirm the address'),
    reload,
  });
  return (
    <form onSubmit={form.onSubmit}>
      <Field
        label={`Code sent to ${target}`}
        required
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        hint="Nothing else is sent there until it is entered."
        {...form.field('code')}
      />
      <button disabled={form.busy}>Confirm</button>
    </form>
  );
}

function ChannelRow({
  channel: { id, kind, target, created_at, is_confirmed = true, is_active = true, with_addresses },
  reload,
  onTested,
  onSecret,
}: {
  channel: NotificationChannel;
  onSecret: (made: { target: string; secret: string }) => void;
  reload: () => Promise<unknown>;
  onTested: () => Promise<unknown>;
}) {
  const api = useDialogApi();
  const name = `${channelLabels[kind] ?? kind} ${target}`;
  const test = useAction(api.testNotificationChannel, {
    done: is_confirmed ? 'A test is on its way; see Deliveries' : 'The code is on its way; see Deliveries',
    failed: detailOr('Failed to send a test'),
    onDone: onTested,
  });
  const hasEvents = useFeature('events');
  const switched = useAction(api.switchNotificationChannel, {
    done: 'Channel switched on',
    failed: detailOr('Failed to switch the channel on'),
    onDone: reload,
  });
  const renewed = useAction(
    async (input: { id: number }, options) => onSecret({ target, ...(await api.renewChannelSecret(input, options)) }),
    { done: null, failed: detailOr('Failed to make a new secret') },
  );
  const remove = useAction(api.removeNotificationChannel, {
    done: 'Channel removed',
    failed: detailOr('Failed to remove the channel'),
    onDone: () => Promise.all([reload(), onTested()]),
  });
  return (
    <tr>
      <td>{channelLabels[kind] ?? kind}</td>
      <td>
        {target}
        {with_addresses && ', with payout addresses'}
        {!is_active && <strong> Switched off: it answered that it is gone.</strong>}
        {!is_confirmed && <Confirm id={id} target={target} reload={reload} />}
      </td>
      <td>
        <DateTime at={created_at} />
      </td>
      <td className="actions">
        <Button
          disabled={test.busy}
          aria-label={`${is_confirmed ? 'Send a test' : 'Send the code again'}: ${name}`}
          onClick={() => void test.run({ id })}
        >
          {is_confirmed ? 'Send a test' : 'Send the code again'}
        </Button>{' '}
        {!is_active && (
          <Button
            disabled={switched.busy}
            aria-label={`Switch on ${name}`}
            onClick={() => void switched.run({ id, body: { is_active: true } })}
          >
            Switch on
          </Button>
        )}{' '}
        {hasEvents && (kind === 'webhook' || kind === 'events') && (
          <Button
            disabled={renewed.busy}
            aria-label={`New secret: ${name}`}
            onClick={() => {
              if (confirm(`Make a new signing secret for ${name}? The old one works for another day.`))
                void renewed.run({ id });
            }}
          >
            New secret
          </Button>
        )}{' '}
        <button
          type="button"
          className="danger"
          disabled={remove.busy}
          aria-label={`Remove ${name}`}
          onClick={() => {
            if (confirm(`Remove ${name}? What is still to be sent there is not sent.`)) void remove.run({ id });
          }}
        >
          Remove
        </button>
      </td>
    </tr>
  );
}
