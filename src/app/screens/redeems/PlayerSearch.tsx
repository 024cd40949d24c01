import { type KeyboardEvent, useId, useState } from 'react';
import { USER_SEARCH_MIN } from '../../../contract/constants';
import type { PlayerHit } from '../../../contract/entities';
import { useDebounced } from '../../hooks/useDebounced';
import { useResource } from '../../hooks/useResource';
import { useApi } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { Email } from '../../ui/EmailLink';
import { Money } from '../../ui/Money';

/** First and last name, without missing parts. */
const formatName = ({ first_name, last_name }: PlayerHit) => [first_name, last_name].filter(Boolean).join(' ');

/**
 * Finds a player as you type, from two characters on. Arrow keys and Enter choose, Escape closes the list. Changing the
 * text clears the choice. With `tenantId` only that tenant's players are offered.
 */
export function PlayerSearch({
  tenantId,
  chosen,
  onChoose,
}: {
  tenantId?: number | undefined;
  chosen: PlayerHit | null;
  onChoose: (player: PlayerHit | null) => void;
}) {
  const api = useApi();
  const id = useId();
  const [typed, setTyped] = useState(chosen?.email ?? '');
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(0);

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
  const isListed = hits.length > 0;
  const status =
    !isOpen || words.length < USER_SEARCH_MIN
      ? ''
      : isWanted && found.failed
        ? 'The search failed.'
        : !isFound
          ? found.slow
            ? STILL_WAITING
            : 'Searching…'
          : isListed
            ? `${hits.length} found`
            : 'No user found.';

  function choose(hit: PlayerHit) {
    onChoose(hit);
    setTyped(hit.email);
    setIsOpen(false);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault(); // closes the list, not the dialog around it
      return setIsOpen(false);
    }
    if (event.key === 'ArrowDown' && !isOpen) {
      setIsOpen(true);
      setActive(0);
    }
    if (!isListed) return;
    const hit = hits[active];
    if (event.key === 'ArrowDown') setActive((active + 1) % hits.length);
    else if (event.key === 'ArrowUp') setActive((active - 1 + hits.length) % hits.length);
    else if (event.key === 'Enter' && hit) choose(hit);
    else return;
    event.preventDefault();
  }

  return (
    <div className="field combobox">
      <label htmlFor={id}>Search User</label>
      <input
        id={id}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={`${id}-list`}
        aria-activedescendant={isListed ? `${id}-${active}` : undefined}
        aria-describedby={`${id}-status`}
        placeholder="Type at least 2 characters"
        value={typed}
        onKeyDown={onKeyDown}
        onBlur={() => setIsOpen(false)}
        onChange={(event) => {
          setTyped(event.target.value);
          setIsOpen(true);
          setActive(0);
          onChoose(null);
        }}
      />
      <small id={`${id}-status`} role="status">
        {status}
      </small>
      <ul id={`${id}-list`} role="listbox" aria-label="Users found" hidden={!isListed}>
        {hits.map((hit, index) => (
          <li
            key={hit.id ?? hit.email}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => event.preventDefault() /* keeps the focus in the input */}
            onClick={() => choose(hit)}
          >
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
