import { useRef } from 'react';
import type { ManualRedeemForm } from '../../../contract/entities';
import { manualRedeemPlatforms, payoutMethods } from '../../../contract/platforms';
import { toAmount } from '../../api/amount';
import { detailOr } from '../../hooks/useErrorToast';
import { useForm } from '../../hooks/useForm';
import { noMoney, type PlayerMoney, PlayerMoneyDialog, readMoney } from '../../parts/PlayerMoneyDialog';
import { useApi, useFeature } from '../../state/session';
import { Field } from '../../ui/Field';
import { Select } from '../../ui/Select';

export interface ManualRedeemFields extends PlayerMoney {
  payout_method: string;
  payout_address: string;
}

/** The form to send, or the message about what is missing (docs/product.md, "Redeems"). */
export function readManualRedeem(typed: ManualRedeemFields): string | ManualRedeemForm {
  const platform = manualRedeemPlatforms.find((name) => name === typed.platform);
  const payout_method = payoutMethods.find((name) => name === typed.payout_method);
  const payout_address = typed.payout_address.trim();
  const body = readMoney(typed, platform, payout_method, payout_address);
  if (typeof body === 'string' || !platform || !payout_method) return String(body);
  return { ...body, platform, payout_method, payout_address };
}

interface Props {
  tenantId?: number | undefined;
  onClose: () => void;
  /** With the id of the redeem, if the server answers it. */
  onSaved: (id: number | null) => Promise<unknown>;
}
/** A redeem entered by staff, for a player found by e-mail (docs/product.md, "Redeems"). */
export function ManualRedeem({ tenantId, onClose, onSaved }: Props) {
  const api = useApi();
  const mayNameTenant = useFeature('redeem_tenant');
  const made = useRef<number>(null);
  const form = useForm<ManualRedeemFields>({
    initial: { ...noMoney, payout_method: '', payout_address: '' },
    draft: `manual redeem ${tenantId ?? ''}`,
    check(typed) {
      const body = readManualRedeem(typed);
      return typeof body === 'string' ? body : true;
    },
    async send(typed, options) {
      const body = readManualRedeem(typed);
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
    <PlayerMoneyDialog
      title="Create Manual Redeem"
      submit="Create"
      form={form}
      tenantId={tenantId}
      platform={
        <Select
          label="Platform"
          options={[{ value: '', label: 'Choose a platform' }, ...manualRedeemPlatforms]}
          {...field('platform')}
        />
      }
      onClose={onClose}
    >
      <Select
        label="Payout Method"
        options={[{ value: '', label: 'Choose a payout method' }, ...payoutMethods]}
        {...field('payout_method')}
      />
      <Field label="Payout Address" autoComplete="off" {...field('payout_address')} />
    </PlayerMoneyDialog>
  );
}
