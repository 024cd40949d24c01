import { useRef } from 'react';
import {
  MANUAL_REDEEM_MIN,
  MANUAL_REDEEM_STEP,
  manualRedeemPlatforms,
  payoutMethods,
} from '../../../contract/constants';
import type { ManualRedeemForm, PlayerHit } from '../../../contract/entities';
import { toAmount } from '../../api/amount';
import { detailOr } from '../../hooks/useErrorToast';
import { useForm } from '../../hooks/useForm';
import { PlayerSearch } from '../../parts/PlayerSearch';
import { useApi, useFeature } from '../../state/session';
import { AmountField } from '../../ui/AmountField';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';

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
  const made = useRef<number>(null);
  const form = useForm<ManualRedeemFields & { player: PlayerHit | null }>({
    initial: { player: null, platform: '', amount: '', payout_method: '', payout_address: '', description: '' },
    draft: `manual redeem ${tenantId ?? ''}`,
    check(typed) {
      const body = readManualRedeem(typed.player, typed);
      return typeof body === 'string' ? body : true;
    },
    async send(typed, options) {
      const body = readManualRedeem(typed.player, typed);
      if (typeof body === 'string') return;
      const owner = mayNameTenant && typed.player?.tenant_id !== undefined ? { tenant_id: typed.player.tenant_id } : {};
      made.current = toAmount(Object(await api.createManualRedeem({ body: { ...body, ...owner } }, options)).id);
    },
    done: 'Manual redeem created successfully',
    failed: detailOr('Failed to create manual redeem'),
    reload: () => onSaved(made.current),
    onDone: onClose,
  });
  const { field } = form;

  return (
    <FormDialog title="Create Manual Redeem" submit="Create" noValidate {...form.dialog} onClose={onClose}>
      <PlayerSearch
        key={String(form.dialog.draft.isRestored)}
        tenantId={tenantId}
        chosen={form.values.player}
        onChoose={(player) => form.set({ player })}
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
