import { act, fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../src/app/screens/users/Users';
import { closeScreen, openScreen } from '../../../screen';
import { addPlayer } from '../../../seed';
import { as, pam, sql } from '../../../world';
import { beforeFirstRequest, interceptRequests, noNetwork, nonsense, respondWith } from '../../network';
import { answer } from '../../question';

type Screen = Awaited<ReturnType<typeof openScreen>>;
const label = 'Search by email, name, or phone';
const type = (element: HTMLElement, value: string) => fireEvent.change(element, { target: { value } });
const field = (element: HTMLElement) => element as HTMLInputElement;
const rowOf = async (screen: Screen, email: string) =>
  within((await screen.findByRole('link', { name: email })).closest('tr')!);
const emails = (screen: Screen) => screen.getAllByRole('link').map((link) => link.textContent);
const lists = (sent: { path: string; query: Record<string, string> }[]) =>
  sent.filter(({ path }) => path.endsWith('/user-management/users/')).map(({ query }) => query);

/** What the person answers to each question. */
const asked: string[] = [];
const answers = (yes: boolean) => {
  asked.length = 0;
  globalThis.confirm = (question) => {
    asked.push(question ?? '');
    return yes;
  };
};

const many = (count: number) =>
  beforeFirstRequest(() =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        addPlayer(2, { email: `p${String(n).padStart(3, '0')}@mail.test`, credit: String(n + 1) }),
      ),
    ),
  );

test('a super admin sees the players of all tenants, in the specified columns', async () => {
  const { fetch, sent } = interceptRequests();
  const screen = await openScreen(<Users />, 'sue', { fetch, features: [] });
  await screen.findByText('Showing 1 to 2 of 2 users');
  assert.ok(screen.getByRole('heading', { name: 'Users' }));
  assert.equal(
    screen.getAllByRole('columnheader').map((th) => th.textContent),
    [
      'Email',
      'Name',
      'Phone',
      'Affiliate',
      'Referral',
      'Individual GGR',
      'Credit Balance',
      'Other Balances',
      'Actions',
    ],
  );
  const pamRow = await rowOf(screen, pam.email);
  for (const text of ['Pam Poe', '+1 (555) 010-2000', 'AFF1', '$350.00']) assert.ok(pamRow.getByText(text), text);
  assert.equal(
    pamRow.getAllByRole('button').map((button) => button.textContent),
    ['Edit', 'Edit Balances', 'Platform Credentials', 'Transaction History', 'Delete'],
  );
  assert.equal(lists(sent), [{ sort_by: 'updated_at', sort_order: 'desc', page: '1', page_size: '50' }]);
});

test('GGR is green from 0 on and red below', async () => {
  const users = [
    { id: 1, email: 'up@x.test', individual_ggr: 0 },
    { id: 2, email: 'down@x.test', individual_ggr: '-3.5' },
  ];
  const screen = await openScreen(<Users />, 'sue', {
    fetch: interceptRequests(() => respondWith({ users, pagination: { total_users: 2 } })).fetch,
  });
  assert.ok((await rowOf(screen, 'up@x.test')).getByText('$0.00').classList.contains('gain'));
  assert.ok((await rowOf(screen, 'down@x.test')).getByText('-$3.50').classList.contains('loss'));
});

test('a tenant admin without a tenant chosen asks for its own', async () => {
  const { fetch, sent } = interceptRequests();
  const screen = await openScreen(<Users />, 'ann', { fetch });
  await screen.findByText('Showing 1 to 1 of 1 users');
  assert.equal(emails(screen), [pam.email]);
  assert.is(lists(sent)[0]!['tenant_id'], '2');
});

test('another tenant is refused before anything is asked', async () => {
  const { fetch, sent } = interceptRequests();
  const screen = await openScreen(<Users tenantId={3} />, 'ann', { fetch });
  await screen.findByText("Access denied: You can only access your own tenant's data");
  assert.equal(sent, []);
});

test("a 403 of the server's says the same, any other failure 'Failed to fetch users'", async () => {
  let fail: () => Response | Promise<Response> = () => respondWith({ detail: 'Tenant access violation' }, 403);
  const screen = await openScreen(<Users />, 'sue', { fetch: interceptRequests(() => fail()).fetch });
  await screen.findByText("Access denied: You can only access your own tenant's data");
  fail = noNetwork;
  fireEvent.click(await screen.findByText('Retry'));
  await screen.findByText('Failed to fetch users');
  assert.is(screen.queryByText(/Showing/), null, 'how many there are is not known');
});

test("'Create User' stands there only when a tenant is known", async () => {
  const all = await openScreen(<Users />, 'sue');
  await all.findByText(pam.email);
  assert.is(all.queryByText('Create User'), null);
  const acme = await openScreen(<Users tenantId={2} />, 'sue');
  assert.ok(await acme.findByText('Create User'));
  const own = await openScreen(<Users />, 'ann');
  assert.ok(await own.findByText('Create User'));
});

test('the search comes from the address and goes back into it once the typing pauses, asking once', async () => {
  const { fetch, sent } = interceptRequests();
  const screen = await openScreen(<Users />, 'sue', { fetch, path: '/users?search=pat&page=1' });
  await screen.findByText('Showing 1 to 1 of 1 users');
  const search = field(screen.getByLabelText(label));
  assert.is(search.value, 'pat');
  for (const typed of ['p', 'po', 'poe ']) type(search, typed);
  await screen.findByText(pam.email);
  assert.equal(
    lists(sent).map((query) => query['search']),
    ['pat', 'poe'],
  );
  assert.is(new URLSearchParams(location.search).get('search'), 'poe ');
  assert.is(search.value, 'poe ', 'what is being typed is left alone');
});

test('Enter asks at once; clearing shows everybody again', async () => {
  const screen = await openScreen(<Users />, 'sue');
  await screen.findByText('Showing 1 to 2 of 2 users');
  const search = field(screen.getByLabelText(label));
  type(search, '0102000');
  fireEvent.submit(search.form!);
  assert.is(location.search, '?search=0102000');
  await screen.findByText('Showing 1 to 1 of 1 users');
  type(search, 'nobody like this');
  await screen.findByText('No users found.');
  type(search, '');
  await screen.findByText('Showing 1 to 2 of 2 users');
  assert.is(location.search, '');
});

test('an e-mail leads to the search for it, and the box follows; the view of the player opens if offered', async () => {
  for (const [features, address] of [
    [undefined, `/users?search=pam%40mail.test&player=${pam.id}`],
    [[], '/users?search=pam%40mail.test'],
  ] as const) {
    const screen = await openScreen(<Users />, 'sue', { path: '/users', ...(features && { features }) });
    fireEvent.click(await screen.findByText(pam.email));
    await screen.findByText('Showing 1 to 1 of 1 users');
    assert.is(field(screen.getByLabelText(label)).value, pam.email);
    assert.is(location.pathname + location.search, address);
    if (features) assert.ok(!screen.queryByRole('dialog'));
    else await screen.findByRole('dialog', { name: pam.email });
  }
});

test('a head sorts by its column, turns on the second click, and says so', async () => {
  const { fetch, sent } = interceptRequests(
    beforeFirstRequest(() => addPlayer(2, { email: 'ada@mail.test', credit: '1' })),
  );
  const screen = await openScreen(<Users />, 'sue', { fetch });
  await screen.findByText('Showing 1 to 3 of 3 users');
  const head = screen.getByRole('button', { name: 'Email' });
  fireEvent.click(head);
  await waitFor(() => assert.equal(emails(screen), ['ada@mail.test', 'pam@mail.test', 'pat@mail.test']));
  assert.is(head.closest('th')!.getAttribute('aria-sort'), 'ascending');
  fireEvent.click(head);
  await waitFor(() => assert.equal(emails(screen), ['pat@mail.test', 'pam@mail.test', 'ada@mail.test']));
  assert.is(head.closest('th')!.getAttribute('aria-sort'), 'descending');
  assert.is(location.search, '?sort=email');

  for (const [name, sort] of [
    ['Name', 'first_name'],
    ['Affiliate', 'affiliate_id'],
    ['Individual GGR', 'individual_ggr'],
    ['Credit Balance', 'credit_balance'],
  ] as const) {
    fireEvent.click(screen.getByRole('button', { name }));
    await waitFor(() =>
      assert.equal([lists(sent).at(-1)!['sort_by'], lists(sent).at(-1)!['sort_order']], [sort, 'asc']),
    );
  }
  for (const name of ['Phone', 'Referral', 'Other Balances']) assert.is(screen.queryByRole('button', { name }), null);
});

test('pages, page size and the way back are in the address', async () => {
  const screen = await openScreen(<Users />, 'sue', {
    fetch: interceptRequests(many(60)).fetch,
    path: '/users?sort=email&order=asc',
  });
  await screen.findByText('Showing 1 to 50 of 62 users');
  fireEvent.click(screen.getByText('Last'));
  await screen.findByText('Showing 51 to 62 of 62 users');
  assert.is(new URLSearchParams(location.search).get('page'), '2');
  assert.equal(
    [...field(screen.getByLabelText('Rows per page')).querySelectorAll('option')].map((option) => option.textContent),
    ['25', '50', '100', '200'],
  );
  type(screen.getByLabelText('Rows per page'), '25');
  await screen.findByText('Showing 1 to 25 of 62 users');
  assert.equal(
    [new URLSearchParams(location.search).get('page'), new URLSearchParams(location.search).get('size')],
    [null, '25'],
  );
  act(() => {
    history.replaceState(null, '', '/users?sort=email&order=asc&page=2');
  });
  await screen.findByText('Showing 51 to 62 of 62 users');
  fireEvent.click(screen.getByRole('button', { name: 'Email' }));
  assert.is(location.search, '?sort=email&page=2', 'another order stays on the page');
  const search = field(screen.getByLabelText(label));
  type(search, 'x');
  fireEvent.submit(search.form!);
  assert.is(location.search, '?sort=email&search=x', 'another search starts again');
});

test('a page past the end leads to the last one', async () => {
  const screen = await openScreen(<Users />, 'sue', {
    fetch: interceptRequests(many(24)).fetch,
    path: '/users?size=25&page=9',
  });
  await screen.findByText('Showing 26 to 26 of 26 users');
  assert.is(new URLSearchParams(location.search).get('page'), '2');
});

test('the newest answer wins, however late an older one arrives', async () => {
  let late = () => undefined as void;
  const { fetch } = interceptRequests(({ query }) =>
    query['search'] === 'pat'
      ? new Promise<Response>((resolve) => {
          late = () => resolve(respondWith({ users: [{ id: 9, email: 'late@x.test' }] }));
        })
      : undefined,
  );
  const screen = await openScreen(<Users />, 'sue', { fetch });
  await screen.findByText(pam.email);
  const search = field(screen.getByLabelText(label));
  type(search, 'pat');
  fireEvent.submit(search.form!);
  type(search, 'pam');
  fireEvent.submit(search.form!);
  await screen.findByText('Showing 1 to 1 of 1 users');
  late();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(emails(screen), [pam.email]);
});

test('Delete asks first; refused, it says why and keeps the row', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { fetch });
  fireEvent.click((await rowOf(screen, pam.email)).getByText('Delete'));
  const question = within(await screen.findByRole('dialog', { name: 'Delete this user?' }));
  question.getByText(pam.email);
  question.getByText(/^Credit \$350\.00 would stay frozen\./);
  question.getByText(/^Deleting also ends breaks and limits, unless users are linked with this one\./);
  await question.findByText(/^2 payments are pending, \$230\.00\. Decide them first/);
  await answer(screen, 'Delete this user?', 'Cancel');
  assert.equal([screen.queryByRole('dialog'), writes()], [null, []]);

  fireEvent.click((await rowOf(screen, pam.email)).getByText('Delete'));
  await answer(screen, 'Delete this user?', 'Delete');
  await screen.findByText('Failed to delete user');
  await screen.findByText('The user has pending transactions');
  assert.ok(screen.getByText(pam.email));
});

test('a player with a large balance is not deleted, and the message says what to do first', async () => {
  const rich = beforeFirstRequest(async () => {
    await addPlayer(2, { email: 'rich@mail.test', credit: '9000' });
    await sql`update tenants set edit_approval_from = 500 where id = 2`;
  });
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { fetch: interceptRequests(rich).fetch });
  fireEvent.click((await rowOf(screen, 'rich@mail.test')).getByText('Delete'));
  await answer(screen, 'Delete this user?', 'Delete');
  await screen.findByText('Two people must agree on a balance of this size: remove the balance first');
  assert.ok(screen.getByText('rich@mail.test'));
});

test('Delete removes a player nothing is pending for, once', async () => {
  const { fetch, writes } = interceptRequests(beforeFirstRequest(() => addPlayer(2, { email: 'gone@mail.test' })));
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { fetch, features: [] });
  answers(true);
  const remove = (await rowOf(screen, 'gone@mail.test')).getByText('Delete');
  fireEvent.click(remove);
  fireEvent.click(remove);
  await screen.findByText('User deleted');
  assert.is(asked[0], 'Delete this user?', 'the browser asks where the server takes no reason');
  await screen.findByText('Showing 1 to 1 of 1 users');
  assert.is(screen.queryByText('gone@mail.test'), null);
  assert.is(writes().length, 1);
});

test('who was deleted meanwhile fails, and the list shows it', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', {
    fetch: interceptRequests(beforeFirstRequest(() => addPlayer(2, { email: 'gone@mail.test' }))).fetch,
  });
  const row = await rowOf(screen, 'gone@mail.test');
  const [gone] = await sql`select id from players where email = 'gone@mail.test'`;
  await (await as('sue')).deletePlayer({ id: Number(gone!['id']) });
  fireEvent.click(row.getByText('Delete'));
  await answer(screen, 'Delete this user?', 'Delete');
  await screen.findByText('Failed to delete user');
  await waitFor(() => assert.not.ok(screen.queryByText('gone@mail.test')));
});

test('a 403 on delete has the words of this screen', async () => {
  const screen = await openScreen(<Users />, 'sue', {
    fetch: interceptRequests(({ method }) => (method === 'DELETE' ? respondWith({}, 403) : undefined)).fetch,
  });
  fireEvent.click((await rowOf(screen, pam.email)).getByText('Delete'));
  await answer(screen, 'Delete this user?', 'Delete');
  await screen.findByText("Access denied: You can only access your own tenant's data");
});

test("another server's players: bare lists, totals as text, text amounts, holes, scripts", async () => {
  const users = [
    {
      id: 1,
      email: 'full@x.test',
      first_name: '<b>Bo</b>',
      last_name: null,
      credit_balance: '12.5',
      bonus_balance: null,
      vip_balance: 'x',
      individual_ggr: null,
      phone_number: 5550100,
      referral_id: { a: 1 },
    },
    { id: 2 },
    null,
  ];
  for (const body of [
    users,
    { users, pagination: { total_users: '2' } },
    { users },
    { items: users, total: 2 },
    { users, pagination: null },
  ]) {
    const screen = await openScreen(<Users />, 'sue', { fetch: interceptRequests(() => respondWith(body)).fetch });
    const row = await rowOf(screen, 'full@x.test');
    for (const text of ['<b>Bo</b>', '$12.50', '5550100']) assert.ok(row.getByText(text), text);
    await screen.findByText('Showing 1 to 2 of 2 users');
    assert.is(screen.container.querySelector('b'), null);
    assert.not.match(screen.container.textContent!, nonsense);
  }
});

test.after(closeScreen);
test.run();
