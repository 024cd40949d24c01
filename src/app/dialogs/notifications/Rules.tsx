import { useState } from 'react';
import type { NotificationChannel, NotificationRule } from '../../../contract/entities';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import { useResource } from '../../hooks/useResource';
import { useApi } from '../../state/session';
import { DateTime } from '../../ui/DateTime';
import { Rows } from '../../ui/Rows';
import { TableFrame } from '../../ui/TableFrame';
import { EditRule } from './EditRule';
import { channelLabels, describeRule, ruleNames } from './ruleTexts';

const columns = ['Rings when', 'State', 'Sent to', 'Actions'];

/** Every rule with its state. A rule is always seen in the app; its channels are where it goes besides. */
export function Rules({ owner, channels }: { owner: number; channels: readonly NotificationChannel[] }) {
  const api = useApi();
  const [edited, setEdited] = useState<NotificationRule | null>(null);
  const rules = useResource(
    (signal) => api.listNotificationRules({ tenant_id: owner }, { signal }),
    [api, owner],
    detailOr('Failed to fetch rules'),
  );
  return (
    <section aria-label="Rules">
      <h3>Rules</h3>
      <TableFrame label="Rules">
        <table className="stack">
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <Rows of={rules} span={columns.length}>
            {(rule) => (
              <RuleRow
                key={rule.kind}
                rule={rule}
                owner={owner}
                channels={channels}
                onEdit={() => setEdited(rule)}
                reload={rules.reload}
              />
            )}
          </Rows>
        </table>
      </TableFrame>
      {edited && (
        <EditRule
          rule={edited}
          owner={owner}
          channels={channels}
          onClose={() => setEdited(null)}
          onSaved={rules.reload}
        />
      )}
    </section>
  );
}

function RuleRow({
  rule,
  owner,
  channels,
  onEdit,
  reload,
}: {
  rule: NotificationRule;
  owner: number;
  channels: readonly NotificationChannel[];
  onEdit: () => void;
  reload: () => Promise<unknown>;
}) {
  const api = useApi();
  const name = ruleNames[rule.kind] ?? rule.kind;
  const isMuted = rule.muted_until !== null;
  const mute = useAction(api.muteNotificationRule, {
    done: isMuted ? 'Rule is no longer muted' : 'Rule muted for a day',
    failed: detailOr('Failed to mute the rule'),
    onDone: reload,
  });
  const sent = channels.filter(({ id }) => rule.channel_ids?.includes(id));
  return (
    <tr>
      <td>{describeRule(rule)}</td>
      <td>
        {!rule.is_active ? (
          'Off'
        ) : isMuted ? (
          <>
            Muted until <DateTime at={rule.muted_until} />
          </>
        ) : (
          'On'
        )}
        {rule.is_active && rule.is_urgent && <small> Also in quiet hours</small>}
      </td>
      <td>
        {rule.channel_ids === null && channels.length > 0
          ? 'Every channel'
          : sent.length
            ? sent.map(({ id, kind, target }) => <div key={id}>{`${channelLabels[kind] ?? kind} ${target}`}</div>)
            : 'The app only'}
      </td>
      <td className="actions">
        <button type="button" aria-label={`Edit ${name}`} aria-haspopup="dialog" onClick={onEdit}>
          Edit
        </button>{' '}
        {rule.is_active && (
          <button
            type="button"
            className="secondary"
            disabled={mute.busy}
            aria-label={`${isMuted ? 'Unmute' : 'Mute'} ${name}`}
            onClick={() => void mute.run({ body: { kind: rule.kind, tenant_id: owner, is_muted: !isMuted } })}
          >
            {isMuted ? 'Unmute' : 'Mute for a day'}
          </button>
        )}
      </td>
    </tr>
  );
}
