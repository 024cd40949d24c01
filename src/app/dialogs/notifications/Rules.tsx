import { useState } from 'react';
import { PLATFORM_TENANT_ID } from '../../../contract/constants';
import type { NotificationChannel, NotificationRule } from '../../../contract/entities';
import { isListed, type ListedKind } from '../../../contract/notifications';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { ListedRows } from '../../parts/alarms/ListedRows';
import { useApi } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { EditRule } from './EditRule';
import { channelLabels, describeRule, nameRule } from './ruleTexts';

/** Every rule with its state. A rule is always seen in the app; its channels are where it goes besides. */
export function Rules({ owner, channels }: { owner: number; channels: readonly NotificationChannel[] }) {
  const api = useDialogApi();
  const heads = ['On', ['When', 'head'], channels.length > 0 && 'Also sent to', 'Actions'] as const;
  const [edited, setEdited] = useState<NotificationRule | null>(null);
  const [listed, setListed] = useState<ListedKind | null>(null);
  const rules = useCall(api.listNotificationRules, { tenant_id: owner }, detailOr('Failed to fetch rules'));
  return (
    <>
      <p>What a rule finds is seen in the app{channels.length ? '.' : ' only. A channel sends it further.'}</p>
      <DataTable label="Rules" heads={heads} of={rules}>
        {(rule) => (
          <RuleRow
            key={rule.kind}
            rule={rule}
            owner={owner}
            channels={channels}
            onEdit={() => setEdited(rule)}
            onList={setListed}
            reload={rules.reload}
          />
        )}
      </DataTable>
      {edited && (
        <EditRule
          rule={edited}
          owner={owner}
          channels={channels}
          onClose={() => setEdited(null)}
          onSaved={rules.reload}
        />
      )}
      {listed && (
        <ListedRows
          kind={listed}
          tenantId={owner === PLATFORM_TENANT_ID ? undefined : owner}
          onClose={() => setListed(null)}
        />
      )}
    </>
  );
}

interface Props {
  rule: NotificationRule;
  owner: number;
  channels: readonly NotificationChannel[];
  onEdit: () => void;
  onList: (kind: ListedKind) => void;
  reload: () => Promise<unknown>;
}
function RuleRow({ rule, owner, channels, onEdit, onList, reload }: Props) {
  const api = useDialogApi();
  const { kind } = rule;
  const name = nameRule(kind);
  const isMuted = rule.muted_until !== null;
  const mute = useAction(useApi().muteNotificationRule, {
    done: isMuted ? 'Rule is no longer muted' : 'Rule muted for a day',
    failed: detailOr('Failed to mute the rule'),
    onDone: reload,
  });
  const save = useAction(api.saveNotificationRule, {
    done: rule.is_active ? 'Rule switched off' : 'Rule switched on',
    failed: detailOr('Failed to save the rule'),
    onDone: reload,
  });
  const saved = { tenant_id: owner, kind, threshold: rule.threshold, channel_ids: rule.channel_ids };
  const chosen = channels.filter(({ id }) => rule.channel_ids?.includes(id));
  const sent =
    rule.channel_ids === null
      ? ['Every channel']
      : chosen.map(({ kind, target }) => `${channelLabels[kind] ?? kind} ${target}`);
  return (
    <tr>
      <td className="on">
        <label className="switch">
          <input
            type="checkbox"
            role="switch"
            aria-label={`${name} is on`}
            checked={rule.is_active}
            disabled={save.busy}
            aria-busy={save.busy}
            onChange={() => void save.run({ body: { ...saved, is_active: !rule.is_active } })}
          />
        </label>
      </td>
      <td className="head">
        {describeRule(rule)}
        {isMuted && rule.is_active && (
          <>
            {' '}
            <small className="badge">
              Muted until <DateTime at={rule.muted_until} />
            </small>
          </>
        )}
      </td>
      {channels.length > 0 && (
        <td data-label="Also sent to" className={sent.length ? undefined : 'none'}>
          {sent.map((one) => (
            <div key={one}>{one}</div>
          ))}
        </td>
      )}
      <td className="actions">
        <button type="button" aria-label={`Edit ${name}`} aria-haspopup="dialog" onClick={onEdit}>
          Edit
        </button>{' '}
        {isListed(kind) && (
          <Button aria-label={`Show rows: ${name}`} aria-haspopup="dialog" onClick={() => onList(kind)}>
            Show rows
          </Button>
        )}{' '}
        {rule.is_active && (
          <Button
            disabled={mute.busy}
            aria-label={`${isMuted ? 'Unmute' : 'Mute for a day'}: ${name}`}
            onClick={() => void mute.run({ body: { kind, tenant_id: owner, is_muted: !isMuted } })}
          >
            {isMuted ? 'Unmute' : 'Mute for a day'}
          </Button>
        )}
      </td>
    </tr>
  );
}
