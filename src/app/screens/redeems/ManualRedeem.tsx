import { useRef } from 'react';
import {
  MANUAL_REDEEM_MIN,
  MANUAL_REDEEM_STEP,
  manualRedeemPlatforms,
  payoutMethods,
} from '../../../contract/constants';
import type { ManualRedeemForm, PlayerHit } from '../../../contract/entities';
import { toAmount } from '../../api/amount';
import { useAction } from '../../hooks/useAction';
import { joinDrafts, useDraft } from '../../hooks/useDraft';
import { detailOr } from '../../hooks/useErrorToast';
import { useFields } from '../../hooks/useFields';
import { useApi, useFeature } from '../../state/session';
import { AmountField } from '../../ui/AmountField';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { PlayerSearch } from './PlayerSearch';

export interface ManualRedeemFields {
  platform: string;
  amount: string;
  payout_method: string;
  payout_address: string;
  description: string;
}

/** The form to send, or the message about what is missing (docs/product.md, "Redeems"). */
export function readManualRedeem(player: PlayerHit | null, fields: ManualRedeemFields): string | ManualRedeemForm {
  if (!player) return 'Please select a user';
  const platform = manualRedeemPlatforms.find((name) => name === fields.platform);
  const payout_method = payoutMethods.find((name) => name === fields.payout_method);
  const payout_address = fields.payout_address.trim(),
    description = fields.description.trim();
  if (!fields.amount.trim() || !platform || !payout_method || !payout_address)
    return 'Please fill in all required fields';
  const amount = toAmount(fields.amount);
  if (amount === null || amount < MANUAL_REDEEM_MIN || Number(amount.toFixed(2)) !== amount)
    return 'Please enter a valid amount';
  return {
    user_email: player.email,
    amount,
    platform,
    payout_method,
    payout_address,
    ...(description && { description }),
  };
}

/** A redeem entered by staff, for a player found by e-mail (docs/product.md, "Redeems"). */
export function ManualRedeem({
  tenantId,
  onClose,
  onSaved,
}: {
  tenantId?: number | undefined;
  onClose: () => void;
  /** With the id of the redeem, if the server answers it. */
  onSaved: (id: number | null) => Promise<unknown>;
}) {
  const api = useApi();
  const mayNameTenant = useFeature('redeem_tenant');
  const name = `manual redeem ${tenantId ?? ''}`;
  const chosen = useDraft<{ player: PlayerHit | null }>(`${name}, player`, { player: null });
  const { player } = chosen.value;
  const { values, field, ...fields } = useFields(
    { platform: '', amount: '', payout_method: '', payout_address: '', description: '' },
    { draft: name },
  );
  const draft = joinDrafts(chosen, fields.draft);
  const made = useRef<number>(null);
  const create = useAction(
    async (input: { body: ManualRedeemForm }, options) => {
      made.current = toAmount(Object(await api.createManualRedeem(input, options)).id);
    },
    {
      done: 'Manual redeem created successfully',
      failed: detailOr('Failed to create manual redeem'),
      onDone: () => onSaved(made.current),
    },
  );

  async function submit() {
    const body = readManualRedeem(player, values);
    if (typeof body === 'string') return create.refuse(body);
    const owner = mayNameTenant && player?.tenant_id !== undefined ? { tenant_id: player.tenant_id } : {};
    if (!(await create.run({ body: { ...body, ...owner } }))) return;
    draft.clear();
    onClose();
  }

  return (
    <FormDialog
      title="Create Manual Redeem"
      submit="Create"
      noValidate
      disabled={create.busy}
      draft={draft}
      onClose={onClose}
      onSubmit={submit}
    >
      <PlayerSearch
        key={String(draft.isRestored)}
        tenantId={tenantId}
        chosen={player}
        onChoose={(player) => chosen.set({ player })}
      />
      <Select
        label="Platform"
        options={[{ value: '', label: 'Choose a platform' }, ...manualRedeemPlatforms]}
        {...field('platform')}
      />
      <AmountField
        label="Amount"
        inputMode="decimal"
        min={MANUAL_REDEEM_MIN}
        step={MANUAL_REDEEM_STEP}
        {...field('amount')}
      />
      <Select
        label="Payout Method"
        options={[{ value: '', label: 'Choose a payout method' }, ...payoutMethods]}
        {...field('payout_method')}
      />
      <Field label="Payout Address" autoComplete="off" {...field('payout_address')} />
      <Field label="Description" hint="Optional" {...field('description')} />
    </FormDialog>
  );
}
