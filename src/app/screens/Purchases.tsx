import { REDEEM_MAX, REDEEM_MIN } from '../../contract/constants';
import { isRedeemAmount } from '../../contract/rules';
import { isNo } from '../api/parse';
import { useCall } from '../hooks/useCall';
import { detailOr } from '../hooks/useErrorToast';
import { useForm } from '../hooks/useForm';
import { DialogButton } from '../parts/DialogButton';
import { TransactionQueue } from '../parts/queue/TransactionQueue';
import { TransactionList } from '../parts/TransactionList';
import { useApi, useFeature, useUser } from '../state/session';
import { STILL_WAITING } from '../state/toasts';
import { AmountField } from '../ui/AmountField';
import { FormDialog } from '../ui/FormDialog';
import { Select } from '../ui/Select';

/** Top-ups, and a redeem request for the player account of the browser's checkout cookie. */
export function Purchases({ tenantId }: { tenantId?: number }) {
  const List = useFeature('queue') ? TransactionQueue : TransactionList;
  return (
    <List kind="TOP_UP" tenantId={tenantId} screen="Purchases (Top-Ups Only)">
      <DialogButton className="secondary keep" dialog={(onClose) => <Redeem onClose={onClose} />}>
        Redeem
      </DialogButton>
    </List>
  );
}

/** A request of 100 to 1000 dollars (docs/product.md, "Purchases and deposits"). The server knows the daily limit. */
function Redeem({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const { features, role } = useUser();
  const form = useForm({
    initial: { platform: '', amount: '' },
    draft: 'redeem',
    send: ({ platform, amount }, options) =>
      api.submitRedeem({ body: { platform_name: platform, amount: Number(amount) } }, options),
    done: 'Redeem request submitted!',
    failed: detailOr('Failed to submit redeem request'),
    onDone: onClose,
  });
  const { values, field } = form;
  const platforms = useCall(api.listPlatformNames, {}, 'Failed to fetch platforms');
  const names = (platforms.data ?? [])
    .filter(({ name, is_active }) => name && !isNo(is_active))
    .map(({ name }) => name);
  const amount = Number(values.amount);
  const isTooFine = Number(amount.toFixed(2)) !== amount;
  const isReady = values.platform !== '' && isRedeemAmount(amount) && !isTooFine;

  return (
    <FormDialog title="Redeem" submit="Submit" noValidate {...form.dialog} disabled={!isReady} onClose={onClose}>
      {features && (
        <p>
          {role.is_super_admin
            ? 'A super admin has no player account to redeem from. For players, use Create Manual Redeem in Redeems.'
            : 'From the player account with your own email. For other players, use Create Manual Redeem in Redeems.'}
        </p>
      )}
      <Select
        label="Platform"
        required
        options={[{ value: '', label: platforms.slow ? STILL_WAITING : 'Select Platform' }, ...names]}
        {...field('platform')}
      />
      <AmountField
        label="Amount"
        required
        min={REDEEM_MIN}
        max={REDEEM_MAX}
        step={0.01}
        hint={`Min ${REDEEM_MIN}, Max ${REDEEM_MAX} per day`}
        error={isTooFine ? 'At most 2 decimals' : undefined}
        {...field('amount')}
      />
    </FormDialog>
  );
}
