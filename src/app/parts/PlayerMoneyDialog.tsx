import type { ReactNode } from 'react';
import { MANUAL_REDEEM_MIN, MANUAL_REDEEM_STEP } from '../../contract/constants';
import type { PlayerHit } from '../../contract/entities';
import { toAmount } from '../api/amount';
import type { Form } from '../hooks/useForm';
import { AmountField } from '../ui/AmountField';
import { Field } from '../ui/Field';
import { FormDialog } from '../ui/FormDialog';
import { PlayerSearch } from './PlayerSearch';

/** What staff type when they enter a redeem or a return. */
export interface PlayerMoney {
  player: PlayerHit | null;
  platform: string;
  amount: string;
  description: string;
}
export const noMoney: PlayerMoney = { player: null, platform: '', amount: '', description: '' };

/** What to send of it, or the message about what is missing (docs/product.md, "Redeems"). */
export function readMoney(typed: PlayerMoney, ...required: readonly unknown[]) {
  if (!typed.player) return 'Please select a user';
  if (!typed.amount.trim() || !typed.platform || !required.every(Boolean)) return 'Please fill in all required fields';
  const amount = toAmount(typed.amount),
    description = typed.description.trim();
  if (amount === null || amount < MANUAL_REDEEM_MIN || Number(amount.toFixed(2)) !== amount)
    return 'Please enter a valid amount';
  return { user_email: typed.player.email, amount, description };
}

interface Props {
  title: string;
  submit: string;
  form: Form<PlayerMoney>;
  tenantId: number | undefined;
  /** The field of the platform. */
  platform: ReactNode;
  /** What another player clears. */
  cleared?: Partial<PlayerMoney>;
  /** Further fields, between amount and description. */
  children?: ReactNode;
  onClose: () => void;
}
/** Money of a player who is found by e-mail. */
export function PlayerMoneyDialog({ title, submit, form, tenantId, platform, cleared, children, onClose }: Props) {
  return (
    <FormDialog title={title} submit={submit} noValidate {...form.dialog} onClose={onClose}>
      <PlayerSearch
        key={String(form.dialog.draft.isRestored)}
        tenantId={tenantId}
        chosen={form.values.player}
        onChoose={(player) => form.set({ player, ...cleared })}
      />
      <div className="grid">
        {platform}
        <AmountField
          label="Amount"
          inputMode="decimal"
          min={MANUAL_REDEEM_MIN}
          step={MANUAL_REDEEM_STEP}
          {...form.field('amount')}
        />
        {children}
      </div>
      <Field label="Description" hint="Optional" {...form.field('description')} />
    </FormDialog>
  );
}
