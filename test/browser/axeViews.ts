/** Every screen and every dialog there is to look at. */
import type { Page } from 'playwright-core';
import { button, choice, chooseTool, dialog, field, rows, saying, settled, table } from './seen';

type Step = (page: Page) => Promise<unknown>;
/** Where to go, and what to open there; `unfold` opens at each width what that width folds up or closes. */
export interface View {
  name: string;
  path: string;
  open?: Step;
  unfold?: Step;
  /** With the bar and the menu, and dark on a wide screen too. */
  whole?: true;
}

const does =
  (...steps: Step[]): Step =>
  async (page) => {
    for (const step of steps) await step(page);
  };
const press =
  (name: string | RegExp): Step =>
  (page) =>
    page
      .getByRole('button', { name, exact: typeof name === 'string' })
      .first()
      .click();
const inRow =
  (list: string, name: string): Step =>
  (page) =>
    button(rows(table(page, list)).first(), name).click();
const tool =
  (name: string): Step =>
  (page) =>
    chooseTool(page, name);
/** A field of the only dialog, or of the one with that title. */
const fill =
  (label: string, text: string, title?: string): Step =>
  (page) =>
    field(title ? dialog(page, title) : page.getByRole('dialog'), label).fill(text);
const pick =
  (label: string, option: string, title?: string): Step =>
  (page) =>
    choice(title ? dialog(page, title) : page.getByRole('dialog'), label).selectOption(option);
const sees =
  (words: string | RegExp): Step =>
  (page) =>
    page.getByText(words).first().waitFor();
/** A message, which would lie over what is looked at. */
const says =
  (words: string): Step =>
  (page) =>
    saying(page, words);
const lists =
  (name: string): Step =>
  (page) =>
    rows(table(page, name)).first().waitFor();

/** The first player's view, where a button is pressed. */
const inPlayer = (name: string) => does(inRow('Users', 'View'), press(name));
const part =
  (name: string): Step =>
  async (page) => {
    await inRow('Users', 'View')(page);
    await button(page.getByRole('dialog'), name).click();
  };
const rowMenu = does(press(/^Actions for /), (page) => page.getByRole('menu').waitFor());

/** A super admin's screens and dialogs of the specification. */
export const superViews: View[] = [
  { name: 'Tenants', path: '/tenants', whole: true },
  { name: 'Tenants, purchases of one', path: '/tenants?view=5' },
  { name: 'Edit Tenant', path: '/tenants', open: inRow('Tenants', 'Edit') },
  { name: 'Platforms', path: '/platforms', whole: true },
  { name: 'Platform Credentials of a tenant', path: '/platforms', open: press(/^Edit credentials for/) },
  { name: 'Assign to a tenant', path: '/platforms', open: press(/^Assign to/) },
  { name: 'Admins, none chosen', path: '/admins' },
  { name: 'Admins', path: '/admins?tenant=2', whole: true },
  { name: 'Create Admin', path: '/admins?tenant=2', open: press('Create Admin') },
  { name: 'Edit Admin', path: '/admins?tenant=2', open: inRow('Admins', 'Edit') },
  { name: 'Purchases', path: '/purchases' },
  { name: 'Redeem', path: '/purchases', open: press('Redeem') },
  { name: 'Details of a transaction', path: '/purchases', open: press('Details') },
  { name: 'Users of all', path: '/users?size=25', whole: true },
  { name: 'Deposits', path: '/deposits' },
  { name: 'Returns of all', path: '/returns' },
  { name: 'Redeems of all', path: '/redeems', whole: true },
  { name: 'Payment Methods', path: '/payment-methods', whole: true },
  {
    name: 'Add New Payment Method',
    path: '/payment-methods',
    open: does(press('Add Payment Method'), pick('Payment Platform', 'apex')),
  },
  { name: 'Edit Payment Method', path: '/payment-methods', open: inRow('Payment methods', 'Edit') },
  { name: 'New Players Today', path: '/tenants', open: press(/^New Sign Ups Today: \d/) },
  { name: 'First Purchases Today', path: '/tenants', open: press(/^First Purchase Today: \d/) },
  { name: 'A tenant, its users', path: '/tenant/5/admin?size=25' },
];

/** A tenant admin's. */
export const adminViews: View[] = [
  { name: 'Users', path: '/?size=25&search=a', whole: true },
  { name: 'Users, none found', path: '/users?search=zzzz-nobody' },
  { name: 'Create User', path: '/?size=25', open: press('Create User') },
  { name: 'Edit User', path: '/?size=25', open: inRow('Users', 'Edit') },
  {
    name: 'Edit Balances, an amount that is none',
    path: '/?size=25',
    open: does(inRow('Users', 'Edit Balances'), fill('Credit', '1.005'), press('Save')),
  },
  { name: 'Platform Credentials', path: '/?size=25', open: editedCredential },
  { name: 'Transaction History', path: '/?size=25', open: inRow('Users', 'Transaction History') },
  { name: 'Purchases of one', path: '/?tab=purchases' },
  { name: 'Returns', path: '/?tab=returns' },
  { name: 'Record Return', path: '/?tab=returns', open: press('Record Return') },
  { name: 'Redeems', path: '/?tab=redeems' },
  {
    name: 'Create Manual Redeem',
    path: '/?tab=redeems',
    open: async (page) => {
      await button(page, 'Create Manual Redeem').click();
      await choice(dialog(page, 'Create Manual Redeem'), 'Search User').fill('an');
      await page.getByRole('listbox', { name: 'Users found' }).getByRole('option').first().waitFor();
    },
  },
  {
    name: 'Affiliate Tracking',
    path: '/?tab=affiliate-tracking&affiliate=AFF-1001&range=month',
    open: sees('Total GGR'),
  },
  { name: 'Affiliate Tracking, free days', path: '/?tab=affiliate-tracking&range=custom' },
  { name: 'Platforms of one', path: '/?tab=platforms' },
  { name: 'Info of an API platform', path: '/?tab=platforms', open: press('Info') },
  { name: 'Add Platform Credentials', path: '/?tab=platforms', open: press('Add') },
  { name: 'Links', path: '/?tab=platforms', open: press('Links') },
  { name: 'Who may play', path: '/?tab=platforms', open: press('Who may play') },
  { name: 'Edit Platform Credentials', path: '/?tab=platforms', open: press('Edit') },
];

const isNarrow = (page: Page) => (page.viewportSize()?.width ?? 0) < 768;
const books = does(tool('Books'), settled);
const inBooks = (name: string | RegExp) => does(books, press(name));
const addAccount = inBooks('Add account');
/** The first picture has its table shown too. */
const pictures = does(press('Actions for Money that players hold'), (page) =>
  page.getByRole('menuitem', { name: 'Show table' }).click(),
);
const filters: Step = async (page) => {
  if (isNarrow(page)) await page.getByRole('button', { name: 'Filters', expanded: false }).click();
};
const bell = press(/^Notifications/);
const rules = does(bell, press('Rules and channels'));

/** A file that is checked, some of its rows rejected. */
const imported: Step = async (page) => {
  await button(page, 'Import').click();
  const shown = dialog(page, 'Import Users');
  const text = 'email,credit_balance,shoe size\nnew@mail.example,12.50,44\nnobody,1,\nann@acme.test,1.005,\n';
  const file = { name: 'old-shop.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await field(shown, 'CSV file').setInputFiles(file);
  await button(shown, 'Check file').click();
  await page.getByText(/^Checked old-shop.csv/).waitFor();
  await shown.getByText('Columns', { exact: true }).click();
};

/** What the server offers beyond the specification, to a super admin. */
export const superAdditions: View[] = [
  { name: 'Audit', path: '/tenants', open: tool('Audit') },
  {
    name: 'Search',
    path: '/tenants',
    open: does(
      press('Search'),
      (page) => page.getByRole('dialog').getByRole('combobox').fill('pa'),
      (page) =>
        page
          .getByRole('dialog')
          .getByText(/^\d+ results?$/)
          .waitFor(),
    ),
  },
  {
    name: 'Affiliates of a tenant',
    path: '/tenant/2/admin?tab=affiliate-tracking&range=month',
    open: (page) => table(page, 'Affiliates').locator('tfoot').waitFor(),
  },
  { name: 'Account', path: '/tenants', open: does(tool('Account'), lists('Your sessions')) },
  {
    name: 'Notifications, the menu',
    path: '/tenants',
    whole: true,
    open: does(bell, (page) => page.getByRole('group', { name: 'Notifications' }).getByRole('heading').waitFor()),
  },
  {
    name: 'Notifications, rules and channels',
    path: '/tenants',
    open: does(rules, press('Edit Large redeem'), (page) => dialog(page, 'Large redeem').waitFor()),
  },
  {
    name: 'Notifications, the rows behind a rule',
    path: '/tenants',
    open: does(
      rules,
      press('Show rows: Balance changed by hand without a reason'),
      lists('Balance changed by hand without a reason'),
    ),
  },
  { name: 'API keys, no tenant chosen', path: '/tenants', open: tool('API keys') },
  {
    name: 'API keys, one just made',
    path: '/tenant/5/admin',
    open: does(
      tool('API keys'),
      fill('Name', 'Another shop'),
      fill('Your password', 'demo-password'),
      press('Create API key'),
      says('API key created'),
      (page) => button(page, 'I have saved it').waitFor(),
    ),
  },
  {
    name: 'Webhook of a payment method, its secret shown',
    path: '/payment-methods',
    open: does(
      inRow('Payment methods', 'Edit'),
      (page) => page.getByText('Webhook: address, secret, deliveries').click(),
      fill('Your password', 'demo-password'),
      press('Show Secret'),
      (page) => field(page.getByRole('dialog'), 'Webhook Secret of this address').waitFor(),
    ),
  },
  { name: 'Books of all', path: '/tenants', open: books },
  { name: 'Overview of all', path: '/overview', open: pictures, whole: true },
  { name: 'Purchases, filters unfolded', path: '/purchases?status=pending', unfold: filters, whole: true },
  {
    name: 'Redeems, a decision and its reason',
    path: '/redeems?status=pending',
    whole: true,
    open: async (page) => {
      await rows(table(page, 'Redeems')).first().focus();
      for (const key of ['f', 'r']) await page.keyboard.press(key);
      await field(page, 'Reason').waitFor();
    },
  },
  {
    name: 'Edit Tenant, discard?',
    path: '/tenants',
    open: does(
      inRow('Tenants', 'Edit'),
      fill('Description', 'typed'),
      (page) => page.keyboard.press('Escape'),
      (page) => button(page, 'Keep editing').waitFor(),
    ),
  },
  { name: 'Import Transactions, no tenant chosen', path: '/purchases', open: press('Import') },
  { name: 'Redeems, filters that make no sense', path: '/redeems?from=2026-02-02&to=2026-01-01', unfold: filters },
];
/** And to a tenant admin. */
export const adminAdditions: View[] = [
  {
    name: 'Account, a code to be scanned',
    path: '/?size=25',
    open: async (page) => {
      await chooseTool(page, 'Account');
      const factor = dialog(page, 'Account').getByRole('region', { name: 'Two-factor sign-in', exact: true });
      await field(factor, 'Password').fill('demo-password');
      await button(factor, 'Set up').click();
      await field(factor, 'Code').waitFor();
    },
  },
  { name: 'Menu of a row', path: '/?size=25', open: rowMenu, whole: true },
  {
    name: 'Audit of a player',
    path: '/?size=25',
    open: does(rowMenu, (page) => page.getByRole('menuitem', { name: 'Audit', exact: true }).click()),
  },
  {
    name: 'Approvals, nothing waits',
    path: '/?size=25',
    open: does(tool('Approvals'), sees('Nothing waits for a second person.')),
  },
  { name: 'Import Users, checked', path: '/?size=25', open: imported },
  {
    name: 'Panel address',
    path: '/?tab=platforms',
    open: does(press('Panel address'), fill('Address', 'http://not-safe.example', 'Panel address')),
  },
  {
    name: 'Add login',
    path: '/?size=25',
    open: does(part('Platform Logins'), press('Add login'), pick('Platform', 'vblink', 'Add login')),
  },
  {
    name: 'Keys',
    path: '/?tab=deposits&status=pending',
    open: async (page) => {
      if (isNarrow(page)) return;
      await page.locator('tr[data-id]').first().press('?');
      await dialog(page, 'Keys').waitFor();
    },
  },
  {
    name: 'Queue settings',
    path: '/?tab=deposits&status=pending',
    open: does(press('Queue settings'), (page) => dialog(page, 'Queue settings').waitFor()),
  },
  {
    name: 'Deposits, what a row needs',
    path: '/?tab=deposits&status=pending',
    open: does(press('Look up'), (page) => page.locator('tr.needs dl').waitFor()),
  },
  { name: 'Books of one', path: '/?tab=platforms', open: books },
  { name: 'Add account', path: '/?tab=platforms', open: addAccount },
  {
    name: 'Buy, move or correct',
    path: '/?tab=platforms',
    open: does(
      addAccount,
      fill('Name', 'Till', 'Add account'),
      (page) => button(dialog(page, 'Add account'), 'Save').click(),
      press('Buy, move or correct'),
    ),
  },
  { name: 'Movements of an account', path: '/?tab=platforms', open: inBooks('Movements of Till') },
  { name: 'Open my shift', path: '/?tab=platforms', open: inBooks('Open my shift') },
  {
    name: 'Close the shift',
    path: '/?tab=platforms',
    open: does(
      inBooks('Open my shift'),
      fill('Till, in dollars', '5', 'Open my shift'),
      press('Open shift'),
      press(/^Close the shift .* of ann/),
      fill('Till, in dollars', '4', 'Close the shift'),
    ),
  },
  { name: 'One shift', path: '/?tab=platforms', open: inBooks(/^Show the shift/) },
  { name: 'Profit', path: '/?tab=overview', open: press('Profit') },
  {
    name: 'Statement of a month',
    path: '/?tab=platforms',
    open: does(inBooks(/^Statement of/), lists('Accounts of players')),
  },
  { name: 'Overview of one', path: '/?tab=overview', open: pictures },
  { name: 'Delete this user?', path: '/?size=25', open: inRow('Users', 'Delete') },
  { name: 'Player, a hold to be put', path: '/?size=25', open: inPlayer('Hold payouts') },
  { name: 'Player, eligibility', path: '/?size=25', open: inPlayer('Eligibility') },
  { name: 'Player, a break and limits', path: '/?size=25', open: inPlayer('Break and limits') },
  { name: 'Possible doubles', path: '/?size=25', open: press('Possible doubles') },
  {
    name: 'Player, held, with a tag',
    path: '/?size=25',
    open: does(
      inRow('Users', 'View'),
      fill('New tag', 'watched'),
      press('Add tag'),
      says('Tags saved'),
      press('Hold payouts'),
      pick('Reason', 'fraud_suspected', 'Hold payouts?'),
      (page) => button(dialog(page, 'Hold payouts?'), 'Hold payouts').click(),
      says('Payouts are on hold'),
      (page) => button(page, 'Release payouts').waitFor(),
    ),
  },
  {
    name: 'Player, released',
    path: '/?size=25',
    open: does(
      inRow('Users', 'View'),
      press('Release payouts'),
      says('Payouts are released'),
      press('Remove tag watched'),
      says('Tags saved'),
      (page) => button(page, 'Hold payouts').waitFor(),
      (page) => button(page, 'Remove tag watched').waitFor({ state: 'detached' }),
    ),
  },
  ...['Balances', 'Platform Logins'].map((name) => ({
    name: `Player, ${name}`,
    path: '/?size=25',
    open: part(name),
  })),
  {
    name: 'Player, Notes',
    path: '/?size=25',
    open: does(part('Notes'), fill('New note', 'Called, all well.'), press('Add note'), says('Note added'), (page) =>
      page.getByRole('dialog').locator('.note-text').first().waitFor(),
    ),
  },
];

/** Three things that others have approved, the first a redeem that is on screen. */
const withWaiting: Step = async (page) => {
  const id = Number(await page.locator('main tr[data-id]').first().getAttribute('data-id'));
  const first = { tenant_id: 2, first_email: 'fay@acme.test', first_at: '2026-01-31T12:00:00Z' };
  const other = { ...first, is_own: false, refusal: null };
  const json = [
    { ...other, id: 1, kind: 'redeem', redeem_id: id, user_email: 'a@mail.test', player_id: 1, amount: 500 },
    { ...other, id: 2, kind: 'balances', user_email: 'b@mail.test', player_id: 2, amount: 70, credit: 90, vip: -20 },
    { ...first, id: 3, kind: 'limits', payouts_from: 700, edits_from: null, is_own: true, refusal: 'You were first' },
  ];
  await page.route('**/admin/approvals?*', (route) => route.fulfill({ json }));
  await page.reload();
  await button(page, '1 waits for a second approval').waitFor();
};
/** One redeem that somebody else has taken, and one that is the person's own. */
const withTaken: Step = async (page) => {
  const ids = await page
    .locator('main tr[data-id]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-id')));
  const claimed_until = new Date(Date.now() + 600_000).toISOString();
  const claims = ['fay', 'mona'].map((who, n) => ({
    id: Number(ids[n]),
    claimed_by: `${who}@acme.test`,
    claimed_until,
  }));
  const json = { new_rows: 0, claims, key_takes: false };
  await page.route('**/admin/list-watch?*', (route) => route.fulfill({ json }));
  await page.reload();
  for (const words of [/^Fay, \d+ min$/, /^You, \d+ min$/]) await page.getByText(words).waitFor();
};
const waiting = does(press(/^1 of 2, by fay/), lists('Waiting for a second person'));
/** What whoever manages a team sees besides. */
export const managerViews: View[] = [
  { name: 'Team', path: '/?size=25', open: tool('Team') },
  {
    name: 'Team, a colleague',
    path: '/?size=25',
    open: does(tool('Team'), press('Edit sam@acme.test'), (page) =>
      field(page.getByRole('dialog'), 'Your password').waitFor(),
    ),
  },
  {
    name: 'Team, Networks',
    path: '/?size=25',
    open: does(tool('Team'), press('Networks'), (page) =>
      field(page.getByRole('dialog'), 'Allowed networks').waitFor(),
    ),
  },
  {
    name: 'Approvals, limits to be changed',
    path: '/?size=25',
    open: does(tool('Approvals'), fill('Two people for payouts from', '100')),
  },
  { name: 'Redeems, one waits', path: '/?tab=redeems&status=pending', open: withWaiting },
  { name: 'Approvals, three wait', path: '/?tab=redeems&status=pending', open: waiting },
  {
    name: 'Approve this?',
    path: '/?tab=redeems&status=pending',
    open: does(waiting, press(/^Approve: Payout/), (page) =>
      dialog(page, 'Approve this?').getByText('First person').waitFor(),
    ),
  },
  { name: 'Redeems, somebody else has one', path: '/?tab=redeems&status=pending', open: withTaken },
  {
    name: 'Take it over?',
    path: '/?tab=redeems&status=pending',
    open: does(press('Take over'), fill('Note', 'at lunch', 'Take it over?')),
  },
];

/** The logins of the first player who has any, one of them being edited. */
async function editedCredential(page: Page): Promise<void> {
  for (const row of await rows(table(page, 'Users')).all()) {
    await button(row, 'Platform Credentials').click();
    const shown = dialog(page, 'Platform Credentials');
    await settled(page);
    if (await button(shown, 'Edit').count()) return button(shown, 'Edit').first().click();
    await button(shown, 'Close').click();
  }
  throw new Error('nobody has a login at a platform');
}
