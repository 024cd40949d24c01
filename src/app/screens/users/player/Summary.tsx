import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { ChangeReason, Player, PlayerDetails } from '../../../../contract/entities';
import { useAction } from '../../../hooks/useAction';
import { detailOr } from '../../../hooks/useErrorToast';
import { useForm } from '../../../hooks/useForm';
import { WaitingEdits } from '../../../parts/approvals/WaitingEdits';
import { ChangeReasonFields } from '../../../parts/ChangeReasonFields';
import { CommandButton } from '../../../parts/CommandButton';
import { CopyButton } from '../../../parts/CopyButton';
import { cleanReason, formatReason } from '../../../parts/formatReason';
import { TemplateLinks, useLinkTemplates } from '../../../parts/links/TemplateLinks';
import { useApi, useFeature, useMay } from '../../../state/session';
import { DateTime } from '../../../ui/DateTime';
import { FormDialog } from '../../../ui/FormDialog';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';
import { PlainFigures } from '../../../ui/PlainFigures';
import { EditBalances } from '../EditBalances';
import { UserForm } from '../UserForm';

const Eligibility = lazyWithRetry(() => import('./Eligibility').then((file) => file.Eligibility));
const PersonalData = lazyWithRetry(() => import('./PersonalData').then((file) => file.PersonalData));
const Protection = lazyWithRetry(() => import('./Protection').then((file) => file.Protection));

/** Who it is, their figures, and what is done to them most: above every part. */
export function Summary({ file, reload }: { file: PlayerDetails; reload: () => Promise<unknown> }) {
  const { player, hold, tags = [], tenant_name } = file;
  const isProtected = useFeature('protection'),
    isChecked = useFeature('eligibility'),
    hasData = useFeature('personal_data');
  const templates = useLinkTemplates(player.tenant_id);
  const [open, setOpen] = useState<'Edit' | 'Edit Balances' | null>(null);
  const onClose = () => setOpen(null);
  const [state, setState] = useState<Element | null>(null);
  const maySupport = useMay('support'),
    mayEdit = useMay('money'),
    mayHold = useMay('payouts'),
    mayExport = useMay('export');
  const offered = [...(maySupport ? ['Edit' as const] : []), ...(mayEdit ? ['Edit Balances' as const] : [])];
  const values = { player_id: player.id, email: player.email };
  const figures = [
    ['Credit', player.credit_balance],
    ['Bonus', player.bonus_balance],
    ['VIP', player.vip_balance],
    ['Loyalty', player.loyalty_balance],
    ['Held', file.held_balance],
    ['Individual GGR', player.individual_ggr, true],
  ] as const;
  return (
    <>
      <p className="chips">
        <b>
          <bdi>{[player.first_name, player.last_name].filter(Boolean).join(' ')}</bdi>
        </b>
        <span>{tenant_name}</span>
        <span>
          ID {player.id} <CopyButton what="ID" text={player.id} />
        </span>
        {player.is_active === false && <span className="badge">Inactive</span>}
        <span ref={setState} />
        {tags.map((tag) => (
          <span key={tag} className="chip">
            {tag}
          </span>
        ))}
        <TemplateLinks templates={templates.data} kind="player" values={values} />
      </p>
      {hold && (
        <p>
          <span className="badge">Payouts on hold</span> by {hold.by}, <DateTime at={hold.created_at} />, reason:{' '}
          {formatReason(hold)}. Redeems of this player cannot be set to Success.
        </p>
      )}
      <WaitingEdits player={player} />
      <PlainFigures of={figures} />
      <div className="bar">
        <div className="tools">
          {offered.map((name) => (
            <CommandButton key={name} className="secondary" aria-haspopup="dialog" onClick={() => setOpen(name)}>
              {name}
            </CommandButton>
          ))}
          {mayHold && <Hold file={file} reload={reload} />}
          {hasData && mayExport && <PersonalData player={player} />}
        </div>
        <div className="chips">
          {isChecked && <Eligibility player={player} place={state} />}
          {isProtected && <Protection player={player} />}
        </div>
      </div>
      {open === 'Edit' && <UserForm player={player} tenantId={player.tenant_id} onClose={onClose} onSaved={reload} />}
      {open === 'Edit Balances' && <EditBalances player={player} onClose={onClose} onSaved={reload} />}
    </>
  );
}

function Hold({ file: { player, hold }, reload }: { file: PlayerDetails; reload: () => Promise<unknown> }) {
  const api = useApi();
  const [isAsking, setAsking] = useState(false);
  const release = useAction(() => api.holdPayouts({ id: player.id, body: { is_held: false } }), {
    done: 'Payouts are released',
    failed: detailOr('Failed to change the hold'),
    onDone: reload,
  });
  return (
    <>
      <CommandButton
        className="secondary"
        disabled={release.busy}
        onClick={() => (hold ? void release.run(null) : setAsking(true))}
      >
        {hold ? 'Release payouts' : 'Hold payouts'}
      </CommandButton>
      {/* Outside the bar, which has styles of its own. */}
      {isAsking &&
        createPortal(<HoldForm player={player} reload={reload} onClose={() => setAsking(false)} />, document.body)}
    </>
  );
}

function HoldForm({ player, reload, onClose }: { player: Player; reload: () => unknown; onClose: () => void }) {
  const api = useApi();
  const form = useForm<{ why: ChangeReason }>({
    initial: { why: {} },
    send: ({ why }, options) =>
      api.holdPayouts({ id: player.id, body: { is_held: true, ...cleanReason(why) } }, options),
    done: 'Payouts are on hold',
    failed: detailOr('Failed to change the hold'),
    reload,
    onDone: onClose,
  });
  return (
    <FormDialog title="Hold payouts?" submit="Hold payouts" {...form.dialog} onClose={onClose}>
      <p>{player.email}</p>
      <ChangeReasonFields label="Reason" typed={form.values.why} onChange={(why) => form.set({ why })} />
    </FormDialog>
  );
}
