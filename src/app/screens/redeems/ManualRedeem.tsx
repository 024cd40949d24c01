import { useState } from 'react';
import {
  MANUAL_REDEEM_MIN,
  MANUAL_REDEEM_STEP,
  manualRedeemPlatforms,
  payoutMethods,
} from '../../../contract/constants';
import type { ManualRedeemForm, PlayerHit } from '../../../contract/entities';
import { toAmount } from '../../api/amount';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import { useFields } from '../../hooks/useFields';
import { useApi, useFeature } from '../../state/session';
import { useToast } from '../../state/toasts';
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
  onSaved: () => Promise<unknown>;
}) {
  const api = useApi();
  const toast = useToast();
  const mayNameTenant = useFeature('redeem_tenant');
  const [player, setPlayer] = useState<PlayerHit | null>(null);
  const { values, field } = useFields({
    platform: '',
    amount: '',
    payout_method: '',
    payout_address: '',
    description: '',
  });
  const create = useAction(api.createManualRedeem, {
    done: 'Manual redeem created successfully',
    failed: detailOr('Failed to create manual redeem'),
    onDone: onSaved,
  });

  async function submit() {
    const body = readManualRedeem(player, values);
    if (typeof body === 'string') return toast.error(body);
    const owner = mayNameTenant && player?.tenant_id !== undefined ? { tenant_id: player.tenant_id } : {};
    if (await create.run({ body: { ...body, ...owner } })) onClose();
  }

  return (
    <FormDialog
      title="Create Manual Redeem"
      submit="Create"
      noValidate
      disabled={create.busy}
      onClose={onClose}
      onSubmit={submit}
    >
      <PlayerSearch tenantId={tenantId} onChoose={setPlayer} />
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
