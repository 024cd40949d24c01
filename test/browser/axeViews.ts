/** Every screen and every dialog there is to look at. */
import type { Page } from 'playwright-core';
import { button, choice, chooseTool, dialog, field, heading, rows, saying, settled, table } from './seen';

/** Where to go, and what to open there; `unfold` opens at each width what that width folds up or closes. */
export interface View {
  name: string;
  path: string;
  open?: (page: Page) => Promise<void>;
  unfold?: (page: Page) => Promise<void>;
}

/** The first player's view, where a button is pressed. */
const inPlayer = (name: string) => async (page: Page) => {
  await inRow('Users', 'View')(page);
  await button(page, name).click();
};
const inRow = (list: string, name: string) => async (page: Page) => {
  await button(rows(table(page, list)).first(), name).click();
};
const rowMenu = async (page: Page) => {
  await page
    .getByRole('button', { name: /^Actions for / })
    .first()
    .click();
  await page.getByRole('menu').waitFor();
};
const tool = (name: string) => (page: Page) => chooseTool(page, name);
const press = (name: string | RegExp) => async (page: Page) => {
  await page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
};

/** A super admin's screens and dialogs of the specification. */
export const superViews: View[] = [
  { name: 'Tenants', path: '/tenants' },
  { name: 'Tenants, purchases of one', path: '/tenants?view=5' },
  { name: 'Edit Tenant', path: '/tenants', open: inRow('Tenants', 'Edit') },
  { name: 'Platforms', path: '/platforms' },
  { name: 'Platform Credentials of a tenant', path: '/platforms', open: press(/^Edit credentials for/) },
  { name: 'Assign to a tenant', path: '/platforms', open: press(/^Assign to/) },
  { name: 'Admins, none chosen', path: '/admins' },
  { name: 'Admins', path: '/admins?tenant=2' },
  { name: 'Create Admin', path: '/admins?tenant=2', open: press('Create Admin') },
  { name: 'Edit Admin', path: '/admins?tenant=2', open: inRow('Admins', 'Edit') },
  { name: 'Purchases', path: '/purchases' },
  { name: 'Redeem', path: '/purchases', open: press('Redeem') },
  { name: 'Details of a transaction', path: '/purchases', open: press('Details') },
  { name: 'Users of all', path: '/users?size=25' },
  { name: 'Deposits', path: '/deposits' },
  { name: 'Returns of all', path: '/returns' },
  { name: 'Redeems of all', path: '/redeems' },
  { name: 'Payment Methods', path: '/payment-methods' },
  {
    name: 'Add New Payment Method',
    path: '/payment-methods',
    open: async (page) => {
      await button(page, 'Add Payment Method').click();
      await choice(dialog(page, 'Add New Payment Method'), 'Payment Platform').selectOption('apex');
    },
  },
  { name: 'Edit Payment Method', path: '/payment-methods', open: inRow('Payment methods', 'Edit') },
  { name: 'New Players Today', path: '/tenants', open: press(/^New Sign Ups Today: \d/) },
  { name: 'First Purchases Today', path: '/tenants', open: press(/^First Purchase Today: \d/) },
  { name: 'A tenant, its users', path: '/tenant/5/admin?size=25' },
  { name: 'A tenant, its platforms', path: '/tenant/5/admin?tab=platforms' },
];

/** A tenant admin's. */
export const adminViews: View[] = [
  { name: 'Users', path: '/?size=25&search=a' },
  { name: 'Users, none found', path: '/users?search=zzzz-nobody' },
  { name: 'Create User', path: '/?size=25', open: press('Create User') },
  { name: 'Edit User', path: '/?size=25', open: inRow('Users', 'Edit') },
  { name: 'Edit Balances', path: '/?size=25', open: inRow('Users', 'Edit Balances') },
  {
    name: 'Edit Balances, an amount that is none',
    path: '/?size=25',
    open: async (page) => {
      await inRow('Users', 'Edit Balances')(page);
      await field(dialog(page, 'Edit Balances'), 'Credit').fill('1.005');
      await button(dialog(page, 'Edit Balances'), 'Save').click();
    },
  },
  { name: 'Platform Credentials', path: '/?size=25', open: editedCredential },
  { name: 'Transaction History', path: '/?size=25', open: inRow('Users', 'Transaction History') },
  { name: 'Purchases of one', path: '/?tab=purchases' },
  { name: 'Returns', path: '/?tab=returns' },
  {
    name: 'Record Return',
    path: '/?tab=returns',
    open: (page) => button(page, 'Record Return').click(),
  },
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
    open: async (page) => {
      await heading(page, 'Total GGR').waitFor();
    },
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
const books = async (page: Page) => {
  await chooseTool(page, 'Books');
  await settled(page);
};
const inBooks = (name: string | RegExp) => async (page: Page) => {
  await books(page);
  await page.getByRole('button', { name }).first().click();
};
const addAccount = inBooks('Add account');
const moveValue = async (page: Page) => {
  await addAccount(page);
  await dialog(page, 'Add account').getByLabel('Name', { exact: true }).fill('Till');
  await button(dialog(page, 'Add account'), 'Save').click();
  await button(page, 'Buy, move or correct').click();
};
const closeShift = async (page: Page) => {
  await inBooks('Open my shift')(page);
  await dialog(page, 'Open my shift').getByLabel('Till, in dollars').fill('5');
  await button(page, 'Open shift').click();
  await page.getByRole('button', { name: /^Close the shift/ }).click();
  await dialog(page, 'Close the shift').getByLabel('Till, in dollars').fill('4');
};
const statement = async (page: Page) => {
  await inBooks(/^Statement of/)(page);
  await rows(table(page, 'Accounts')).first().waitFor();
};
/** The first picture has its table shown too. */
const pictures = async (page: Page) => {
  await page.getByRole('button', { name: 'Actions for Money that players hold' }).click();
  await page.getByRole('menuitem', { name: 'Show table' }).click();
};
const part = (name: string) => async (page: Page) => {
  await inRow('Users', 'View')(page);
  await button(page.getByRole('dialog'), name).click();
};
const find = (words: string) => async (page: Page) => {
  await button(page, 'Search').click();
  await page.getByRole('dialog').getByRole('combobox').fill(words);
  await page
    .getByRole('dialog')
    .getByText(/^\d+ results?$/)
    .waitFor();
};
const filters = async (page: Page) => {
  if (isNarrow(page)) await page.getByRole('button', { name: 'Filters', expanded: false }).click();
};

/** A file that is checked, some of its rows rejected. */
const imported = (name: 'Import Players' | 'Import Transactions', text: string) => async (page: Page) => {
  await button(page, 'Import').click();
  const shown = dialog(page, name);
  await field(shown, 'CSV file').setInputFiles({
    name: 'old-shop.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });
  await button(shown, 'Check file').click();
  await page.getByText(/^Checked old-shop.csv/).waitFor();
  await shown.getByText('Columns', { exact: true }).click();
};

/** What the server offers beyond the specification, to a super admin. */
export const superAdditions: View[] = [
  { name: 'Audit', path: '/tenants', open: tool('Audit') },
  {
    name: 'Audit, nothing found',
    path: '/tenants',
    open: async (page) => {
      await chooseTool(page, 'Audit');
      await field(dialog(page, 'Audit'), 'Person').fill('nobody of that name');
      await page.getByText('No entries match.').waitFor();
    },
  },
  { name: 'Search', path: '/tenants', open: find('pa') },
  {
    name: 'Search, nothing found',
    path: '/tenants',
    open: async (page) => {
      await button(page, 'Search').click();
      await page.getByRole('dialog').getByRole('combobox').fill('nobody of that name');
      await page.getByText('Nothing found.').waitFor();
    },
  },
  {
    name: 'Affiliates of a tenant',
    path: '/tenant/2/admin?tab=affiliate-tracking&range=month',
    open: async (page) => {
      await table(page, 'Affiliates').locator('tfoot').waitFor();
    },
  },
  {
    name: 'Account',
    path: '/tenants',
    open: async (page) => {
      await chooseTool(page, 'Account');
      await table(page, 'Your sessions').waitFor();
    },
  },
  {
    name: 'Notifications, the menu',
    path: '/tenants',
    open: async (page) => {
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await page.getByRole('group', { name: 'Notifications' }).getByRole('heading').waitFor();
    },
  },
  {
    name: 'Notifications, rules and channels',
    path: '/tenants',
    open: async (page) => {
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await button(page, 'Rules and channels').click();
      await button(dialog(page, 'Notifications'), 'Edit Large redeem').click();
      await dialog(page, 'Large redeem').waitFor();
    },
  },
  {
    name: 'Notifications, the rows behind a rule',
    path: '/tenants',
    open: async (page) => {
      const name = 'Balance changed by hand without a reason';
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await button(page, 'Rules and channels').click();
      await button(dialog(page, 'Notifications'), `Show rows: ${name}`).click();
      await rows(table(page, name)).first().waitFor();
    },
  },
  { name: 'API keys, no tenant chosen', path: '/tenants', open: tool('API keys') },
  {
    name: 'API keys, one just made',
    path: '/tenant/5/admin',
    open: async (page) => {
      await chooseTool(page, 'API keys');
      await field(dialog(page, 'API keys'), 'Name').fill('Another shop');
      await field(dialog(page, 'API keys'), 'Your password').fill('demo-password');
      await button(page, 'Create API key').click();
      await saying(page, 'API key created');
      await button(page, 'I have saved it').waitFor();
    },
  },
  {
    name: 'Webhook of a payment method, its secret shown',
    path: '/payment-methods',
    open: async (page) => {
      await inRow('Payment methods', 'Edit')(page);
      await field(page.getByRole('dialog'), 'Your password').fill('demo-password');
      await button(page, 'Show Secret').click();
      await field(page.getByRole('dialog'), 'Webhook Secret of this address').waitFor();
    },
  },
  { name: 'Books of all', path: '/tenants', open: books },
  { name: 'Overview of all', path: '/overview', open: pictures },
  { name: 'Purchases, filters unfolded', path: '/purchases?status=pending', unfold: filters },
  { name: 'Redeem, its details', path: '/redeems', open: press('Details') },
  {
    name: 'Redeems, a decision and its reason',
    path: '/redeems?status=pending',
    open: async (page) => {
      await rows(table(page, 'Redeems')).first().focus();
      await page.keyboard.press('f');
      await button(page, 'Add reason').click();
    },
  },
  {
    name: 'Edit Tenant, discard?',
    path: '/tenants',
    open: async (page) => {
      await inRow('Tenants', 'Edit')(page);
      await field(dialog(page, 'Edit Tenant'), 'Description').fill('typed');
      await page.keyboard.press('Escape');
      await button(page, 'Keep editing').waitFor();
    },
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
  { name: 'Menu of a row', path: '/?size=25', open: rowMenu },
  {
    name: 'Audit of a player',
    path: '/?size=25',
    open: async (page) => {
      await rowMenu(page);
      await page.getByRole('menuitem', { name: 'Audit', exact: true }).click();
    },
  },
  { name: 'Search by reference', path: '/', open: find('bc1') },
  {
    name: 'Approvals, nothing waits',
    path: '/?size=25',
    open: async (page) => {
      await chooseTool(page, 'Approvals');
      await page.getByText('Nothing waits for a second person.').waitFor();
    },
  },
  {
    name: 'Affiliates, none matches',
    path: '/?tab=affiliate-tracking&range=month&text=none-such',
    open: async (page) => {
      await page.getByText('No affiliate matches.').waitFor();
    },
  },
  {
    name: 'Import Players, checked',
    path: '/?size=25',
    open: imported(
      'Import Players',
      'email,credit_balance,shoe size\nnew@mail.example,12.50,44\nnobody,1,\nann@acme.test,1.005,\n',
    ),
  },
  {
    name: 'Import Transactions, checked',
    path: '/?tab=redeems',
    open: imported(
      'Import Transactions',
      'source_id,user_email,type,status,amount,initiated_at\n1,nobody@mail.example,TOP_UP,pending,5,2026-01-01\n',
    ),
  },
  {
    name: 'Panel address',
    path: '/?tab=platforms',
    open: async (page) => {
      await button(page, 'Panel address').first().click();
      await field(dialog(page, 'Panel address'), 'Address').fill('http://not-safe.example');
    },
  },
  {
    name: 'Add login',
    path: '/?size=25',
    open: async (page) => {
      await part('Platform Logins')(page);
      await button(page, 'Add login').click();
      await choice(dialog(page, 'Add login'), 'Platform').selectOption('vblink');
    },
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
    open: async (page) => {
      await button(page, 'Queue settings').click();
      await dialog(page, 'Queue settings').waitFor();
    },
  },
  {
    name: 'Deposits, what a row needs',
    path: '/?tab=deposits&status=pending',
    open: async (page) => {
      await button(page, 'Look up').first().click();
      await page.locator('tr.needs dl').waitFor();
    },
  },
  { name: 'Books of one', path: '/?tab=platforms', open: books },
  { name: 'Add account', path: '/?tab=platforms', open: addAccount },
  { name: 'Buy, move or correct', path: '/?tab=platforms', open: moveValue },
  { name: 'Movements of an account', path: '/?tab=platforms', open: inBooks('Movements of Till') },
  { name: 'Open my shift', path: '/?tab=platforms', open: inBooks('Open my shift') },
  { name: 'Close the shift', path: '/?tab=platforms', open: closeShift },
  { name: 'One shift', path: '/?tab=platforms', open: inBooks(/^Show the shift/) },
  { name: 'Profit', path: '/?tab=overview', open: (page) => button(page, 'Profit').click() },
  { name: 'Statement of a month', path: '/?tab=platforms', open: statement },
  { name: 'Overview of one', path: '/?tab=overview', open: pictures },
  { name: 'Deposits, filters unfolded', path: '/?tab=deposits', unfold: filters },
  { name: 'Delete this user?', path: '/?size=25', open: inRow('Users', 'Delete') },
  { name: 'Player, a hold to be put', path: '/?size=25', open: inPlayer('Hold payouts') },
  { name: 'Player, eligibility', path: '/?size=25', open: inPlayer('Eligibility') },
  { name: 'Player, a break and limits', path: '/?size=25', open: inPlayer('Break and limits') },
  { name: 'Possible doubles', path: '/?size=25', open: (page) => button(page, 'Possible doubles').click() },
  {
    name: 'Player, held, with a tag',
    path: '/?size=25',
    open: async (page) => {
      await inRow('Users', 'View')(page);
      const shown = page.getByRole('dialog');
      await field(shown, 'New tag').fill('watched');
      await button(shown, 'Add tag').click();
      await saying(page, 'Tags saved'); // its message would lie over what is looked at
      await button(shown, 'Hold payouts').click();
      const question = dialog(page, 'Hold payouts?');
      await choice(question, 'Reason').selectOption('fraud_suspected');
      await button(question, 'Hold payouts').click();
      await saying(page, 'Payouts are on hold');
      await button(shown, 'Release payouts').waitFor();
    },
  },
  {
    name: 'Player, released',
    path: '/?size=25',
    open: async (page) => {
      await inRow('Users', 'View')(page);
      await button(page, 'Release payouts').click();
      await saying(page, 'Payouts are released');
      await button(page, 'Remove tag watched').click();
      await saying(page, 'Tags saved');
      await button(page, 'Hold payouts').waitFor();
      await button(page, 'Remove tag watched').waitFor({ state: 'detached' });
    },
  },
  ...['Balances', 'Purchases', 'Redeems', 'Platform Logins', 'History'].map((name) => ({
    name: `Player, ${name}`,
    path: '/?size=25',
    open: part(name),
  })),
  {
    name: 'Player, Notes',
    path: '/?size=25',
    open: async (page) => {
      await part('Notes')(page);
      await field(page, 'New note').fill('Called, all well.');
      await button(page, 'Add note').click();
      await saying(page, 'Note added');
      await page.getByRole('dialog').locator('.note-text').first().waitFor();
    },
  },
];

/** Three things that others have approved, the first a redeem that is on screen. */
const withWaiting = async (page: Page) => {
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
/** What whoever manages a team sees besides. */
export const managerViews: View[] = [
  { name: 'Team', path: '/?size=25', open: tool('Team') },
  {
    name: 'Team, a colleague',
    path: '/?size=25',
    open: async (page) => {
      await chooseTool(page, 'Team');
      await button(page, 'Edit sam@acme.test').click();
      await field(page.getByRole('dialog'), 'Your password').waitFor();
    },
  },
  {
    name: 'Team, Networks',
    path: '/?size=25',
    open: async (page) => {
      await chooseTool(page, 'Team');
      await button(page, 'Networks').click();
      await field(page.getByRole('dialog'), 'Allowed networks').waitFor();
    },
  },
  {
    name: 'Approvals, limits to be changed',
    path: '/?size=25',
    open: async (page) => {
      await chooseTool(page, 'Approvals');
      await field(page.getByRole('dialog'), 'Two people for payouts from').fill('100');
    },
  },
  { name: 'Redeems, one waits', path: '/?tab=redeems&status=pending', open: withWaiting },
  {
    name: 'Approvals, three wait',
    path: '/?tab=redeems&status=pending',
    open: async (page) => {
      await page.getByRole('button', { name: /^1 of 2, by fay/ }).click();
      await rows(table(page, 'Waiting for a second person')).first().waitFor();
    },
  },
  {
    name: 'Approve this?',
    path: '/?tab=redeems&status=pending',
    open: async (page) => {
      await page.getByRole('button', { name: /^1 of 2, by fay/ }).click();
      await page
        .getByRole('button', { name: /^Approve: Payout/ })
        .first()
        .click();
      await dialog(page, 'Approve this?').getByText('First person').waitFor();
    },
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
