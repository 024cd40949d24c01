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
/** What is looked at on one screen, by its name; a step opens it. */
const at = (path: string, all: Record<string, Step | Omit<View, 'name' | 'path'>>): View[] =>
  Object.entries(all).map(([name, view]) => ({ name, path, ...(typeof view === 'function' ? { open: view } : view) }));

const does =
  (...steps: Step[]): Step =>
  async (page) => {
    for (const step of steps) await step(page);
  };
/** A step of what is done with a page and more. */
const step =
  <More extends unknown[]>(run: (page: Page, ...more: More) => Promise<unknown>) =>
  (...more: More): Step =>
  (page) =>
    run(page, ...more);
const press = step(async (page, ...names: (string | RegExp)[]) => {
  for (const name of names) {
    const all = page.getByRole('button', { name, exact: typeof name === 'string' });
    await all.first().click();
  }
});
const inRow = step((page, list: string, name: string) => button(rows(table(page, list)).first(), name).click());
const tool = step(chooseTool);
/** The only dialog, or the one with that title. */
const place = (page: Page, title?: string) => (title ? dialog(page, title) : page.getByRole('dialog'));
const fill = step((page, label: string, text: string, title?: string) => field(place(page, title), label).fill(text));
const pick = step((page, label: string, option: string, title?: string) =>
  choice(place(page, title), label).selectOption(option),
);
const sees = step((page, words: string | RegExp) => page.getByText(words).first().waitFor());
const seesField = step((page, label: string) => field(page.getByRole('dialog'), label).waitFor());
const seesButton = step((page, name: string) => button(page, name).waitFor());
/** A message, which would lie over what is looked at. */
const says = step(saying);
const lists = step((page, name: string) => rows(table(page, name)).first().waitFor());

/** The first player's view, where a button is pressed. */
const inPlayer = (name: string) => does(inRow('Users', 'View'), press(name));
const part = step(async (page, name: string) => {
  await inRow('Users', 'View')(page);
  await button(page.getByRole('dialog'), name).click();
});
const rowMenu = does(press(/^Actions for /), (page) => page.getByRole('menu').waitFor());

/** A super admin's screens and dialogs of the specification. */
export const superViews: View[] = [
  ...at('/tenants', {
    Tenants: { whole: true },
    'Edit Tenant': inRow('Tenants', 'Edit'),
    'New Players Today': press(/^New Sign Ups Today: \d/),
    'First Purchases Today': press(/^First Purchase Today: \d/),
  }),
  ...at('/tenants?view=5', { 'Tenants, purchases of one': {} }),
  ...at('/platforms', {
    Platforms: { whole: true },
    'Platform Credentials of a tenant': press(/^Edit credentials for/),
    'Assign to a tenant': press(/^Assign to/),
  }),
  ...at('/admins', { 'Admins, none chosen': {} }),
  ...at('/admins?tenant=2', {
    Admins: { whole: true },
    'Create Admin': press('Create Admin'),
    'Edit Admin': inRow('Admins', 'Edit'),
  }),
  ...at('/purchases', { Purchases: {}, Redeem: press('Redeem'), 'Details of a transaction': press('Details') }),
  ...at('/users?size=25', { 'Users of all': { whole: true } }),
  ...at('/deposits', { Deposits: {} }),
  ...at('/returns', { 'Returns of all': {} }),
  ...at('/redeems', { 'Redeems of all': { whole: true } }),
  ...at('/payment-methods', {
    'Payment Methods': { whole: true },
    'Add New Payment Method': does(press('Add Payment Method'), pick('Payment Platform', 'apex')),
    'Edit Payment Method': inRow('Payment methods', 'Edit'),
  }),
  ...at('/tenant/5/admin?size=25', { 'A tenant, its users': {} }),
];

/** A tenant admin's. */
export const adminViews: View[] = [
  ...at('/?size=25&search=a', { Users: { whole: true } }),
  ...at('/users?search=zzzz-nobody', { 'Users, none found': {} }),
  ...at('/?size=25', {
    'Create User': press('Create User'),
    'Edit User': inRow('Users', 'Edit'),
    'Edit Balances, an amount that is none': does(
      inRow('Users', 'Edit Balances'),
      fill('Credit', '1.005'),
      press('Save'),
    ),
    'Platform Credentials': editedCredential,
    'Transaction History': inRow('Users', 'Transaction History'),
  }),
  ...at('/?tab=purchases', { 'Purchases of one': {} }),
  ...at('/?tab=returns', { Returns: {}, 'Record Return': press('Record Return') }),
  ...at('/?tab=redeems', {
    Redeems: {},
    'Create Manual Redeem': async (page) => {
      await button(page, 'Create Manual Redeem').click();
      await choice(dialog(page, 'Create Manual Redeem'), 'Search User').fill('an');
      await page.getByRole('listbox', { name: 'Users found' }).getByRole('option').first().waitFor();
    },
  }),
  ...at('/?tab=affiliate-tracking&affiliate=AFF-1001&range=month', { 'Affiliate Tracking': sees('Total GGR') }),
  ...at('/?tab=affiliate-tracking&range=custom', { 'Affiliate Tracking, free days': {} }),
  ...at('/?tab=platforms', {
    'Platforms of one': {},
    'Info of an API platform': press('Info'),
    'Add Platform Credentials': press('Add'),
    Links: does(press('Links'), press('Add link')),
    'Who may play': press('Who may play'),
    'Edit Platform Credentials': press('Edit'),
  }),
];

const isNarrow = (page: Page) => (page.viewportSize()?.width ?? 0) < 768;
const books = does(tool('Books'), settled);
const inBooks = (...names: (string | RegExp)[]) => does(books, press(...names));
const addAccount = inBooks('Accounts', 'Add account');
/** The first picture has its table shown too. */
const pictures = does(press('Actions for Money that players hold'), (page) =>
  page.getByRole('menuitem', { name: 'Show table' }).click(),
);
const filters: Step = async (page) => {
  if (isNarrow(page)) await page.getByRole('button', { name: 'Filters', expanded: false }).click();
};
const bell = press(/^Notifications/);
const NO_REASON = 'Balance changed by hand without a reason';

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
  ...at('/tenants', {
    Audit: tool('Audit'),
    Search: does(press('Search'), async (page) => {
      await page.getByRole('dialog').getByRole('combobox').fill('pa');
      await page
        .getByRole('dialog')
        .getByText(/\d+ results?$/)
        .waitFor();
    }),
  }),
  ...at('/tenant/2/admin?tab=affiliate-tracking&range=month', {
    'Affiliates of a tenant': (page) => table(page, 'Affiliates').locator('tfoot').waitFor(),
  }),
  ...at('/tenants', {
    Account: does(tool('Account'), lists('Your sessions')),
    'Notifications, the menu': {
      whole: true,
      open: does(bell, (page) => page.getByRole('group', { name: 'Notifications' }).getByRole('heading').waitFor()),
    },
    'Notifications, rules and channels': does(bell, press('Rules and channels', 'Edit Large redeem'), (page) =>
      dialog(page, 'Large redeem').waitFor(),
    ),
    'Notifications, the rows behind a rule': does(
      bell,
      press('Rules and channels', `Show rows: ${NO_REASON}`),
      lists(NO_REASON),
    ),
    'API keys, no tenant chosen': tool('API keys'),
  }),
  ...at('/tenant/5/admin', {
    'API keys, one just made': does(
      tool('API keys'),
      fill('Name', 'Another shop'),
      fill('Your password', 'demo-password'),
      press('Create API key'),
      says('API key created'),
      seesButton('I have saved it'),
    ),
  }),
  ...at('/payment-methods', {
    'Webhook of a payment method, its secret shown': does(
      inRow('Payment methods', 'Edit'),
      (page) => page.getByText('Webhook: address, secret, deliveries').click(),
      fill('Your password', 'demo-password'),
      press('Show Secret'),
      seesField('Webhook Secret of this address'),
    ),
  }),
  ...at('/tenants', {
    'Books of all': books,
    'Edit Tenant, discard?': does(
      inRow('Tenants', 'Edit'),
      fill('Description', 'typed'),
      (page) => page.keyboard.press('Escape'),
      seesButton('Keep editing'),
    ),
  }),
  ...at('/overview', { 'Overview of all': { open: pictures, whole: true } }),
  ...at('/purchases?status=pending', { 'Purchases, filters unfolded': { unfold: filters, whole: true } }),
  ...at('/redeems?status=pending', {
    'Redeems, a decision and its reason': {
      whole: true,
      open: async (page) => {
        await rows(table(page, 'Redeems')).first().focus();
        for (const key of ['f', 'r']) await page.keyboard.press(key);
        await field(page, 'Reason').waitFor();
      },
    },
  }),
  ...at('/purchases', { 'Import Transactions, no tenant chosen': press('Import') }),
  ...at('/redeems?from=2026-02-02&to=2026-01-01', { 'Redeems, filters that make no sense': {} }),
];
/** And to a tenant admin. */
export const adminAdditions: View[] = [
  ...at('/?size=25', {
    'Account, a code to be scanned': async (page) => {
      await chooseTool(page, 'Account');
      const factor = dialog(page, 'Account').getByRole('region', { name: 'Two-factor sign-in', exact: true });
      await field(factor, 'Password').fill('demo-password');
      await button(factor, 'Set up').click();
      await field(factor, 'Code').waitFor();
    },
    'Menu of a row': { open: rowMenu, whole: true },
    'Audit of a player': does(rowMenu, (page) => page.getByRole('menuitem', { name: 'Audit', exact: true }).click()),
    'Approvals, nothing waits': does(tool('Approvals'), sees('Nothing waits for a second person.')),
    'Import Users, checked': imported,
    'Add login': does(part('Platform Logins'), press('Add login'), pick('Platform', 'vblink', 'Add login')),
  }),
  ...at('/?tab=deposits&status=pending', {
    Keys: async (page) => {
      if (isNarrow(page)) return;
      await page.locator('tr[data-id]').first().press('?');
      await dialog(page, 'Keys').waitFor();
    },
    'Queue settings': does(press('Queue settings'), (page) => dialog(page, 'Queue settings').waitFor()),
    'Deposits, what a row needs': does(press('Look up'), (page) => page.locator('tr.needs dl').waitFor()),
  }),
  ...at('/?tab=platforms', {
    'Panel address': does(press('Panel address'), fill('Address', 'http://not-safe.example', 'Panel address')),
    'Books of one': books,
    'Shifts of one': inBooks('Shifts'),
    'Accounts of one': inBooks('Accounts'),
    'Payouts of one': inBooks('Payouts'),
    'Add account': addAccount,
    'Buy, move or correct': does(
      addAccount,
      fill('Name', 'Till', 'Add account'),
      (page) => button(dialog(page, 'Add account'), 'Save').click(),
      press('Buy, move or correct'),
    ),
    'Movements of an account': inBooks('Accounts', 'Movements of Till'),
    'Open my shift': inBooks('Shifts', 'Open my shift'),
    'Close the shift': does(
      inBooks('Shifts', 'Open my shift'),
      fill('Till, in dollars', '5', 'Open my shift'),
      press('Open shift', /^Close the shift .* of ann/),
      fill('Till, in dollars', '4', 'Close the shift'),
    ),
    'One shift': inBooks('Shifts', /^Show the shift/),
    'Statement of a month': does(inBooks(/^Statement of/), lists('Accounts of players')),
  }),
  ...at('/?tab=overview', { Profit: press('Profit'), 'Overview of one': pictures }),
  ...at('/?size=25', {
    'Delete this user?': inRow('Users', 'Delete'),
    'Player, a hold to be put': inPlayer('Hold payouts'),
    'Player, eligibility': inPlayer('Eligibility'),
    'Player, a break and limits': inPlayer('Break and limits'),
    'Possible doubles': press('Possible doubles'),
    'Player, held, with a tag': does(
      inRow('Users', 'View'),
      fill('New tag', 'watched'),
      press('Add tag'),
      says('Tags saved'),
      press('Hold payouts'),
      pick('Reason', 'fraud_suspected', 'Hold payouts?'),
      (page) => button(dialog(page, 'Hold payouts?'), 'Hold payouts').click(),
      says('Payouts are on hold'),
      seesButton('Release payouts'),
    ),
    'Player, released': does(
      inRow('Users', 'View'),
      press('Release payouts'),
      says('Payouts are released'),
      press('Remove tag watched'),
      says('Tags saved'),
      seesButton('Hold payouts'),
      (page) => button(page, 'Remove tag watched').waitFor({ state: 'detached' }),
    ),
    'Player, Balances': part('Balances'),
    'Player, Platform Logins': part('Platform Logins'),
    'Player, Notes': does(
      part('Notes'),
      fill('New note', 'Called, all well.'),
      press('Add note'),
      says('Note added'),
      (page) => page.getByRole('dialog').locator('.note-text').first().waitFor(),
    ),
  }),
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
  ...at('/?size=25', {
    Team: tool('Team'),
    'Team, a colleague': does(tool('Team'), press('Edit sam@acme.test'), seesField('Your password')),
    'Team, Networks': does(tool('Team'), press('Networks'), seesField('Allowed networks')),
    'Approvals, limits to be changed': does(tool('Approvals'), fill('Two people for payouts from', '100')),
  }),
  ...at('/?tab=redeems&status=pending', {
    'Redeems, one waits': withWaiting,
    'Approvals, three wait': waiting,
    'Approve this?': does(waiting, press(/^Approve: Payout/), (page) =>
      dialog(page, 'Approve this?').getByText('First person').waitFor(),
    ),
    'Redeems, somebody else has one': withTaken,
    'Take it over?': does(press('Take over'), fill('Note', 'at lunch', 'Take it over?')),
  }),
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
