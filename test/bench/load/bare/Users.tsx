import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { Player, PlayerPage } from '../../../../src/contract/entities';
import { listUsers } from './api';
import { EditUser } from './EditUser';

const columns = {
  email: 'Email',
  first_name: 'Name',
  affiliate_id: 'Affiliate',
  individual_ggr: 'Individual GGR',
  credit_balance: 'Credit Balance',
};
const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

export function Users() {
  const [, navigate] = useLocation();
  const [address] = useSearchParams();
  const [search, setSearch] = useState(address.get('search') ?? '');
  const [asked, setAsked] = useState(search);
  const [sort, setSort] = useState({ field: 'updated_at', order: 'desc' });
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = useState(50);
  const [list, setList] = useState<PlayerPage>();
  const [editing, setEditing] = useState<Player>();
  const [version, setVersion] = useState(0);

  useEffect(() => {
    const timer = setTimeout(() => {
      setAsked(search);
      setPage(1);
    }, 300);
    return () => clearTimeout(timer);
  }, [search]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` asks for the list again
  useEffect(() => {
    let isStale = false;
    const query = {
      search: asked,
      sort_by: sort.field,
      sort_order: sort.order,
      page: String(page),
      page_size: String(pageSize),
    };
    listUsers(query).then(
      (answer) => {
        if (!isStale) setList(answer);
      },
      () => {},
    );
    return () => {
      isStale = true;
    };
  }, [asked, sort, page, pageSize, version]);

  const total = list?.pagination.total_users ?? 0,
    pages = list?.pagination.total_pages ?? 1;
  return (
    <>
      <header>
        <h2>Users</h2>
        <button
          onClick={() => {
            localStorage.clear();
            navigate('/login');
          }}
        >
          Logout
        </button>
      </header>
      <label>
        Search by email, name, or phone
        <input type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
      </label>
      <div className="overflow-auto">
        <table>
          <thead>
            <tr>
              {Object.entries(columns).map(([field, title]) => (
                <th
                  key={field}
                  aria-sort={sort.field !== field ? undefined : sort.order === 'asc' ? 'ascending' : 'descending'}
                >
                  <button
                    onClick={() =>
                      setSort({ field, order: sort.field === field && sort.order === 'asc' ? 'desc' : 'asc' })
                    }
                  >
                    {title}
                  </button>
                </th>
              ))}
              <th>Phone</th>
              <th>Referral</th>
              <th>Other Balances</th>
              <th>Actions</th>
            </tr>
          </thead>
          <tbody>
            {list?.users.map((user) => (
              <tr key={user.id}>
                <td>{user.email}</td>
                <td>
                  {user.first_name} {user.last_name}
                </td>
                <td>{user.affiliate_id}</td>
                <td>{usd.format(user.individual_ggr)}</td>
                <td>{usd.format(user.credit_balance)}</td>
                <td>{user.phone_number}</td>
                <td>{user.referral_id}</td>
                <td>
                  Bonus {usd.format(user.bonus_balance)}, VIP {usd.format(user.vip_balance)}, Loyalty{' '}
                  {usd.format(user.loyalty_balance)}
                </td>
                <td>
                  <button onClick={() => setEditing(user)}>Edit</button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <footer>
        <select
          aria-label="Rows per page"
          value={pageSize}
          onChange={(event) => {
            setPageSize(Number(event.target.value));
            setPage(1);
          }}
        >
          {[25, 50, 100, 200].map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
        Showing {total && (page - 1) * pageSize + 1} to {Math.min(page * pageSize, total)} of {total} users
        <button disabled={page <= 1} onClick={() => setPage(page - 1)}>
          Previous
        </button>
        <button disabled={page >= pages} onClick={() => setPage(page + 1)}>
          Next
        </button>
      </footer>
      {editing && (
        <EditUser user={editing} onClose={() => setEditing(undefined)} onSaved={() => setVersion(version + 1)} />
      )}
    </>
  );
}
