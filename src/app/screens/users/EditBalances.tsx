import { useState } from 'react';
import { type BalanceKind, balanceKinds, balanceOperations, LARGE_EDIT } from '../../../contract/constants';
import type { ChangeReason, Player } from '../../../contract/entities';
import { toAmount } from '../../api/amount';
import { isObject } from '../../api/parse';
import { useCall } from '../../hooks/useCall';
import { type Saving, useForm } from '../../hooks/useForm';
import { WaitingEdits } from '../../parts/approvals/WaitingEdits';
import { ChangeReasonFields } from '../../parts/ChangeReasonFields';
import { cleanReason } from '../../parts/formatReason';
import { useApi, useFeature, useUser } from '../../state/session';
import { balanceLabels } from '../../ui/balanceLabels';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Money, usd } from '../../ui/Money';
import { Select } from '../../ui/Select';
import { type BalanceChanges, balanceAfter, buildBalanceForm, noChanges } from './balances';
import { deniedOr } from './errorMessages';

const operations = balanceOperations.map((value) => ({ value, label: value === 'add' ? 'Add' : 'Remove' }));

/** Refused in an amount (docs/product.md, "Users"). A comma is accepted and reported, or 1,50 would become 150. */
const neverAnAmount = /[^\d.,\s-]/;

interface Typed {
  changes: BalanceChanges;
  why: ChangeReason;
}

type EditBalancesProps = Saving & { player: Player };
/** Adds to or removes from a player's balances, all at once or not at all. */
export function EditBalances({ player, onClose, onSaved }: EditBalancesProps) {
  const api = useApi();
  const hasReasons = useFeature('reasons');
  const offersMore = useUser().features !== undefined;
  const [problem, setProblem] = useState<{ kind: BalanceKind; words: string } | null>(null);
  const form = useForm<Typed>({
    initial: { changes: noChanges, why: {} },
    draft: `balances of ${player.id}`,
    check({ changes }) {
      const { form, bad } = buildBalanceForm(changes);
      if (bad) setProblem({ kind: bad, words: 'Enter an amount above 0 with at most 2 decimals, such as 25 or 12.50' });
      if (!form || !offersMore) return form !== undefined;
      const isTooMuch = balanceKinds.some((kind) => Number(balanceAfter(player[`${kind}_balance`], changes[kind])) < 0);
      if (isTooMuch) {
        document.querySelector<HTMLInputElement>('.balance [aria-invalid]')?.focus();
        void onSaved(); // there may be more by now
      }
      return !isTooMuch && isMeant(player, changes);
    },
    send({ changes, why }, options) {
      const body = { ...buildBalanceForm(changes).form, ...cleanReason(why) };
      return api.adjustBalances({ id: player.id, body }, options);
    },
    done: (answer) =>
      isObject(answer) && answer.waits ? 'Waiting for a second person, under Approvals' : 'Balances updated',
    failed: deniedOr('Failed to update balances'),
    reload: onSaved,
    onDone: onClose,
  });
  const { changes, why } = form.values;
  const change = (kind: BalanceKind, part: Partial<BalanceChange>) => {
    setProblem(null);
    form.set({ changes: { ...changes, [kind]: { ...changes[kind], ...part } } });
  };

  const isEmpty = balanceKinds.every((kind) => !changes[kind].amount.trim());
  const sum = balanceKinds.reduce((all, kind) => all + (toAmount(changes[kind].amount) ?? 0), 0);
  const limit = useEditLimit(player);
  // Where two people look at edits, they want to know why.
  const lacksReason = hasReasons && limit !== null && !Object.values(cleanReason(why)).some(Boolean);

  return (
    <FormDialog
      title="Edit Balances"
      {...form.dialog}
      disabled={isEmpty || lacksReason}
      hint={
        isEmpty ? 'Enter an amount to save.' : lacksReason ? 'Choose a reason, or write a note, to save.' : undefined
      }
      onClose={onClose}
    >
      <p>{player.email}</p>
      {balanceKinds.map((kind) => (
        <BalanceFields
          key={kind}
          kind={kind}
          balance={player[`${kind}_balance`]}
          change={changes[kind]}
          problem={problem?.kind === kind ? problem.words : undefined}
          onProblem={(words) => setProblem({ kind, words })}
          onChange={(part) => change(kind, part)}
        />
      ))}
      {hasReasons && (
        <div className="grid">
          <ChangeReasonFields
            label="Reason"
            isNeeded={limit !== null}
            typed={why}
            onChange={(typed) => form.set({ why: typed })}
          />
        </div>
      )}
      <SecondPersonNote player={player} from={limit} sum={sum} />
    </FormDialog>
  );
}

/** Asks about large sums. Without features nothing is asked, as in the contract. */
function isMeant(player: Player, changes: BalanceChanges): boolean {
  const large = balanceKinds.filter((kind) => Number(changes[kind].amount) >= LARGE_EDIT);
  if (large.length === 0) return true;
  const lines = large.map((kind) => {
    const { amount, operation } = changes[kind];
    const [verb, to] = operation === 'add' ? ['Add', 'to'] : ['Remove', 'from'];
    return `${verb} ${usd(Number(amount))} ${to} ${balanceLabels[kind]}?`;
  });
  return confirm([player.email, ...lines].join('\n'));
}

type BalanceChange = BalanceChanges[BalanceKind];

interface BalanceFieldsProps {
  kind: BalanceKind;
  balance: Player[`${BalanceKind}_balance`];
  change: BalanceChange;
  problem: string | undefined;
  onProblem: (words: string) => void;
  onChange: (part: Partial<BalanceChange>) => void;
}
function BalanceFields({ kind, balance, change, problem, onProblem, onChange }: BalanceFieldsProps) {
  const after = balanceAfter(balance, change);
  const tooMuch = after !== null && after < 0 ? `The balance is only ${usd(balance)}.` : undefined;
  return (
    <fieldset className="balance">
      <legend>
        <span className="unseen">{balanceLabels[kind]} balance: </span>
        <Money amount={balance} />
        {after !== null && after >= 0 && (
          <>
            {' → '}
            <b>
              <Money amount={after} />
            </b>
          </>
        )}
      </legend>
      <Field
        label={balanceLabels[kind]}
        inputMode="decimal"
        autoComplete="off"
        value={change.amount}
        error={problem ?? tooMuch}
        onChange={({ target }) => {
          if (neverAnAmount.test(target.value)) onProblem('Only digits and a decimal point');
          else onChange({ amount: target.value });
        }}
      />
      <Select
        label={`${balanceLabels[kind]} Operation`}
        options={operations}
        value={change.operation}
        onChange={(event) => onChange({ operation: event.target.value === 'remove' ? 'remove' : 'add' })}
      />
    </fieldset>
  );
}

/** The sum from which on two people must agree on an edit of balances; null if one is enough, and until it is known. */
function useEditLimit({ tenant_id }: Pick<Player, 'tenant_id'>): number | null {
  const api = useApi();
  const limits = useCall(api.getApprovalLimits, useFeature('approvals') ? { tenant_id } : null, null);
  return limits.data?.edits_from ?? null;
}

type NoteProps = { player: Pick<Player, 'id' | 'tenant_id'>; from: number | null; sum: number };
function SecondPersonNote({ player, from, sum }: NoteProps) {
  return (
    <>
      <WaitingEdits player={player} />
      <p role="status">
        {from !== null && sum >= from && `From ${usd(from)} on, a second person must approve: this edit will wait.`}
      </p>
    </>
  );
}
