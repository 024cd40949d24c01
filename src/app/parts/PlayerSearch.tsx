import { type KeyboardEvent, useState } from 'react';
import { USER_SEARCH_MIN } from '../../contract/constants';
import type { PlayerHit } from '../../contract/entities';
import { useDebounced } from '../hooks/useDebounced';
import { useListbox } from '../hooks/useListbox';
import { useResource } from '../hooks/useResource';
import { useApi } from '../state/session';
import { STILL_WAITING } from '../state/toasts';
import { Email } from '../ui/EmailLink';
import { Money, usd } from '../ui/Money';

/** First and last name, without missing parts. */
const formatName = ({ first_name, last_name }: PlayerHit) => [first_name, last_name].filter(Boolean).join(' ');

type Props = { tenantId?: number | undefined; chosen: PlayerHit | null; onChoose: (player: PlayerHit | null) => void };
/** Finds a player as you type, with `tenantId` one of that tenant's. Changing the text clears the choice. */
export function PlayerSearch({ tenantId, chosen, onChoose }: Props) {
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

/** The players that match what is typed, while the list is open, and what the status line says of them. */
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
    return hits.length ? `${hits.length} found` : 'No user found.';
  };
  return { hits, status: describe() };
}
