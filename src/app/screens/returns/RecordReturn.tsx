import { MANUAL_REDEEM_MIN, MANUAL_REDEEM_STEP, manualRedeemPlatforms } from '../../../contract/constants';
import type { PlayerHit, ReturnForm } from '../../../contract/entities';
import { toAmount } from '../../api/amount';
import { detailOr } from '../../hooks/useErrorToast';
import { useForm } from '../../hooks/useForm';
import { PlayerSearch } from '../../parts/PlayerSearch';
import { useApi } from '../../state/session';
import { AmountField } from '../../ui/AmountField';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { formatPlatform } from '../../ui/formatPlatform';
import { Select } from '../../ui/Select';

interface Fields {
  player: PlayerHit | null;
  platform: string;
  amount: string;
  description: string;
}

/** The form to send, or the message about what is missing. */
function readReturn({ player, platform, amount: typed, description: about }: Fields): string | ReturnForm {
  if (!player) return 'Please select a user';
  if (!platform || !typed.trim()) return 'Please fill in all required fields';
  const amount = toAmount(typed),
    description = about.trim();
  if (amount === null || amount < MANUAL_REDEEM_MIN || Number(amount.toFixed(2)) !== amount)
    return 'Please enter a valid amount';
  return {
    user_email: player.email,
    platform,
    amount,
    ...(description && { description }),
    ...(player.tenant_id !== undefined && { tenant_id: player.tenant_id }),
  };
}

/** What a player won comes back from a game platform. */
export function RecordReturn({
  tenantId,
  onClose,
  onSaved,
}: {
  tenantId: number | undefined;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}) {
  const api = useApi();
  const form = useForm<Fields>({
    initial: { player: null, platform: '', amount: '', description: '' },
    draft: `return ${tenantId ?? ''}`,
    check(typed) {
      const body = readReturn(typed);
      return typeof body === 'string' ? body : true;
    },
    async send(typed, options) {
      const body = readReturn(typed);
      if (typeof body !== 'string') await api.createReturn({ body }, options);
    },
    done: 'Return recorded',
    failed: detailOr('Failed to record the return'),
    reload: onSaved,
    onDone: onClose,
  });
  const { field } = form;
  return (
    <FormDialog title="Record Return" submit="Record" noValidate {...form.dialog} onClose={onClose}>
      <PlayerSearch
        key={String(form.dialog.draft.isRestored)}
        tenantId={tenantId}
        chosen={form.values.player}
        onChoose={(player) => form.set({ player })}
      />
      <Select
        label="Platform"
        options={[
          { value: '', label: 'Choose a platform' },
          ...manualRedeemPlatforms.map((name) => ({ value: name, label: formatPlatform(name) })),
        ]}
        {...field('platform')}
      />
      <AmountField
        label="Amount"
        inputMode="decimal"
        min={MANUAL_REDEEM_MIN}
        step={MANUAL_REDEEM_STEP}
        {...field('amount')}
      />
      <Field label="Description" hint="Optional" {...field('description')} />
    </FormDialog>
  );
}
