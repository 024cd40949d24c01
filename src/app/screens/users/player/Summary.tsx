import { useState } from 'react';
import type { ChangeReason, PlayerDetails } from '../../../../contract/entities';
import { useAction } from '../../../hooks/useAction';
import { detailOr } from '../../../hooks/useErrorToast';
import { WaitingEdits } from '../../../parts/approvals/WaitingEdits';
import { ChangeReasonFields } from '../../../parts/ChangeReasonFields';
import { CommandButton } from '../../../parts/CommandButton';
import { CopyButton } from '../../../parts/CopyButton';
import { cleanReason, formatReason } from '../../../parts/formatReason';
import { useApi, useMay } from '../../../state/session';
import { DateTime } from '../../../ui/DateTime';
import { FormDialog } from '../../../ui/FormDialog';
import { Money } from '../../../ui/Money';
import { EditBalances } from '../EditBalances';
import { UserForm } from '../UserForm';

/** Who it is, what is done to them most, and their figures: above every part. */
export function Summary({ file, reload }: { file: PlayerDetails; reload: () => Promise<unknown> }) {
  const { player, hold, tags = [], tenant_name } = file;
  const [open, setOpen] = useState<'Edit' | 'Edit Balances' | null>(null);
  const onClose = () => setOpen(null);
  const maySupport = useMay('support'),
    mayEdit = useMay('money'),
    mayHold = useMay('payouts');
  const offered = [...(maySupport ? ['Edit' as const] : []), ...(mayEdit ? ['Edit Balances' as const] : [])];
  const figures = [
    ['Credit', player.credit_balance],
    ['Bonus', player.bonus_balance],
    ['VIP', player.vip_balance],
    ['Loyalty', player.loyalty_balance],
    ['Held', file.held_balance],
  ] as const;
  return (
    <>
      <div className="bar">
        <p className="chips">
          <b>
            <bdi>{[player.first_name, player.last_name].filter(Boolean).join(' ')}</bdi>
          </b>
          <span>{tenant_name}</span>
          <span>
            ID {player.id} <CopyButton what="ID" text={player.id} />
          </span>
          {player.is_active === false && <span className="badge">Inactive</span>}
          {tags.map((tag) => (
            <span key={tag} className="tag">
              {tag}
            </span>
          ))}
        </p>
        <div className="tools">
          {offered.map((name) => (
            <CommandButton key={name} className="secondary" aria-haspopup="dialog" onClick={() => setOpen(name)}>
              {name}
            </CommandButton>
          ))}
          {mayHold && <Hold file={file} reload={reload} />}
        </div>
      </div>
      {hold && (
        <p>
          <span className="badge">Payouts on hold</span> by {hold.by}, <DateTime at={hold.created_at} />, reason:{' '}
          {formatReason(hold)}. Redeems of this player cannot be set to Success.
        </p>
      )}
      <WaitingEdits player={player} />
      <dl className="player-figures">
        {figures.map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Money amount={amount} />
            </dd>
          </div>
        ))}
        <div>
          <dt>Individual GGR</dt>
          <dd>
            <Money amount={player.individual_ggr} signed />
          </dd>
        </div>
      </dl>
      {open === 'Edit' && <UserForm player={player} tenantId={player.tenant_id} onClose={onClose} onSaved={reload} />}
      {open === 'Edit Balances' && <EditBalances player={player} onClose={onClose} onSaved={reload} />}
    </>
  );
}

/** Holds the payouts, after a question that takes the reason, or releases them. */
function Hold({ file: { player, hold }, reload }: { file: PlayerDetails; reload: () => Promise<unknown> }) {
  const api = useApi();
  const [why, setWhy] = useState<ChangeReason | null>(null);
  const change = useAction(api.holdPayouts, {
    done: ({ hold }) => (hold ? 'Payouts are on hold' : 'Payouts are released'),
    failed: detailOr('Failed to change the hold'),
    onDone: reload,
  });
  const close = () => setWhy(null);
  async function submit() {
    if (await change.run({ id: player.id, body: { is_held: true, ...cleanReason(why ?? {}) } })) close();
  }
  const name = hold ? 'Release payouts' : 'Hold payouts';
  const run = () => (hold ? void change.run({ id: player.id, body: { is_held: false } }) : setWhy({}));
  return (
    <>
      <CommandButton className="secondary" disabled={change.busy} onClick={run}>
        {name}
      </CommandButton>
      {why && (
        <FormDialog
          title="Hold payouts?"
          submit="Hold payouts"
          disabled={change.busy}
          onClose={close}
          onSubmit={submit}
        >
          <p>{player.email}</p>
          <ChangeReasonFields label="Reason" typed={why} onChange={setWhy} />
        </FormDialog>
      )}
    </>
  );
}
