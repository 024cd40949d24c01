import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../../src/app/App';
import { SEARCH_HITS } from '../../../../src/contract/search';
import { closeScreen, type Options, openScreen, type Screen } from '../../../screen';
import { addPlayer, topUp } from '../../../seed';
import { type Person, pam, pat, people, sql } from '../../../world';
import { closed, dialogOf, opens, type, type Within } from '../../controls';
import { at, nonsense, outage, respondWith, type Sent, sentTo } from '../../network';

const asked = (screen: Pick<Screen, 'sent'>) => sentTo(screen, '/admin/search').map(({ query }) => query.q);
const world = async () => {
  await topUp(pam, '10', 'pending', { payment_reference: 'TXN-77-pam' });
  await sql`update redeems set payout_address = 'bc1qpam' where id = ${pam.redeem}`;
  await sql`insert into tenants (name, time_zone, email) values ('Pampas', 'UTC', 'owner@pampas.test')`;
};

const nothing = async () => undefined;

async function opened(person: Person, { path = '/', before = world, ...options }: Options = {}) {
  const screen = await openScreen(<App />, person, { path, before, ...options });
  const dialog = await opens(await screen.findByRole('button', { name: 'Search' }), 'Search');
  const field = dialog.getByRole('combobox') as HTMLInputElement;
  return {
    screen,
    dialog,
    field,
    type: (words: string) => type(field, words),
    enter: () => fireEvent.keyDown(field, { key: 'Enter' }),
    looksFor: (words: string, wanted: unknown[]) => {
      type(field, words);
      return waitFor(() => assert.equal(found({ dialog }), wanted));
    },
  };
}
type Opened = Awaited<ReturnType<typeof opened>>;
const found = ({ dialog }: { dialog: Within }): (string | null | undefined)[][] =>
  dialog.queryAllByRole('group').map((group: HTMLElement) => [
    document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent,
    ...within(group)
      .getAllByRole('option')
      .map(({ textContent }) =>
        textContent
          ?.trim()
          .replace(/ +/g, ' ')
          .replace(/[A-Z][a-z]{2} \d+, \d+:\d\d\s[AP]M( UTC)?/, 'WHEN'),
      ),
  ]);
const says = ({ dialog }: Opened, words: string) =>
  waitFor(() => assert.is(dialog.getAllByRole('status')[0]?.textContent, words));
const chosen = ({ field, dialog }: Opened) => {
  const option = document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
  assert.equal(dialog.queryAllByRole('option', { selected: true }), option ? [option] : []);
  return option?.textContent?.split(' ')[0];
};

test('players, payments, payouts, tenants and screens stand in groups, each with what it was found by', async () => {
  const payment = [
    'Payments',
    'pam@mail.test Pam Poe $10.00 Pending WHEN Purchase · Acme · payment reference TXN-77-pam',
  ];
  const payout = [
    'Payouts',
    'pam@mail.test Pam Poe $150.00 Pending WHEN Redeem, VBlink · Acme · payout address bc1qpam',
  ];
  const search = await opened('sue', { path: '/tenants' });
  await says(search, 'Type at least 2 characters.');
  await search.looksFor('pamp', [['Tenants', 'Pampas owner@pampas.test']]);
  await search.looksFor('pam', [
    ['Players', 'pam@mail.test Pam Poe Acme'],
    payment,
    payout,
    ['Tenants', 'Pampas owner@pampas.test'],
  ]);
  await says(search, '4 results');
  await search.looksFor('txn-77', [payment]);
  await says(search, '1 result');
  await search.looksFor('77-PAM', [payment]);
  await search.looksFor(`#${pam.purchase}`, [
    ['Payments', `pam@mail.test Pam Poe $80.00 Pending WHEN Purchase, card · Acme · ID ${pam.purchase}`],
  ]);
  await search.looksFor('$80.00', [
    [
      'Payments, pending only',
      'pam@mail.test Pam Poe $80.00 Pending WHEN Purchase, card · Acme',
      'pat@mail.test Pat Quinn $80.00 Pending WHEN Purchase, card · Bravo',
      'All in Purchases',
    ],
  ]);
  await search.looksFor('BC1', [payout]);
  await search.looksFor('0102000', [['Players', 'pam@mail.test Pam Poe Acme · phone +1 (555) 010-2000']]);
  search.type('nothing like it');
  await says(search, 'Nothing found.');
  assert.equal(
    [search.field.getAttribute('aria-expanded'), search.field.getAttribute('aria-activedescendant')],
    ['false', null],
  );
  assert.not.match(search.screen.container.textContent ?? '', nonsense);
});

test("a tenant's admin finds its own tenant's alone, and its own screens", async () => {
  const search = await opened('ann');
  await search.looksFor('mail.test', [['Players', 'pam@mail.test Pam Poe']]);
  await search.looksFor('pl', [['Screens', 'Platforms']]);
  search.type('pampas');
  await says(search, 'Nothing found.');
});

test('a super admin finds an admin, and opens the list that has them', async () => {
  const before = () => sql`update admins set is_active = false where email = ${people.ben.email}`;
  const search = await opened('sue', { path: '/tenants', before });
  await search.looksFor(people.ben.email, [['Admins', `${people.ben.email} Bravo · disabled`]]);
  fireEvent.click(search.dialog.getByRole('option'));
  await search.screen.findByRole('region', { name: 'Admins' });
  assert.is(location.pathname + location.search, '/admins?tenant=3');
});

test('what the buttons of the screen do is found and done; elsewhere it leads to the screen', async () => {
  const search = await opened('ann');
  await search.looksFor('export', [
    ['Actions', 'Export CSV'],
    ['Screens', 'Users export', 'Purchases export', 'Deposits export', 'Redeems export'],
  ]);
  await search.looksFor('new user', [
    ['Screens', 'Users new user'],
    ['Actions', 'Create User new user'],
  ]);
  await search.looksFor('create user', [
    ['Actions', 'Create User'],
    ['Screens', 'Users create user'],
  ]);
  search.enter();
  await search.screen.findByRole('dialog', { name: 'Create User' });
  assert.not.ok(search.screen.queryByRole('dialog', { name: 'Search' }));

  const other = await opened('ann', { path: '/?tab=affiliate-tracking' });
  await other.looksFor('create user', [['Screens', 'Users create user']]);
  other.enter();
  await other.screen.findByRole('region', { name: 'Users' });
});

const combobox = () => document.querySelector<HTMLInputElement>('[role=combobox]')!;

test('tools, colours and the sign-out are found by other words, too', async () => {
  const search = await opened('ann');
  const again = () => {
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    return dialogOf(search.screen, 'Search');
  };
  for (const [words, name] of [
    ['history', 'Audit'],
    ['password', 'Account'],
    ['tokens', 'API keys'],
    ['rules', 'Notifications'],
  ] as const) {
    type(combobox(), words);
    const option = await search.screen.findByRole('option', { name: new RegExp(`^${name}`) });
    const opened = await opens(option, name);
    fireEvent.click(opened.getByRole('button', { name: 'Close' }));
    await closed(search.screen);
    await again();
  }
  type(combobox(), 'dark');
  fireEvent.keyDown(combobox(), { key: 'Enter' });
  assert.is(document.documentElement.dataset['theme'], 'dark');
  assert.is((search.screen.getByLabelText('Colour mode') as HTMLSelectElement).value, 'dark', 'the menu says it, too');
  await again();
  type(combobox(), 'sign out');
  fireEvent.keyDown(combobox(), { key: 'Enter' });
  await waitFor(() => assert.is(localStorage.getItem('token'), null));
});

test('nobody is offered what they may not do', async () => {
  const search = await opened('ann', { features: ['search', 'player_view'] });
  for (const [words, wanted] of [
    ['export', [['Screens', 'Users export', 'Purchases export', 'Deposits export', 'Redeems export']]],
    ['audit', []],
    ['charts', []],
    ['account', []],
    ['tenants', []],
    ['admins', []],
  ] as const) {
    search.type(words);
    await waitFor(() => assert.not.match(search.dialog.getAllByRole('status')[0]?.textContent ?? '', /Searching/));
    assert.equal(found(search), wanted, words);
  }
  const other = await opened('sue', { path: '/users' });
  await other.looksFor('create user', [['Screens', 'Users create user']]);
});

test('Ctrl+K takes nothing away that stands in another dialog of the title bar', async () => {
  const screen = await openScreen(<App />, 'ann');
  await opens(await screen.findByRole('button', { name: 'Account' }), 'Account');
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'k', ctrlKey: true });
  assert.equal(
    screen.getAllByRole('dialog').map((dialog) => dialog.getAttribute('aria-label')),
    ['Account'],
  );
});

test('a payment opens the list that holds it, with that payment alone', async () => {
  const search = await opened('ann');
  search.type('77-pam');
  await says(search, '1 result');
  search.enter();
  assert.ok(await search.screen.findByText('$10.00'));
  assert.is(location.pathname + location.search, '/?tab=purchases&text=TXN-77-pam');
});

test('a player is opened by itself, behind it the list of exactly that player', async () => {
  const search = await opened('sue', { path: '/platforms' });
  search.type(pat.email);
  await says(search, '1 result');
  search.enter();
  assert.ok(await search.screen.findByRole('dialog', { name: pat.email }));
  assert.not.ok(search.screen.queryByRole('dialog', { name: 'Search' }));
  assert.is(location.pathname + location.search, `/users?search=${encodeURIComponent(pat.email)}&player=${pat.id}`);
});

test('without a view of one player it leads to the list', async () => {
  const search = await opened('ann', { features: ['search'] });
  search.type('pam@mail');
  await says(search, '1 result');
  fireEvent.click(search.dialog.getByRole('option'));
  assert.ok(await search.screen.findByRole('link', { name: pam.email }));
  assert.is(location.pathname + location.search, `/users?search=${encodeURIComponent(pam.email)}`);
});

test('of more than it shows it leads to the list', async () => {
  const players = Array.from({ length: SEARCH_HITS }, (_, id) => ({ id: id + 1, email: `p${id}@mail.test` }));
  const search = await opened('ann', { instead: at('/admin/search', { players }) });
  search.type('mail');
  await says(search, `The first ${SEARCH_HITS} results`);
  fireEvent.click(search.dialog.getByText('All in Users'));
  await search.screen.findByRole('link', { name: pam.email });
  assert.is(location.pathname + location.search, '/users?search=mail');
});

test('a tenant leads into its view, a screen to itself', async () => {
  const before = () => addPlayer(2, { email: 'rob@bravo.test', first_name: 'Rob' });
  const search = await opened('sue', { path: '/tenants', before });
  const [players, tenants] = [
    ['Players', 'rob@bravo.test Rob Acme'],
    ['Tenants', 'Bravo'],
  ];
  await search.looksFor('brav', [players, tenants, ['Admins', 'ben@bravo.test Bravo']]);
  await search.looksFor('bravo', [tenants, players, ['Admins', 'ben@bravo.test Bravo']]);
  search.enter();
  await search.screen.findByRole('tablist');
  assert.is(document.querySelector('.title h2')?.textContent, 'Bravo');
  assert.is(location.pathname, '/tenant/3/admin');

  const other = await opened('ann');
  other.type('affiliate');
  fireEvent.click(await other.dialog.findByRole('option', { name: /Affiliate Tracking/ }));
  await other.screen.findByRole('heading', { name: 'Affiliate Tracking' });
  assert.is(location.pathname + location.search, '/?tab=affiliate-tracking');
});

test('arrow keys, Home and End go through all groups and round', async () => {
  const search = await opened('sue', { path: '/tenants' });
  search.type('pa');
  await says(search, '4 results');
  assert.equal(
    found(search).map(([group]) => group),
    ['Screens', 'Players', 'Tenants'],
  );
  const press = (key: string) => {
    fireEvent.keyDown(search.field, { key });
    return chosen(search);
  };
  assert.is(chosen(search), 'Payment');
  const keys = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'ArrowUp'];
  const [pam, pat] = ['pam@mail.test', 'pat@mail.test'];
  assert.equal(keys.map(press), [pam, pat, 'Pampas', 'Payment', 'Pampas', 'Payment', 'Pampas', pat]);
  press('Home');
  fireEvent.keyDown(search.field, { key: 'End', shiftKey: true });
  assert.is(chosen(search), 'Payment', 'with Shift it is for the text');
  press('End');
  search.type('pat');
  await says(search, '1 result');
  assert.is(chosen(search), 'pat@mail.test', 'other words begin with the first again');
});

test('Ctrl+K opens it from anywhere, the button says so, and the last words are kept', async () => {
  const screen = await openScreen(<App />, 'ann', { before: world });
  const button = await screen.findByRole('button', { name: 'Search' });
  assert.equal([button.title, button.getAttribute('aria-keyshortcuts')], ['Ctrl+K', 'Control+K']);
  for (const wrong of [{ key: 'k' }, { key: 'k', ctrlKey: true, shiftKey: true }, { key: 'j', ctrlKey: true }])
    fireEvent.keyDown(screen.getByLabelText('Search by email, name, or phone'), wrong);
  assert.not.ok(screen.queryByRole('dialog'));
  const filter = screen.getByLabelText('Search by email, name, or phone');
  assert.not.ok(fireEvent.keyDown(filter, { key: 'k', ctrlKey: true }), 'not left to the browser');
  const dialog = await dialogOf(screen, 'Search');
  type(combobox(), 'txn');
  await dialog.findByRole('option');
  fireEvent.click(dialog.getByText('Close'));
  await closed(screen);
  fireEvent.keyDown(document.body, { key: 'K', ctrlKey: true });
  const again = await dialogOf(screen, 'Search');
  assert.is(combobox().value, 'txn');
  await again.findByRole('option');
  assert.is((await opened('ben')).field.value, '', 'nobody else sees them');
});

test('only the newest words count, and asking begins when the typing rests', async () => {
  let answerSlow = (_: Response) => undefined as void;
  const slow = new Promise<Response>((resolve) => {
    answerSlow = resolve;
  });
  const late = { id: 9, tenant_id: 2, tenant_name: 'Acme', email: 'late@mail.test', matched: 'email' };
  const instead = ({ query }: Sent) => (query.q === 'slow' ? slow : undefined);
  const search = await opened('ann', { instead, before: nothing });
  for (const words of ['s', 'sl', 'slo', 'slow']) search.type(words);
  await waitFor(() => assert.equal(asked(search.screen), ['slow']));
  await says(search, 'Searching…');
  search.type('pam');
  await says(search, '1 result');
  answerSlow(respondWith({ players: [late], payments: [], payouts: [], tenants: [] }));
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal([found(search), asked(search.screen)], [[['Players', 'pam@mail.test Pam Poe']], ['slow', 'pam']]);
  search.type('p');
  await says(search, '3 results');
  assert.equal([found(search), asked(search.screen).length], [[['Screens', 'Purchases', 'Platforms', 'Deposits']], 2]);
});

test('when it fails it says so, the screens are found all the same, and it can be tried again', async () => {
  const broken = outage('/admin/search', '<html>', 502);
  const search = await opened('sue', { ...broken, path: '/tenants', before: nothing });
  search.type('pa');
  await search.screen.findByText('Failed to search');
  await says(search, 'The search failed.');
  assert.equal(found(search), [['Screens', 'Payment Methods']]);
  broken.isDown = false;
  fireEvent.click(search.dialog.getByText('Retry'));
  await says(search, '3 results');
});

test("another server's odd answer breaks nothing", async () => {
  const instead = at('/admin/search', {
    players: [null, 5, { email: 7 }, { email: 'x@mail.test', matched: 'toString', value: {} }],
    payments: 'no',
    tenants: [{ name: 'No id' }, { id: '4', name: 'Four' }],
  });
  const search = await opened('sue', { instead, path: '/tenants' });
  await search.looksFor('zz', [
    ['Players', 'x@mail.test'],
    ['Tenants', 'Four'],
  ]);
  assert.not.match(search.screen.container.textContent ?? '', nonsense);
});

test('a server without it gets no button, no key and no call', async () => {
  const screen = await openScreen(<App />, 'sue', { path: '/users', features: [] });
  await screen.findByText(pam.email);
  assert.ok(fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }), "the key is the browser's");
  assert.not.ok(screen.queryByRole('button', { name: 'Search' }) ?? screen.queryByRole('dialog'));
  assert.equal(asked(screen), []);
});

test.after(closeScreen);
test.run();
