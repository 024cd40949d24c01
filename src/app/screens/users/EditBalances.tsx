import { useState } from 'react';
import { type BalanceKind, balanceKinds, balanceOperations } from '../../../contract/constants';
import type { Player } from '../../../contract/entities';
import { useAction } from '../../hooks/useAction';
import { useChangeReason } from '../../parts/changeReason';
import { FormError, useFormError } from '../../parts/FormError';
import { useApi } from '../../state/session';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Money } from '../../ui/Money';
import { Select } from '../../ui/Select';
import { type BalanceChanges, balanceLabels, buildBalanceForm, noChanges } from './balances';
import { deniedOr } from './errorMessages';

const operations = balanceOperations.map((value) => ({ value, label: value === 'add' ? 'Add' : 'Remove' }));

/**
 * Characters that are not accepted in an amount (docs/product.md, "Users"). A comma is accepted and then reported, or
 * 1,50 would become 150.
 */
const neverAnAmount = /[^\d.,\s-]/;

/** Adds to or removes from a player's balances, all at once or not at all. */
export function EditBalances({
  player,
  onClose,
  onSaved,
}: {
  player: Player;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}) {
  const api = useApi();
  const [changes, setChanges] = useState(noChanges);
  const [bad, setBad] = useState<BalanceKind | null>(null);
  const formError = useFormError();
  const changeReason = useChangeReason('Reason');
  const adjust = useAction(api.adjustBalances, {
    done: 'Balances updated',
    failed: formError.withMessage(deniedOr('Failed to update balances')),
    onDone: onSaved,
  });
  const change = (kind: BalanceKind, part: Partial<BalanceChanges[BalanceKind]>) =>
    setChanges((old) => ({ ...old, [kind]: { ...old[kind], ...part } }));

  async function submit() {
    formError.clear();
    const { form, bad = null } = buildBalanceForm(changes);
    setBad(bad);
    if (form && (await adjust.run({ id: player.id, body: { ...form, ...changeReason.take() } }))) onClose();
  }

  return (
    <FormDialog
      title="Edit Balances"
      disabled={adjust.busy || balanceKinds.every((kind) => !changes[kind].amount.trim())}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{player.email}</p>
      {balanceKinds.map((kind) => (
        <fieldset key={kind}>
          <legend>
            {balanceLabels[kind]} balance: <Money amount={player[`${kind}_balance`]} />
          </legend>
          <div className="grid">
            <Field
              label={balanceLabels[kind]}
              inputMode="decimal"
              autoComplete="off"
              value={changes[kind].amount}
              error={bad === kind ? 'Enter an amount above 0 with at most 2 decimals, such as 25 or 12.50' : undefined}
              onChange={({ target }) => {
                if (!neverAnAmount.test(target.value)) change(kind, { amount: target.value });
              }}
            />
            <Select
              label={`${balanceLabels[kind]} Operation`}
              options={operations}
              value={changes[kind].operation}
              onChange={(event) => change(kind, { operation: event.target.value === 'remove' ? 'remove' : 'add' })}
            />
          </div>
        </fieldset>
      ))}
      {changeReason.fields}
      <FormError error={formError} />
    </FormDialog>
  );
}
