import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { SEARCH_MAX } from '../../../contract/constants';
import { SEARCH_MIN } from '../../../contract/search';
import type { AppApi } from '../../api/createApi';
import { useDebounced } from '../../hooks/useDebounced';
import { useListbox } from '../../hooks/useListbox';
import { useResource } from '../../hooks/useResource';
import { type Command, commands } from '../../parts/CommandButton';
import { useApi, useFeature, useSession, useUser } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { formatStatus } from '../../ui/StatusSelect';
import { colourModeCommands, findPlaces } from './actions';
import { ALL, buildGroups, type Group, type Option, type Screens } from './groups';

/** The last search, kept until the session ends. */
const lastSearches = new WeakMap<AppApi, string>();

/** A dialog of the title bar, which the search can open in its own place. */
export interface Tool {
  label: string;
  Dialog: ComponentType<{ onClose: () => void }>;
}

type SearchProps = { screens?: Screens; tools?: readonly Tool[]; onClose: () => void };

/** The search, or the tool that was chosen in it. */
export function Search(props: SearchProps) {
  const [tool, setTool] = useState<Tool | null>(null);
  if (tool) return <tool.Dialog onClose={props.onClose} />;
  return <Finder {...props} onTool={setTool} />;
}

/** Finds what can be opened or done as you type. Results of an earlier text cannot be chosen. */
function Finder({ screens = [], tools = [], onClose, onTool }: SearchProps & { onTool: (tool: Tool) => void }) {
  const api = useApi();
  const [, navigate] = useLocation();
  const isSuper = useUser().role.is_super_admin;
  const [typed, setTyped] = useState(() => lastSearches.get(api) ?? '');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const { groups, status, retry } = useFound(typed.trim(), screens, useActions(tools, onClose, onTool));
  const options = groups.flatMap((group) => group.options);
  const box = useListbox<Option>(options, (option) => {
    if ('run' in option) return option.run();
    onClose();
    navigate(option.href);
  });
  return (
    <Dialog title="Search" withClose onClose={onClose}>
      <div className="field combobox">
        <label htmlFor={box.id}>
          Players, payments, {isSuper && 'tenants, '}affiliates, {isSuper && 'admins, '}screens and actions
        </label>
        <input
          {...box.input}
          ref={field}
          spellCheck={false}
          maxLength={SEARCH_MAX}
          aria-describedby={typed ? undefined : `${box.id}-how`}
          placeholder="Email, name, phone, reference, address, ID or amount"
          value={typed}
          onKeyDown={box.onKeyDown}
          onChange={({ target }) => {
            lastSearches.set(api, target.value);
            setTyped(target.value);
            box.setActive(0);
          }}
        />
        {!typed && <small id={`${box.id}-how`}>Actions are found by their words, such as “export” or “dark”.</small>}
      </div>
      <p>
        <span role="status">{status}</span>{' '}
        {retry && (
          <button type="button" className="chip" onClick={retry}>
            Retry
          </button>
        )}
      </p>
      <Results groups={groups} options={options} box={box} />
    </Dialog>
  );
}

function useActions(tools: readonly Tool[], onClose: () => void, onTool: (tool: Tool) => void): Command[] {
  const { signOut } = useSession();
  const afterClosing = ({ name, run }: Command): Command => ({
    name,
    run() {
      onClose();
      run();
    },
  });
  return [
    ...[...commands].map(afterClosing),
    ...tools.map((tool) => ({ name: tool.label, run: () => onTool(tool) })),
    ...[...colourModeCommands, { name: 'Logout', run: signOut }].map(afterClosing),
  ];
}

function useFound(words: string, screens: Screens, actions: readonly Command[]) {
  const api = useApi();
  const isSuper = useUser().role.is_super_admin,
    hasView = useFeature('player_view');
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
    ...(isFound ? buildGroups(found.data?.hits, { words, isSuper, hasView }) : []),
  ];
  const hasFailed = isWanted && found.failed && !found.busy;
  const all = groups.flatMap(({ options }) => options);
  const count = all.filter(({ key }) => key !== ALL).length,
    isCut = count < all.length;
  const describe = () => {
    if (hasFailed) return 'The search failed.';
    if (words.length >= SEARCH_MIN && !isFound) return found.slow ? STILL_WAITING : 'Searching…';
    if (count) return `${isCut ? 'The first ' : ''}${count} ${count === 1 ? 'result' : 'results'}`;
    return isFound ? 'Nothing found.' : `Type at least ${SEARCH_MIN} characters.`;
  };
  return { groups, status: describe(), retry: hasFailed ? () => void found.reload() : undefined };
}

type Props = { groups: readonly Group[]; options: readonly Option[]; box: ReturnType<typeof useListbox<Option>> };
/** The options under the titles of their groups. The active one is kept in sight. */
function Results({ groups, options, box }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const { id, at } = box;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list grows and shrinks with its options
  useEffect(() => {
    const option = document.getElementById(`${id}-${at}`),
      frame = list.current;
    if (!option || !frame) return;
    const { offsetTop: top, offsetHeight: height } = option;
    // scrollIntoView() would scroll the page, too.
    frame.scrollTop = at === 0 ? 0 : Math.max(top + height - frame.clientHeight, Math.min(frame.scrollTop, top));
  }, [id, at, options.length]);
  return (
    <div
      {...box.list}
      ref={list}
      aria-label="Results"
      style={{
        position: 'relative',
        zIndex: 0,
        maxHeight: 'min(65dvh, 36rem)',
        boxShadow: 'none',
        overflowWrap: 'anywhere',
      }}
    >
      {groups.map(({ title, options: inGroup }) => (
        <div key={title} role="group" aria-labelledby={`${id}-${title}`}>
          <h3
            id={`${id}-${title}`}
            role="presentation"
            style={{ margin: 0, padding: '.5rem', color: 'var(--pico-muted-color)' }}
          >
            {title}
          </h3>
          {inGroup.map((option) => {
            const index = options.indexOf(option);
            const { title, name, payment, about } = option;
            return (
              <div key={option.key} {...box.option(index)} onPointerMove={() => box.setActive(index)}>
                <b>{title}</b> <bdi>{name}</bdi> {payment && <Payment of={payment} />} <small>{about}</small>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

const Payment = ({ of: { amount, status, at, tenantId } }: { of: NonNullable<Option['payment']> }) => (
  <span className="payment">
    <br />
    <b>{amount}</b> <span className={`status ${status}`}>{formatStatus(status)}</span>{' '}
    <DateTime at={at} tenantId={tenantId} isInRow />
  </span>
);
