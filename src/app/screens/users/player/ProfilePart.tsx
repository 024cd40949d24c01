import { type ReactNode, useState } from 'react';
import { TAG_MAX, TAGS_MAX } from '../../../../contract/constants';
import type { ChangeReason, PlayerDetails } from '../../../../contract/entities';
import { orDash } from '../../../api/parse';
import { useAction } from '../../../hooks/useAction';
import { detailOr } from '../../../hooks/useErrorToast';
import { ChangeReasonFields } from '../../../parts/ChangeReasonFields';
import { CopyableText } from '../../../parts/details/CopyableText';
import { formatReason } from '../../../parts/formatReason';
import { useApi } from '../../../state/session';
import { DateTime } from '../../../ui/DateTime';
import { Field } from '../../../ui/Field';
import { Money } from '../../../ui/Money';

interface PartProps {
  file: PlayerDetails;
  reload: () => Promise<void>;
}

/** The player's profile, tags and payout hold. */
export function ProfilePart({ file, reload }: PartProps) {
  const { player } = file;
  const lines: [string, ReactNode][] = [
    ['ID', <CopyableText what="ID" text={player.id} />],
    ['Email', <CopyableText what="Email" text={player.email} />],
    ['First Name', orDash(player.first_name)],
    ['Last Name', orDash(player.last_name)],
    ['Phone', orDash(player.phone_number)],
    ['Affiliate', orDash(player.affiliate_id)],
    ['Referral', orDash(player.referral_id)],
    ['Individual GGR', <Money amount={player.individual_ggr} signed />],
    ['Active', player.is_active ? 'Yes' : 'No'],
    ['Tenant', orDash(file.tenant_name)],
    ['Signed up', <DateTime at={file.created_at} />],
    ['Updated', <DateTime at={file.updated_at} />],
  ];
  return (
    <>
      <Hold file={file} reload={reload} />
      <Tags file={file} reload={reload} />
      <table>
        <tbody>
          {lines.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Hold({ file: { player, hold }, reload }: PartProps) {
  const api = useApi();
  const [why, setWhy] = useState<ChangeReason | null>(null);
  const change = useAction(api.holdPayouts, {
    done: ({ hold }) => (hold ? 'Payouts are on hold' : 'Payouts are released'),
    failed: detailOr('Failed to change the hold'),
    onDone: reload,
  });
  if (hold) {
    return (
      <div className="bar">
        <p>
          <span className="badge">Payouts on hold</span> by {hold.by}, <DateTime at={hold.created_at} />, reason:{' '}
          {formatReason(hold)}. Redeems of this player cannot be set to Success.
        </p>
        <button
          type="button"
          disabled={change.busy}
          onClick={() => void change.run({ id: player.id, body: { is_held: false } })}
        >
          Release payouts
        </button>
      </div>
    );
  }
  if (!why)
    return (
      <div className="bar">
        <button type="button" onClick={() => setWhy({})}>
          Hold payouts
        </button>
      </div>
    );
  const submit = async () => {
    const note = why.note?.trim();
    if (
      await change.run({
        id: player.id,
        body: { is_held: true, ...(why.reason && { reason: why.reason }), ...(note && { note }) },
      })
    )
      setWhy(null);
  };
  return (
    <form
      className="bar"
      aria-label="Hold payouts"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <ChangeReasonFields label="Reason for the hold" autoFocus typed={why} onChange={setWhy} />
      <button disabled={change.busy}>Hold payouts</button>
      <button type="button" className="secondary" onClick={() => setWhy(null)}>
        Cancel
      </button>
    </form>
  );
}

function Tags({ file: { player, tags = [] }, reload }: PartProps) {
  const api = useApi();
  const [typed, setTyped] = useState('');
  const save = useAction((next: string[]) => api.savePlayerTags({ id: player.id, body: { tags: next } }), {
    done: 'Tags saved',
    failed: detailOr('Failed to save the tags'),
    onDone: reload,
  });
  const tag = typed.trim();

  return (
    <form
      className="bar"
      onSubmit={async (event) => {
        event.preventDefault();
        if (tag && (await save.run([...tags, tag]))) setTyped('');
      }}
    >
      <ul className="chips" aria-label="Tags">
        {tags.map((one) => (
          <li key={one} className="chip">
            {one}{' '}
            <button
              type="button"
              className="link"
              aria-label={`Remove tag ${one}`}
              disabled={save.busy}
              onClick={() => void save.run(tags.filter((other) => other !== one))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <Field
        label="New tag"
        maxLength={TAG_MAX}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button disabled={save.busy || !tag || tags.length >= TAGS_MAX}>Add tag</button>
    </form>
  );
}
