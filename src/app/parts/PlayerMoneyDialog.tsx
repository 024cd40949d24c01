import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { MANUAL_REDEEM_MIN, MANUAL_REDEEM_STEP, USER_SEARCH_HITS, USER_SEARCH_MIN } from '../../contract/constants';
import type { PlayerHit } from '../../contract/entities';
import { toAmount } from '../api/amount';
import { useDebounced } from '../hooks/useDebounced';
import type { Form } from '../hooks/useForm';
import { useListbox } from '../hooks/useListbox';
import { useResource } from '../hooks/useResource';
import { useApi } from '../state/session';
import { STILL_WAITING } from '../state/toasts';
import { AmountField } from '../ui/AmountField';
import { Email } from '../ui/EmailLink';
import { Field } from '../ui/Field';
import { FormDialog } from '../ui/FormDialog';
import { Money, usd } from '../ui/Money';

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
  platform: ReactNode;
  /** No more than the player's credit. */
  isOfCredit?: boolean;
  cleared?: Partial<PlayerMoney>;
  children?: ReactNode;
  onClose: () => void;
}
/** Money of a player who is found by e-mail. */
export function PlayerMoneyDialog({
  title,
  submit,
  form,
  tenantId,
  platform,
  isOfCredit,
  cleared,
  children,
  onClose,
}: Props) {
  const { player, amount } = form.values;
  const isTooMuch = isOfCredit && player && Number(amount) > player.credit_balance;
  return (
    <FormDialog title={title} submit={submit} noValidate {...form.dialog} onClose={onClose}>
      <PlayerSearch
        key={String(form.dialog.draft.isRestored)}
        tenantId={tenantId}
        chosen={player}
        onChoose={(player) => form.set({ player, ...cleared })}
      />
      <div className="grid">
        {platform}
        <AmountField
          label="Amount"
          required
          error={isTooMuch ? `The credit is only ${usd(player.credit_balance)}.` : undefined}
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

const formatName = ({ first_name, last_name }: PlayerHit) => [first_name, last_name].filter(Boolean).join(' ');

type SearchProps = {
  tenantId?: number | undefined;
  chosen: PlayerHit | null;
  onChoose: (player: PlayerHit | null) => void;
};
/** Finds a player as you type, with `tenantId` one of that tenant's. Changing the text clears the choice. */
function PlayerSearch({ tenantId, chosen, onChoose }: SearchProps) {
  const [typed, setTyped] = useState(chosen?.email ?? '');
  const [isOpen, setIsOpen] = useState(false);
  const { hits, status } = useHits({ typed, tenantId, isOpen });
  const box = useListbox(hits, choose);

  function choose(hit: PlayerHit) {
    onChoose(hit);
    setTyped(hit.email);
    setIsOpen(false);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Home' || event.key === 'End') return; // move in the text
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault(); // closes the list, not the dialog around it
      return setIsOpen(false);
    }
    if (event.key === 'ArrowDown' && !isOpen) {
      setIsOpen(true);
      box.setActive(0);
    }
    box.onKeyDown(event);
  }

  return (
    <div className="field combobox">
      <label htmlFor={box.id}>Search User</label>
      <input
        {...box.input}
        required
        data-unchosen={chosen ? undefined : ''}
        aria-describedby={`${box.id}-status`}
        placeholder="Type at least 2 characters"
        value={typed}
        onKeyDown={onKeyDown}
        onBlur={() => setIsOpen(false)}
        onChange={(event) => {
          setTyped(event.target.value);
          setIsOpen(true);
          box.setActive(0);
          onChoose(null);
        }}
      />
      <small id={`${box.id}-status`} role="status">
        {chosen ? `${formatName(chosen)} has a credit of ${usd(chosen.credit_balance)}`.trim() : status}
      </small>
      <ul {...box.list} aria-label="Users found">
        {hits.map((hit, index) => (
          <li key={hit.id ?? hit.email} {...box.option(index)}>
            <span>
              <Email email={hit.email} />
            </span>{' '}
            <bdi>{formatName(hit)}</bdi> <Money amount={hit.credit_balance} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function useHits({ typed, tenantId, isOpen }: { typed: string; tenantId: number | undefined; isOpen: boolean }) {
  const api = useApi();
  const words = typed.trim();
  const query = useDebounced(words);
  const isWanted = isOpen && words === query && query.length >= USER_SEARCH_MIN;
  const found = useResource(
    isWanted ? async (signal) => ({ query, hits: await api.searchPlayers({ email: query }, { signal }) }) : null,
    [api, query],
    'Failed to search users',
  );
  const isFound = isWanted && !found.busy && !found.failed && found.data?.query === query;
  // Another server may not send the tenant; then the player is offered.
  const hits = (isFound ? (found.data?.hits ?? []) : []).filter(
    (hit) => tenantId === undefined || hit.tenant_id == null || Number(hit.tenant_id) === tenantId,
  );
  const describe = () => {
    if (!isOpen || words.length < USER_SEARCH_MIN) return '';
    if (isWanted && found.failed) return 'The search failed.';
    if (!isFound) return found.slow ? STILL_WAITING : 'Searching…';
    if (found.data?.hits.length === USER_SEARCH_HITS)
      return `The first ${hits.length}, with their credit. Type more to find others.`;
    return hits.length ? `${hits.length} found, with their credit` : 'No user found.';
  };
  return { hits, status: describe() };
}
