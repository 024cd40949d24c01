import { type CSSProperties, useCallback, useEffect, useState } from 'react';
import { type PlayerSort, SEARCH_MAX } from '../../../contract/constants';
import type { Player } from '../../../contract/entities';
import { useDebouncedInput } from '../../hooks/useDebouncedInput';
import { CARDS, useMediaQuery } from '../../hooks/useMediaQuery';
import { useQueryParams } from '../../hooks/useQueryParams';
import { CommandButton } from '../../parts/CommandButton';
import { ExportButton } from '../../parts/ExportButton';
import { ImportButton } from '../../parts/ImportButton';
import { TenantFilter, TenantHeader, useTableClass } from '../../parts/tenantColumn';
import { useFold } from '../../parts/useFold';
import { useApi, useFeature, useMay, useUser } from '../../state/session';
import { Field } from '../../ui/Field';
import { lazyWithRetry } from '../../ui/lazyWithRetry';
import { usd } from '../../ui/Money';
import { Pagination } from '../../ui/Pagination';
import { Rows } from '../../ui/Rows';
import { type Sort, SortableTh } from '../../ui/SortableTh';
import { TableFrame } from '../../ui/TableFrame';
import { type UserDialog, useOfferedActions } from './UserActions';
import type { Opened } from './UserDialogs';
import { UserRow, type UserTableTools } from './UserRow';
import { usePlayersPage } from './usePlayersPage';

// Fetched when first opened, or some time after the rows are shown.
const UserDialogs = lazyWithRetry(() => import('./UserDialogs').then((file) => file.UserDialogs));
const UserTools = lazyWithRetry(() => import('./tools/UserTools').then((file) => file.UserTools));
const NoUsers = lazyWithRetry(() => import('./NoUsers').then((file) => file.NoUsers));

const viewedAddress = { player: '', part: '' };

/** The players of a tenant, or all for a super admin. Search, sort and page are in the address. */
export function Users({ tenantId }: { tenantId?: number }) {
  const api = useApi();
  const user = useUser();
  // A server that tells its features has the view of a player, with what is left out of a narrow list.
  const base = useTableClass(user.features ? 'stack users more' : 'stack users');
  const { query, change, sortBy, tenant, request, players, isRested, reload } = usePlayersPage(tenantId);
  const users = players.data?.users ?? [];
  const { open, setOpen, player, viewed, setViewed, hasView, onOpen } = useOpenDialog(users);
  const [isDeleting, setDeleting] = useState(false);
  const [newId, setNewId] = useState<number | null>(null);
  const maySupport = useMay('support');
  useEffect(() => {
    // With it comes what knows where a list was left.
    if (isRested) UserDialogs.fetch().catch(() => undefined);
  }, [isRested]);

  const hasTools = [useFeature('saved_views'), useFeature('bulk_work'), useFeature('player_filters')].includes(true);
  const needsTools = /[?&](hide|segment)=/.test(location.search);
  const [tools, setTools] = useState<UserTableTools>();
  const isCard = useMediaQuery(CARDS);
  const fold = useFold(hasTools);
  const offered = useOfferedActions();
  const narrow = (by: { search?: string; tenant?: string; segment?: string }) => change(by, { replace: true });
  const create = () => setOpen({ dialog: 'Create User', player: null });

  return (
    <>
      <header className="bar">
        <h2>Users</h2>
        <SearchBox search={query.search} onSearch={(search) => narrow({ search })} />
        {tenant !== undefined && maySupport && <CommandButton onClick={create}>Create User</CommandButton>}
        {fold.button}
        <div className={fold.className}>
          <TenantFilter value={query.tenant} onChange={(tenant) => narrow({ tenant })} />
          <ExportButton name="users" load={() => api.exportPlayers(request)} />
          <ImportButton kind="players" tenantId={tenant} reload={reload} />
          {/* They come late, so they stand last. */}
          {hasTools && (isRested || needsTools) && (
            <UserTools
              players={users}
              tenantId={tenant}
              segment={query.segment}
              onSegment={(segment) => narrow({ segment })}
              filter={JSON.stringify([query.search, query.segment, tenant])}
              reload={players.reload}
              onTools={setTools}
            />
          )}
        </div>
      </header>
      <TableFrame label="Users" isLong>
        <table className={tools?.toClass(base) ?? base} style={widthOfBalances(users)}>
          <UsersHead sort={query.sort} onSort={sortBy} />
          <Rows
            of={{ ...players, data: players.data?.users }}
            span={10}
            // In front of a server that offers nothing beyond the contract, there are just the words of the contract.
            empty={<>No users found. {user.features && <NoUsers {...{ query, tenant, narrow, create, reload }} />}</>}
          >
            {(player) => (
              <UserRow
                key={player.id}
                {...{ player, onOpen, offered, isCard }}
                isNew={player.id === newId}
                isBusy={isDeleting && open?.player?.id === player.id}
                isSelected={tools?.selected?.has(player.id)}
                onSelect={tools?.onSelect}
              />
            )}
          </Rows>
        </table>
      </TableFrame>
      <Pagination
        page={query.page}
        pageSize={query.pageSize}
        total={players.data?.pagination.total_users}
        onPage={(page) => change({ page: String(page) })}
        onPageSize={(size) => change({ size: String(size) })}
      />

      {(open || hasView) && (
        <UserDialogs
          {...{ open, setOpen, player, setViewed, reload }}
          tenantId={tenant}
          viewed={hasView && viewed}
          reloadPlayers={players.reload}
          onCreated={setNewId}
          onDeleting={setDeleting}
        />
      )}
    </>
  );
}

function useOpenDialog(users: readonly Player[]) {
  const [open, setOpen] = useState<Opened | null>(null);
  const [viewed, setViewed] = useQueryParams(viewedAddress);
  const hasView = useFeature('player_view') && /^[1-9]\d*$/.test(viewed.player);
  const onOpen = useCallback(
    (dialog: UserDialog, player: Player, opener: HTMLElement) =>
      dialog === 'View'
        ? setViewed({ player: String(player.id), part: '' })
        : // a second click on the button of the menu closes it
          setOpen((old) => (dialog === 'Menu' && old?.opener === opener ? null : { dialog, player, opener })),
    [setViewed],
  );
  const player = open?.player && (users.find(({ id }) => id === open.player?.id) ?? open.player);
  return { open, setOpen, player, viewed, setViewed, hasView, onOpen };
}

const UsersHead = ({ sort, onSort }: { sort: Sort<PlayerSort>; onSort: (field: PlayerSort) => void }) => (
  <thead>
    <tr>
      <SortableTh field="email" className="email" sort={sort} onSort={onSort}>
        Email
      </SortableTh>
      <TenantHeader />
      <SortableTh field="first_name" className="name" sort={sort} onSort={onSort}>
        Name
      </SortableTh>
      <th className="phone">Phone</th>
      <SortableTh field="affiliate_id" className="affiliate" sort={sort} onSort={onSort}>
        Affiliate
      </SortableTh>
      <th className="referral">Referral</th>
      <SortableTh field="individual_ggr" className="number ggr" sort={sort} onSort={onSort}>
        Individual GGR
      </SortableTh>
      <SortableTh field="credit_balance" className="number credit" sort={sort} onSort={onSort}>
        Credit Balance
      </SortableTh>
      <th className="balances">
        Other Balances
        <br />
        {['Bonus', 'VIP', 'Loyalty'].map((name) => (
          <span key={name} data-label={name} />
        ))}
      </th>
      <th className="actions">Actions</th>
    </tr>
  </thead>
);

/** As many digits for each of the three other balances as the longest needs, so that they stand below each other. */
function widthOfBalances(users: readonly Player[]): CSSProperties {
  const all = users.flatMap((one) => [one.bonus_balance, one.vip_balance, one.loyalty_balance]);
  const most = Math.max(100, ...all.map((amount) => Number(amount) || 0));
  return { '--digits': usd(most).length } as CSSProperties;
}

const LABEL = 'Search by email, name, or phone';

/** Searches when typing pauses, or at once on Enter. Follows the address when it changes elsewhere. */
export function SearchBox({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const [typed, setTyped] = useDebouncedInput(search, onSearch);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed);
      }}
    >
      <Field
        label={LABEL}
        type="search"
        placeholder={LABEL}
        maxLength={SEARCH_MAX}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </form>
  );
}
