/** Every call of the specification: where the app makes it, what triggers it, and the message when it fails. */
import type { Locator, Page } from 'playwright-core';
import type { CallName } from '../../src/contract/calls';
import type { Fault } from './foreignServer';
import { button, choice, dialog, field, rows, rowWith, table } from './seen';

export interface FaultRow {
  call: CallName;
  /** Whose session: Sue is a super admin, Ann the admin of Acme; nobody signs in. */
  who: 'sue' | 'ann' | 'nobody';
  path: string;
  /** What is opened and typed before; it must outlive every failure. */
  open?: (page: Page) => Promise<void>;
  /** What makes the call, again and again. Left out: the screen is left and entered again. */
  act?: (page: Page) => Promise<void>;
  /** The message; null: it is only logged, and the list says so itself. */
  says: string | ((fault: Fault) => string) | null;
  /** Where the words stand, when not in a toast. */
  at?: (page: Page) => Locator;
  /** What a write says when it has worked. */
  done?: string;
}

const first = (page: Page, list: string): Locator => rows(table(page, list)).first();
const press = (name: string | RegExp) => async (page: Page) => {
  await page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
};
const pressIn = (title: string, name: string) => async (page: Page) => {
  await button(dialog(page, title), name).click();
};
const pressInRow = (list: string, name: string) => async (page: Page) => {
  await button(first(page, list), name).click();
};
/** Presses one button, then fills a dialog's fields. */
const fill =
  (
    opening: (page: Page) => Promise<void>,
    title: string,
    values: Record<string, string>,
    choices: Record<string, string> = {},
  ) =>
  async (page: Page) => {
    await opening(page);
    for (const [label, value] of Object.entries(choices)) await choice(dialog(page, title), label).selectOption(value);
    for (const [label, value] of Object.entries(values)) await field(dialog(page, title), label).fill(value);
  };
/** Opens a dialog anew. */
const reopen = (opening: (page: Page) => Promise<void>, title: string) => async (page: Page) => {
  if (await dialog(page, title).count()) await page.keyboard.press('Escape');
  await dialog(page, title).waitFor({ state: 'detached' });
  await opening(page);
};

const denied = (words: string) => (fault: Fault) =>
  fault === '403' ? "Access denied: You can only access your own tenant's data" : words;
const saveDenied = (fault: Fault) =>
  fault === '403' ? 'Access denied: You can only manage users in your own tenant' : 'Failed to save user';
const detailOr = (words: string) => (fault: Fault) =>
  fault === '422 list' ? 'field required' : /^4\d\d$/.test(fault) ? `refused with ${fault}` : words;
const credentials = { Username: 'somebody', Password: 'typed-secret' };
const signIn = async (page: Page) => {
  await field(page, 'Email').fill('ann@acme.test');
  await field(page, 'Password').fill('secret');
};
const alert = (page: Page) => page.getByRole('alert').first();
const manual = async (page: Page) => {
  await button(page, 'Create Manual Redeem').click();
  const form = dialog(page, 'Create Manual Redeem');
  await choice(form, 'Search User').fill('pam');
  await form.getByRole('option', { name: 'pam@mail.test' }).click();
  await choice(form, 'Platform').selectOption('yolo');
  await field(form, 'Amount').fill('12.5');
  await choice(form, 'Payout Method').selectOption('PayPal');
  await field(form, 'Payout Address').fill('pam@pay.test');
};
const chip = (name: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).click();
};
const pam = (name: string) => async (page: Page) => {
  await button(rowWith(table(page, 'Users'), 'pam@mail.test'), name).click();
};
const change = (list: string, label: string) => async (page: Page) => {
  await choice(table(page, list), label).selectOption('success');
};
const typeAnew = async (page: Page) => {
  const box = choice(dialog(page, 'Create Manual Redeem'), 'Search User');
  await box.fill('pa');
  await box.fill('pam');
};

export const faultRows: FaultRow[] = [
  {
    call: 'login',
    who: 'nobody',
    path: '/',
    open: signIn,
    act: press('Login'),
    at: alert,
    says: (fault) =>
      fault === '403' ? 'Access denied: You can only access your own tenant.' : 'Invalid credentials or not an admin.',
  },
  {
    call: 'loginToTenant',
    who: 'nobody',
    path: '/',
    open: signIn,
    act: press('Login'),
    at: alert,
    says: 'Access denied: You can only access your own tenant.',
  },

  { call: 'listTenants', who: 'sue', path: '/tenants', says: 'Failed to fetch tenants' },
  { call: 'listTenants', who: 'sue', path: '/admins', says: 'Failed to fetch tenants' },
  { call: 'listTenants', who: 'sue', path: '/platforms', says: 'Failed to fetch tenants' },
  {
    call: 'listTenants',
    who: 'sue',
    path: '/payment-methods',
    act: reopen(press('Add Payment Method'), 'Add New Payment Method'),
    says: null,
  },
  {
    call: 'createTenant',
    who: 'sue',
    path: '/tenants',
    open: async (page) => {
      await field(page, 'Name').fill('New one');
    },
    act: press('Add Tenant'),
    says: 'Failed to create tenant',
    done: 'Tenant created successfully',
  },
  {
    call: 'updateTenant',
    who: 'sue',
    path: '/tenants',
    open: fill(pressInRow('Tenants', 'Edit'), 'Edit Tenant', { Name: 'Renamed' }),
    act: pressIn('Edit Tenant', 'Save'),
    says: 'Failed to save tenant',
    done: 'Tenant updated successfully',
  },
  { call: 'listAssignments', who: 'sue', path: '/platforms', says: 'Failed to fetch platform assignments' },
  {
    call: 'saveAssignment',
    who: 'sue',
    path: '/platforms',
    open: fill(press(/^Assign to/), 'Platform Credentials', credentials),
    act: pressIn('Platform Credentials', 'Save'),
    says: 'Failed to update credentials',
    done: 'Credentials updated',
  },
  { call: 'listPlatforms', who: 'sue', path: '/platforms', says: 'Failed to fetch platforms' },
  {
    call: 'unassignPlatform',
    who: 'sue',
    path: '/platforms',
    act: press(/^Unassign/),
    says: 'Failed to unassign platform',
    done: 'Platform unassigned from tenant',
  },

  { call: 'listRoles', who: 'sue', path: '/admins?tenant=2', says: 'Failed to fetch admin role' },
  { call: 'listAdmins', who: 'sue', path: '/admins?tenant=2', says: 'Failed to fetch admins' },
  {
    call: 'createAdmin',
    who: 'sue',
    path: '/admins?tenant=2',
    open: fill(press('Create Admin'), 'Create Admin', { Email: 'new@acme.test', Password: 'typed-secret' }),
    act: pressIn('Create Admin', 'Save'),
    says: 'Failed to save admin',
    done: 'Admin created',
  },
  {
    call: 'updateAdmin',
    who: 'sue',
    path: '/admins?tenant=2',
    open: fill(pressInRow('Admins', 'Edit'), 'Edit Admin', { Email: 'other@acme.test' }),
    act: pressIn('Edit Admin', 'Save'),
    says: 'Failed to save admin',
    done: 'Admin updated',
  },
  {
    call: 'disableAdmin',
    who: 'sue',
    path: '/admins?tenant=2',
    act: pressInRow('Admins', 'Disable'),
    says: 'Failed to disable admin',
    done: 'Admin disabled',
  },

  { call: 'listPurchases', who: 'sue', path: '/purchases', says: 'Failed to fetch purchases' },
  { call: 'listDeposits', who: 'sue', path: '/deposits', says: 'Failed to fetch purchases' },
  {
    call: 'changePurchaseStatus',
    who: 'sue',
    path: '/purchases',
    act: change('Latest Purchases (All Tenants)', 'Status of TOP_UP 101, pam@mail.test, $20.50'),
    says: 'Failed to update status',
    done: 'Status updated successfully',
  },

  { call: 'listPlayers', who: 'ann', path: '/users', says: denied('Failed to fetch users') },
  {
    call: 'listPlayerCredentials',
    who: 'ann',
    path: '/users',
    act: reopen(pam('Platform Credentials'), 'Platform Credentials'),
    says: denied('Failed to fetch platform credentials'),
  },
  {
    call: 'updatePlayerCredential',
    who: 'ann',
    path: '/users',
    open: async (page) => {
      await pam('Platform Credentials')(page);
      await pressIn('Platform Credentials', 'Edit')(page);
      await field(dialog(page, 'Platform Credentials'), 'Username').fill('pam2');
    },
    act: pressIn('Platform Credentials', 'Save'),
    says: denied('Failed to update platform credential'),
    done: 'Platform credential updated',
  },
  {
    call: 'listPlayerTransactions',
    who: 'ann',
    path: '/users',
    act: reopen(pam('Transaction History'), 'Transaction History'),
    says: denied('Failed to fetch transaction history'),
  },
  {
    call: 'updatePlayer',
    who: 'ann',
    path: '/users',
    open: fill(pam('Edit'), 'Edit User', { 'First Name': 'Pamela', Password: 'typed-secret' }),
    act: pressIn('Edit User', 'Save'),
    says: saveDenied,
    done: 'User updated',
  },
  {
    call: 'createPlayer',
    who: 'ann',
    path: '/users',
    open: fill(press('Create User'), 'Create User', {
      Email: 'new@mail.test',
      Password: 'typed-secret',
      'Phone Number': '1 2 3',
    }),
    act: pressIn('Create User', 'Save'),
    says: saveDenied,
    done: 'User created',
  },
  {
    call: 'deletePlayer',
    who: 'ann',
    path: '/users',
    act: pam('Delete'),
    says: denied('Failed to delete user'),
    done: 'User deleted',
  },
  {
    call: 'adjustBalances',
    who: 'ann',
    path: '/users',
    open: fill(pam('Edit Balances'), 'Edit Balances', { Credit: '5', VIP: '2.5' }, { 'VIP Operation': 'Remove' }),
    act: pressIn('Edit Balances', 'Save'),
    says: denied('Failed to update balances'),
    done: 'Balances updated',
  },

  { call: 'listAvailablePlatforms', who: 'ann', path: '/?tab=platforms', says: 'Failed to fetch available platforms' },
  { call: 'listMyPlatforms', who: 'ann', path: '/?tab=platforms', says: 'Failed to fetch your platforms' },
  {
    call: 'activateMyPlatform',
    who: 'ann',
    path: '/?tab=platforms',
    act: async (page) => {
      await page.getByRole('switch', { name: 'VBlink is active' }).click();
    },
    says: 'Failed to toggle platform status',
    done: 'Platform activated successfully',
  },
  {
    call: 'deactivateMyPlatform',
    who: 'ann',
    path: '/?tab=platforms',
    act: async (page) => {
      await page.getByRole('switch', { name: 'yolo is active' }).click();
    },
    says: 'Failed to toggle platform status',
    done: 'Platform deactivated successfully',
  },
  {
    call: 'saveMyPlatformCredentials',
    who: 'ann',
    path: '/?tab=platforms',
    open: fill(pressInRow('Platforms', 'Edit'), 'Edit Platform Credentials', credentials),
    act: pressIn('Edit Platform Credentials', 'Save'),
    says: 'Failed to save credentials',
    done: 'Credentials updated successfully',
  },

  {
    call: 'listPlatformNames',
    who: 'ann',
    path: '/?tab=purchases',
    act: reopen(press('Redeem'), 'Redeem'),
    says: 'Failed to fetch platforms',
  },
  {
    call: 'submitRedeem',
    who: 'ann',
    path: '/?tab=purchases',
    open: fill(press('Redeem'), 'Redeem', { Amount: '150' }, { Platform: 'yolo' }),
    act: pressIn('Redeem', 'Submit'),
    says: detailOr('Failed to submit redeem request'),
    done: 'Redeem request submitted!',
  },

  { call: 'listRedeems', who: 'ann', path: '/?tab=redeems', says: 'Failed to fetch redeems' },
  {
    call: 'changeRedeemStatus',
    who: 'ann',
    path: '/?tab=redeems',
    act: change('Redeems', 'Status of redeem 41, pam@mail.test, $150.00'),
    says: 'Failed to update status',
    done: 'Status updated',
  },
  {
    call: 'searchPlayers',
    who: 'ann',
    path: '/?tab=redeems',
    open: async (page) => {
      await press('Create Manual Redeem')(page);
      await typeAnew(page);
    },
    act: typeAnew,
    says: 'Failed to search users',
  },
  {
    call: 'createManualRedeem',
    who: 'ann',
    path: '/?tab=redeems',
    open: manual,
    act: pressIn('Create Manual Redeem', 'Create'),
    says: detailOr('Failed to create manual redeem'),
    done: 'Manual redeem created successfully',
  },

  {
    call: 'getAffiliateStats',
    who: 'ann',
    path: '/?tab=affiliate-tracking',
    open: async (page) => {
      await field(page, 'Affiliate ID').fill('AFF1');
    },
    act: press('Get Stats'),
    says: detailOr('Failed to fetch affiliate stats'),
  },
  {
    call: 'getDashboardMetrics',
    who: 'ann',
    path: '/',
    says: 'Failed to load metrics',
    at: alert,
    act: async (page) => {
      await page.clock.fastForward(300_000);
    },
  },
  {
    call: 'listNewPlayersToday',
    who: 'ann',
    path: '/',
    act: reopen(chip(/^New Sign Ups Today/), 'New Players Today'),
    says: null,
  },
  {
    call: 'listFirstPurchasesToday',
    who: 'ann',
    path: '/',
    act: reopen(chip(/^First Purchase Today/), 'First Purchases Today'),
    says: null,
  },

  { call: 'listPaymentMethods', who: 'sue', path: '/payment-methods', says: 'Error fetching payment methods' },
  {
    call: 'togglePaymentMethod',
    who: 'sue',
    path: '/payment-methods',
    act: async (page) => {
      await page.getByRole('switch').first().click();
    },
    says: 'Error toggling payment method',
    done: 'Payment method deactivated successfully',
  },
  {
    call: 'deletePaymentMethod',
    who: 'sue',
    path: '/payment-methods',
    act: pressInRow('Payment methods', 'Delete'),
    says: 'Error deleting payment method',
    done: 'Payment method deleted successfully',
  },
  {
    call: 'createPaymentMethod',
    who: 'sue',
    path: '/payment-methods',
    open: fill(
      press('Add Payment Method'),
      'Add New Payment Method',
      { 'API Key': 'k', 'Secret Key': 's', 'Merchant ID': 'm' },
      { Tenant: '2', 'Payment Platform': 'apex' },
    ),
    act: pressIn('Add New Payment Method', 'Create'),
    says: 'Error saving payment method',
    done: 'Payment method created successfully',
  },
  {
    call: 'updatePaymentMethod',
    who: 'sue',
    path: '/payment-methods',
    open: fill(pressInRow('Payment methods', 'Edit'), 'Edit Payment Method', { 'Webhook URL': 'https://x.test/y' }),
    act: pressIn('Edit Payment Method', 'Update'),
    says: 'Error saving payment method',
    done: 'Payment method updated successfully',
  },
];
