import { act, fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../src/app/screens/users/Users';
import { closeScreen, openScreen, type Screen } from '../../../screen';
import { addPlayer } from '../../../seed';
import { pam } from '../../../world';
import { field, headsOf, opens, sees, textsOf, type } from '../../controls';
import { at, noNetwork, nonsense, partsOf, respondWith, sentTo } from '../../network';
import { answer, answerBrowser } from '../../question';

const label = 'Search by email, name, or phone';

const rowOf = async (screen: Screen, email: string) =>
  within((await screen.findByRole('link', { name: email })).closest('tr')!);
const emails = (screen: Screen) => textsOf(screen.getAllByRole('link'));
const lists = (screen: Screen) => sentTo(screen, '/user-management/users/').map(({ query }) => query);
const many = (count: number) => () =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      addPlayer(2, { email: `p${String(n).padStart(3, '0')}@mail.test`, credit: String(n + 1) }),
    ),
  );
const gone = () => addPlayer(2, { email: 'gone@mail.test' });
const query = (name: string) => new URLSearchParams(location.search).get(name);
const OUTSIDE = "Access denied: You can only access your own tenant's data";

test('a super admin sees the players of all tenants, in the specified columns', async () => {
  const screen = await openScreen(<Users />, 'sue', { features: [] });
  await screen.findByText('Showing 1 to 2 of 2 users');
  assert.ok(screen.getByRole('heading', { name: 'Users' }));
  const heads = 'Email, Name, Phone, Affiliate, Referral, Individual GGR, Credit Balance, Other Balances, Actions';
  assert.is(headsOf(screen), heads);
  const pamRow = await rowOf(screen, pam.email);
  for (const text of ['Pam Poe', '+1 (555) 010-2000', 'AFF1', '$350.00']) assert.ok(pamRow.getByText(text), text);
  const buttons = ['Edit', 'Edit Balances', 'Platform Credentials', 'Transaction History', 'Delete'];
  assert.equal(textsOf(pamRow.getAllByRole('button')), buttons);
  assert.is(screen.queryByText('Create User'), null);
  assert.equal(lists(screen), [{ sort_by: 'updated_at', sort_order: 'desc', page: '1', page_size: '50' }]);
});

test("a tenant admin without a tenant chosen asks for its own; 'Create User' needs a known tenant", async () => {
  const screen = await openScreen(<Users />, 'ann');
  await screen.findByText('Showing 1 to 1 of 1 users');
  assert.equal(emails(screen), [pam.email]);
  assert.is(lists(screen)[0]!['tenant_id'], '2');
  assert.ok(screen.getByText('Create User'));

  const acme = await openScreen(<Users tenantId={2} />, 'sue');
  assert.ok(await acme.findByText('Create User'));
});

test('another tenant is refused before anything is asked', async () => {
  const screen = await openScreen(<Users tenantId={3} />, 'ann');
  await screen.findByText(OUTSIDE);
  assert.equal(screen.sent, []);
});

test("a 403 of the server's says the same, any other failure 'Failed to fetch users'", async () => {
  let fail: () => Response | Promise<Response> = () => respondWith({ detail: 'Tenant access violation' }, 403);
  const screen = await openScreen(<Users />, 'sue', { instead: () => fail() });
  await screen.findByText(OUTSIDE);
  fail = noNetwork;
  fireEvent.click(await screen.findByText('Retry'));
  await screen.findByText('Failed to fetch users');
  assert.is(screen.queryByText(/Showing/), null, 'how many there are is not known');
});

test('the search comes from the address and goes back into it once the typing pauses, asking once', async () => {
  const screen = await openScreen(<Users />, 'sue', { path: '/users?search=pat&page=1' });
  await screen.findByText('Showing 1 to 1 of 1 users');
  const search = field(screen.getByLabelText(label));
  assert.is(search.value, 'pat');
  for (const typed of ['p', 'po', 'poe ']) type(search, typed);
  await screen.findByText(pam.email);
  assert.equal(partsOf(lists(screen), 'search'), ['pat', 'poe']);
  assert.is(query('search'), 'poe ');
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
  const ada = () => addPlayer(2, { email: 'ada@mail.test', credit: '1' });
  const screen = await openScreen(<Users />, 'sue', { before: ada });
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
    const last = () => partsOf(lists(screen).slice(-1), 'sort_by', 'sort_order');
    await waitFor(() => assert.equal(last(), [[sort, 'asc']]));
  }
  for (const name of ['Phone', 'Referral', 'Other Balances']) assert.is(screen.queryByRole('button', { name }), null);
});

test('pages, page size and the way back are in the address', async () => {
  const screen = await openScreen(<Users />, 'sue', { before: many(60), path: '/users?sort=email&order=asc' });
  await screen.findByText('Showing 1 to 50 of 62 users');
  fireEvent.click(screen.getByText('Last'));
  await screen.findByText('Showing 51 to 62 of 62 users');
  assert.is(query('page'), '2');
  type(screen.getByLabelText('Rows per page'), '25');
  await screen.findByText('Showing 1 to 25 of 62 users');
  assert.equal([query('page'), query('size')], [null, '25']);
  act(() => history.replaceState(null, '', '/users?sort=email&order=asc&page=2'));
  await screen.findByText('Showing 51 to 62 of 62 users');
  fireEvent.click(screen.getByRole('button', { name: 'Email' }));
  assert.is(location.search, '?sort=email&page=2', 'another order stays on the page');
  const search = field(screen.getByLabelText(label));
  type(search, 'x');
  fireEvent.submit(search.form!);
  assert.is(location.search, '?sort=email&search=x', 'another search starts again');
});

test('a page past the end leads to the last one', async () => {
  const screen = await openScreen(<Users />, 'sue', { before: many(24), path: '/users?size=25&page=9' });
  await screen.findByText('Showing 26 to 26 of 26 users');
  assert.is(query('page'), '2');
});

test('Delete asks first; refused, it says why and keeps the row', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  const question = await opens((await rowOf(screen, pam.email)).getByText('Delete'), 'Delete this user?');
  question.getByText(pam.email);
  question.getByText(/^Credit \$350\.00 would stay frozen\./);
  question.getByText(/^Deleting also ends breaks and limits, unless users are linked with this one\./);
  await question.findByText(/^2 payments are pending, \$230\.00\. Decide them first/);
  await answer(screen, 'Delete this user?', 'Cancel');
  assert.equal([screen.queryByRole('dialog'), screen.writes()], [null, []]);

  fireEvent.click((await rowOf(screen, pam.email)).getByText('Delete'));
  await answer(screen, 'Delete this user?', 'Delete');
  await sees(screen, 'Failed to delete user', 'The user has pending transactions');
  assert.ok(screen.getByText(pam.email));
});

test('Delete removes a player nothing is pending for, once', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { before: gone, features: [] });
  const asked = answerBrowser(() => true);
  const remove = (await rowOf(screen, 'gone@mail.test')).getByText('Delete');
  fireEvent.click(remove);
  fireEvent.click(remove);
  await screen.findByText('User deleted');
  assert.is(asked[0], 'Delete this user?', 'the browser asks where the server takes no reason');
  await screen.findByText('Showing 1 to 1 of 1 users');
  assert.is(screen.queryByText('gone@mail.test'), null);
  assert.is(screen.writes().length, 1);
});

test('a 403 on delete has the words of this screen', async () => {
  const screen = await openScreen(<Users />, 'sue', { instead: at('DELETE', {}, 403) });
  fireEvent.click((await rowOf(screen, pam.email)).getByText('Delete'));
  await answer(screen, 'Delete this user?', 'Delete');
  await screen.findByText(OUTSIDE);
});

test("another server's players: totals as text, text amounts, holes, scripts", async () => {
  const odd = { last_name: null, bonus_balance: null, vip_balance: 'x', individual_ggr: '-3.5', referral_id: { a: 1 } };
  const full = { id: 1, email: 'full@x.test', first_name: '<b>Bo</b>', credit_balance: '12.5', phone_number: 5550100 };
  const users = [{ ...full, ...odd }, { id: 2, individual_ggr: 0 }, null];
  const screen = await openScreen(<Users />, 'sue', {
    instead: () => respondWith({ users, pagination: { total_users: '2' } }),
  });
  const row = await rowOf(screen, 'full@x.test');
  for (const text of ['<b>Bo</b>', '$12.50', '5550100']) assert.ok(row.getByText(text), text);
  assert.is(row.getByText('-$3.50').className, 'money loss');
  assert.match(screen.getByText('$0.00', { selector: '.gain' }).className, 'gain');
  await screen.findByText('Showing 1 to 2 of 2 users');
  assert.is(screen.container.querySelector('b'), null);
  assert.not.match(screen.container.textContent!, nonsense);
});

test.after(closeScreen);
test.run();
