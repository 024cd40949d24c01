import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { SEARCH_MAX } from '../../../contract/constants';
import { SEARCH_MIN } from '../../../contract/search';
import type { Api } from '../../api/client';
import { useDebounced } from '../../hooks/useDebounced';
import { useResource } from '../../hooks/useResource';
import { useApi, useFeature, useUser } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { Dialog } from '../../ui/Dialog';
import { buildGroups, findScreens, type Option, type Screens } from './groups';

/** The last search, kept until the session ends. */
const lastSearches = new WeakMap<Api, string>();

/**
 * Finds players, payments, tenants and screens as you type. Arrow keys, Home and End move through the results, Enter
 * opens one, Escape closes. Results of an earlier text cannot be chosen.
 */
export function Search({ screens = [], onClose }: { screens?: Screens; onClose: () => void }) {
  const api = useApi();
  const id = useId();
  const [, navigate] = useLocation();
  const isSuper = useUser().role.is_super_admin,
    hasView = useFeature('player_view');
  const [typed, setTyped] = useState(() => lastSearches.get(api) ?? '');
  const [active, setActive] = useState(0);
  const field = useRef<HTMLInputElement>(null),
    list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    field.current?.select();
  }, []);

  const words = typed.trim();
  const query = useDebounced(words);
  const isWanted = words === query && query.length >= SEARCH_MIN;
  const found = useResource(
    isWanted ? async (signal) => ({ query, hits: await api.search({ q: query }, { signal }) }) : null,
    [api, query],
    'Failed to search',
  );
  const isFound = isWanted && !found.busy && !found.failed && found.data?.query === query;
  const groups = [
    ...findScreens(screens, words),
    ...(isFound ? buildGroups(found.data?.hits, { isSuper, hasView }) : []),
  ];
  const options = groups.flatMap((group) => group.options);
  const at = Math.min(active, options.length - 1);
  const hasFailed = isWanted && found.failed && !found.busy;
  const status = hasFailed
    ? 'The search failed.'
    : words.length >= SEARCH_MIN && !isFound
      ? found.slow
        ? STILL_WAITING
        : 'Searching…'
      : options.length
        ? `${options.length} ${options.length === 1 ? 'result' : 'results'}`
        : isFound
          ? 'Nothing found.'
          : `Type at least ${SEARCH_MIN} characters.`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list grows and shrinks with its options
  useEffect(() => {
    const option = document.getElementById(`${id}-${at}`),
      frame = list.current;
    if (!option || !frame) return;
    const { offsetTop: top, offsetHeight: height } = option;
    // scrollIntoView() would scroll the page, too.
    frame.scrollTop = at === 0 ? 0 : Math.max(top + height - frame.clientHeight, Math.min(frame.scrollTop, top));
  }, [id, at, options.length]);

  function type(next: string) {
    lastSearches.set(api, next);
    setTyped(next);
    setActive(0);
  }
  function open({ href }: Option) {
    onClose();
    navigate(href);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.nativeEvent.isComposing) return;
    const option = options[at],
      last = options.length - 1;
    if (!option) return;
    if (event.key === 'ArrowDown') setActive(at === last ? 0 : at + 1);
    else if (event.key === 'ArrowUp') setActive(at === 0 ? last : at - 1);
    else if (event.key === 'Home') setActive(0);
    else if (event.key === 'End') setActive(last);
    else if (event.key === 'Enter') open(option);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog title="Search" onClose={onClose}>
      <div className="field">
        <label htmlFor={id}>
          {isSuper ? 'Players, payments, tenants and screens' : 'Players, payments and screens'}
        </label>
        <input
          ref={field}
          id={id}
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          maxLength={SEARCH_MAX}
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={options.length ? `${id}-${at}` : undefined}
          aria-describedby={`${id}-how`}
          placeholder="Email, name, phone, reference, address, ID or amount"
          value={typed}
          onKeyDown={onKeyDown}
          onChange={(event) => type(event.target.value)}
        />
        <small id={`${id}-how`}>An amount finds pending payments.</small>
      </div>
      <p>
        <span role="status">{status}</span>{' '}
        {hasFailed && (
          <button type="button" className="chip" onClick={() => void found.reload()}>
            Retry
          </button>
        )}
      </p>
      {/* A fixed height, so that the input does not move as results come and go. */}
      <div style={{ height: 'min(50dvh, 32rem)' }}>
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label="Results"
          hidden={!options.length}
          style={{ position: 'relative', maxHeight: '100%', boxShadow: 'none', overflowWrap: 'anywhere' }}
        >
          {groups.map(({ title, options: inGroup }) => (
            <div key={title} role="group" aria-labelledby={`${id}-${title}`}>
              <h3
                id={`${id}-${title}`}
                role="presentation"
                style={{ margin: 0, padding: '.5rem .5rem 0', color: 'var(--pico-muted-color)' }}
              >
                {title}
              </h3>
              {inGroup.map((option) => {
                const index = options.indexOf(option);
                return (
                  <div
                    key={option.key}
                    id={`${id}-${index}`}
                    role="option"
                    aria-selected={index === at}
                    onPointerMove={() => setActive(index)}
                    onMouseDown={(event) => event.preventDefault() /* keeps the focus in the input */}
                    onClick={() => open(option)}
                  >
                    <b>{option.title}</b> <bdi>{option.name}</bdi> <small>{option.about}</small>
                  </div>
                );
              })}
            </div>
          ))}
        </div>
      </div>
      <footer>
        <button type="button" className="secondary" onClick={onClose}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}
