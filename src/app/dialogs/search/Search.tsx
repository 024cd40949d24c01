import { type ComponentType, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { SEARCH_MAX } from '../../../contract/constants';
import { SEARCH_MIN } from '../../../contract/search';
import type { Api } from '../../api/client';
import { useDebounced } from '../../hooks/useDebounced';
import { useResource } from '../../hooks/useResource';
import { type Command, commands } from '../../parts/CommandButton';
import { useApi, useFeature, useSession, useUser } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { formatStatus } from '../../ui/StatusSelect';
import { colourModeCommands, findPlaces } from './actions';
import { buildGroups, type Option, type Screens } from './groups';

/** The last search, kept until the session ends. */
const lastSearches = new WeakMap<Api, string>();

/** A dialog of the title bar, which the search can open in its own place. */
export interface Tool {
  label: string;
  Dialog: ComponentType<{ onClose: () => void }>;
}

interface SearchProps {
  screens?: Screens;
  tools?: readonly Tool[];
  onClose: () => void;
}

/** The search, or the tool that was chosen in it. */
export function Search(props: SearchProps) {
  const [tool, setTool] = useState<Tool | null>(null);
  if (tool) return <tool.Dialog onClose={props.onClose} />;
  return <Finder {...props} onTool={setTool} />;
}

/**
 * Finds players, payments, tenants, admins, screens and actions as you type. Arrow keys, Home and End move through the
 * results, Enter opens one, Escape closes. Results of an earlier text cannot be chosen.
 */
function Finder({ screens = [], tools = [], onClose, onTool }: SearchProps & { onTool: (tool: Tool) => void }) {
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

  const { signOut } = useSession();
  const afterClosing = ({ name, run }: Command): Command => ({
    name,
    run() {
      onClose();
      run();
    },
  });
  const actions = [
    ...[...commands].map(afterClosing),
    ...tools.map((tool) => ({ name: tool.label, run: () => onTool(tool) })),
    ...[...colourModeCommands, { name: 'Logout', run: signOut }].map(afterClosing),
  ];

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
    ...findPlaces(screens, actions, words),
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
  function open(option: Option) {
    if ('run' in option) return option.run();
    onClose();
    navigate(option.href);
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
          {isSuper
            ? 'Players, payments, tenants, admins, screens and actions'
            : 'Players, payments, screens and actions'}
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
        <small id={`${id}-how`}>
          An amount finds pending payments. Actions are found by their words, such as “export” or “dark”.
        </small>
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
                const { title, name, payment, about } = option;
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
                    <b>{title}</b> <bdi>{name}</bdi> {payment && <Payment of={payment} />} <small>{about}</small>
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

/** How much, in what state, since when. */
const Payment = ({ of: { amount, status, at, tenantId } }: { of: NonNullable<Option['payment']> }) => (
  <span className="payment">
    <b>{amount}</b> <span className={`status ${status}`}>{formatStatus(status)}</span>{' '}
    <DateTime at={at} tenantId={tenantId} isInRow />
  </span>
);
