/** Every call beyond the specification's: where the app makes it, what triggers it, and the message when it fails. */
import type { Locator, Page } from 'playwright-core';
import { UNKNOWN } from '../../src/app/api/repeat';
import type { CallName } from '../../src/contract/calls';
import { accountRows } from './accountFaultRows';
import { dailyRows } from './dailyFaultRows';
import { notificationRows } from './notificationFaultRows';
import { button, choice, choose, chooseTool, dialog, field, heading, rows, table } from './seen';
import { teamRows } from './teamFaultRows';

export interface AdditionRow {
  call: CallName;
  path: string;
  /** What is opened and typed before the line fails. */
  open?: (page: Page) => Promise<void>;
  /** What makes the call, again and again. */
  act: (page: Page) => Promise<void>;
  /** The message; null: an extra that nobody waits for, only logged. */
  says: string | null;
  /** Nothing is typed where it is made. */
  isBare?: true;
  /** What is there however the call fails. */
  stays: (page: Page) => Locator;
  /** What stands there once the line is well and Retry is pressed. Left out: there is none. */
  mended?: (page: Page) => Locator;
}

const press = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).first().click();
};
const inDialog = (name: string) => async (page: Page) => {
  await button(page.getByRole('dialog'), name).click();
};
const view = async (page: Page) => {
  await button(rows(table(page, 'Users')).first(), 'View').click();
};
/** Closes the dialog, if it is open, and opens it anew. */
const reopen = (opening: (page: Page) => Promise<void>) => async (page: Page) => {
  if (await page.getByRole('dialog').count()) await inDialog('Close')(page);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await opening(page);
};
/** What the player's view loads when it opens. */
const viewAt = (name: string) => async (page: Page) => {
  await reopen(view)(page);
  await inDialog(name)(page);
};
/** Another part of the player's view, and back to this one. */
const part = (name: string) => async (page: Page) => {
  await inDialog('Notes')(page);
  await inDialog(name)(page);
};
const filled = (list: string) => (page: Page) => rows(table(page, list)).first();
/** A file of two rows, its name as what was typed. */
const chooseFile = async (page: Page) => {
  await press('Import')(page);
  await field(page.getByRole('dialog'), 'CSV file').setInputFiles({
    name: 'Not to be lost',
    mimeType: 'text/csv',
    buffer: Buffer.from('source_id,email\nF1,f1@mail.example\nF2,f2@mail.example\n'),
  });
};
const apiKeys = async (page: Page) => {
  await chooseTool(page, 'API keys');
  await field(dialog(page, 'API keys'), 'Name').fill('Not to be lost');
  await field(dialog(page, 'API keys'), 'Your password').fill('demo-password');
  await rows(table(page, 'API keys')).first().waitFor();
};
const BY_HAND = 'Balance changed by hand without a reason';
const books = async (page: Page) => {
  await chooseTool(page, 'Books');
  await dialog(page, 'Books').waitFor();
};
const method = async (page: Page) => {
  await button(
    rows(table(page, 'Payment methods'))
      .filter({ has: page.getByRole('switch', { checked: true }) })
      .first(),
    'Edit',
  ).click();
};
const USERS = '/tenant/2/admin?size=25&sort=credit_balance&order=desc';

export const additionRows: AdditionRow[] = [
  {
    call: 'getAudit',
    path: '/tenants',
    act: reopen((page) => chooseTool(page, 'Audit')),
    says: 'Failed to fetch the audit log',
    stays: (page) => field(dialog(page, 'Audit'), 'Person'),
    mended: filled('Audit'),
  },
  {
    call: 'getTransactionDetails',
    path: '/redeems',
    act: reopen(press('Details')),
    says: 'Failed to fetch the details',
    stays: (page) => page.getByRole('dialog').getByText('Payout Address'),
  },
  {
    call: 'getBooks',
    path: '/tenant/2/admin',
    act: reopen(books),
    says: 'Failed to fetch the books',
    stays: (page) => heading(page, 'Alarms'),
    mended: (page) =>
      dialog(page, 'Books')
        .getByText(/verified/i)
        .first(),
  },
  {
    call: 'listBookMonths',
    path: '/tenant/2/admin',
    act: reopen(books),
    says: 'Failed to fetch the months',
    stays: (page) => button(dialog(page, 'Books'), 'Verify now'),
    mended: filled('Months'),
  },
  {
    call: 'listAlarmRows',
    path: '/tenant/2/admin',
    open: books,
    act: async (page) => {
      const hide = button(page, `Hide ${BY_HAND}`);
      if (await hide.isVisible()) await hide.click();
      await button(page, `Show ${BY_HAND}`).click();
    },
    says: 'Failed to fetch the alarm',
    stays: (page) => table(page, 'Alarms').first(),
    mended: filled(BY_HAND),
  },
  {
    call: 'getStatement',
    path: '/tenant/2/admin',
    open: books,
    act: async (page) => {
      const statement = page.getByRole('dialog', { name: /^Statement of/ });
      if (await statement.count()) await button(statement, 'Close').click();
      await statement.waitFor({ state: 'detached' });
      await page
        .getByRole('button', { name: /^Statement of/ })
        .first()
        .click();
    },
    says: 'Failed to fetch the statement',
    stays: (page) => button(page.getByRole('dialog', { name: /^Statement of/ }), 'Export CSV'),
    mended: filled('Accounts'),
  },
  {
    call: 'exportStatement',
    path: '/tenant/2/admin',
    open: async (page) => {
      await books(page);
      await page
        .getByRole('button', { name: /^Statement of/ })
        .first()
        .click();
    },
    act: (page) => button(page.getByRole('dialog', { name: /^Statement of/ }), 'Export CSV').click(),
    says: 'Failed to export the statement',
    stays: filled('Accounts'),
  },
  {
    call: 'verifyBooks',
    path: '/tenant/2/admin',
    open: books,
    act: inDialog('Verify now'),
    says: 'Failed to verify the books',
    isBare: true,
    stays: (page) => button(dialog(page, 'Books'), 'Verify now'),
  },
  {
    call: 'closeMonth',
    path: '/tenant/2/admin',
    open: books,
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Close \w+ \d{4}$/ })
        .last()
        .click();
      await button(page, 'Close month').click();
    },
    says: UNKNOWN,
    isBare: true,
    stays: filled('Months'),
  },
  {
    call: 'getOverview',
    path: '/overview',
    act: async (page) => {
      await page.getByRole('group', { name: 'Span' }).locator('[aria-pressed="false"]').first().click();
    },
    says: 'Failed to load the overview',
    stays: (page) => page.getByRole('heading', { name: 'Overview' }),
    mended: (page) => page.locator('.overview:not(:has([role="alert"]))'),
  },
  {
    call: 'search',
    path: '/tenants',
    open: press('Search'),
    act: async (page) => {
      const box = page.getByRole('dialog').getByRole('combobox');
      await box.fill((await box.inputValue()) === 'maria' ? 'jamal' : 'maria');
    },
    says: 'Failed to search',
    stays: (page) => page.getByRole('dialog').getByRole('combobox'),
    mended: (page) => page.getByRole('dialog').getByRole('option').first(),
  },
  {
    call: 'getAffiliates',
    path: '/tenant/2/admin?tab=affiliate-tracking',
    act: async (page) => {
      const box = choice(page, 'Date Range');
      await box.selectOption((await box.inputValue()) === 'month' ? 'week' : 'month');
    },
    says: 'Failed to fetch affiliates',
    stays: (page) => field(page, 'Filter affiliates'),
    mended: filled('Affiliates'),
  },
  {
    call: 'countListed',
    path: '/redeems',
    act: async (page) => {
      const box = choice(page, 'By status');
      await box.selectOption((await box.inputValue()) === 'success' ? 'failed' : 'success');
    },
    says: null,
    stays: filled('Redeems'),
  },
  {
    call: 'sumListed',
    path: '/redeems',
    act: async (page) => {
      const box = choice(page, 'By status');
      await box.selectOption((await box.inputValue()) === 'success' ? 'failed' : 'success');
    },
    says: null,
    stays: filled('Redeems'),
  },
  {
    call: 'getTenantSetup',
    path: '/tenant/3/admin?size=25',
    // Each tab asks anew.
    act: (page) => choose(page, 'Tenant', page.url().includes('tab=') ? 'Users' : 'Platforms'),
    says: null,
    stays: (page) => page.getByRole('tabpanel'),
  },
  {
    call: 'countNew',
    path: '/redeems',
    act: async (page) => page.clock.fastForward(61_000), // the poll of each minute
    says: null,
    stays: filled('Redeems'),
  },
  {
    call: 'countPending',
    path: '/redeems',
    act: async (page) => {
      await page.clock.fastForward(61_000);
    },
    says: null,
    stays: filled('Redeems'),
  },
  {
    call: 'exportRedeems',
    path: '/redeems',
    act: press('Export CSV'),
    says: 'Failed to export the list',
    stays: filled('Redeems'),
  },
  {
    call: 'exportPurchases',
    path: '/purchases',
    act: press('Export CSV'),
    says: 'Failed to export the list',
    stays: filled('Latest Purchases (All Tenants)'),
  },
  {
    call: 'exportDeposits',
    path: '/deposits',
    act: press('Export CSV'),
    says: 'Failed to export the list',
    stays: filled('Deposits (Platform Only)'),
  },
  {
    call: 'exportPlayers',
    path: USERS,
    act: press('Export CSV'),
    says: 'Failed to export the list',
    stays: filled('Users'),
  },

  {
    call: 'getPlayer',
    path: USERS,
    act: reopen(view),
    says: 'Failed to fetch the player',
    stays: (page) => button(page.getByRole('dialog'), 'Balances'),
    mended: (page) => button(page.getByRole('dialog'), 'Hold payouts'),
  },
  {
    call: 'getPlayerLedger',
    path: USERS,
    open: view,
    act: part('Balances'),
    says: 'Failed to fetch the ledger',
    stays: (page) => choice(page.getByRole('dialog'), 'Account'),
    mended: filled('Ledger'),
  },
  {
    call: 'listPlayerPurchases',
    path: USERS,
    act: viewAt('Purchases'),
    says: 'Failed to fetch purchases',
    stays: (page) => table(page, 'Purchases'),
    mended: filled('Purchases'),
  },
  {
    call: 'listPlayerRedeems',
    path: USERS,
    act: viewAt('Redeems'),
    says: 'Failed to fetch redeems',
    stays: (page) => table(page, 'Redeems'),
    mended: (page) => table(page, 'Redeems'),
  },
  {
    call: 'addPlayerNote',
    path: USERS,
    open: async (page) => {
      await view(page);
      await inDialog('Notes')(page);
      await field(page, 'New note').fill('Not to be lost');
    },
    act: inDialog('Add note'),
    says: UNKNOWN,
    stays: (page) => page.locator('textarea'),
  },
  {
    call: 'savePlayerTags',
    path: USERS,
    open: async (page) => {
      await view(page);
      await field(page, 'New tag').fill('Not to be lost');
    },
    act: inDialog('Add tag'),
    says: 'Failed to save the tags',
    stays: (page) => field(page, 'New tag'),
  },
  {
    call: 'holdPayouts',
    path: USERS,
    open: async (page) => {
      await view(page);
      await inDialog('Hold payouts')(page);
      await field(dialog(page, 'Hold payouts?'), 'Note').fill('Not to be lost');
    },
    act: (page) => button(dialog(page, 'Hold payouts?'), 'Hold payouts').click(),
    says: 'Failed to change the hold',
    stays: (page) => field(dialog(page, 'Hold payouts?'), 'Note'),
  },

  {
    call: 'checkImport',
    path: USERS,
    open: chooseFile,
    act: inDialog('Check file'),
    says: 'Failed to check the file',
    stays: (page) => field(page.getByRole('dialog'), 'CSV file'),
  },
  {
    call: 'importRows',
    path: USERS,
    open: async (page) => {
      await chooseFile(page);
      await inDialog('Check file')(page);
      await button(page.getByRole('dialog'), 'Import 2 rows').waitFor();
    },
    act: async (page) => {
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Import 2 rows|Continue)$/ })
        .click();
    },
    says: 'Failed to import the file',
    stays: (page) => field(page.getByRole('dialog'), 'CSV file'),
  },
  {
    call: 'listApiKeys',
    path: '/tenant/2/admin',
    act: reopen((page) => chooseTool(page, 'API keys')),
    says: 'Failed to fetch API keys',
    stays: (page) => field(dialog(page, 'API keys'), 'Name'),
    mended: filled('API keys'),
  },
  {
    call: 'createApiKey',
    path: '/tenant/2/admin',
    open: apiKeys,
    act: inDialog('Create API key'),
    says: 'Failed to create the API key',
    stays: (page) => field(dialog(page, 'API keys'), 'Name'),
  },
  {
    call: 'revokeApiKey',
    path: '/tenant/2/admin',
    open: apiKeys,
    act: async (page) => {
      page.once('dialog', (asked) => void asked.accept());
      await button(rows(table(page, 'API keys')).first(), 'Revoke').click();
    },
    says: 'Failed to revoke the API key',
    stays: (page) => field(dialog(page, 'API keys'), 'Name'),
  },
  {
    call: 'getWebhook',
    path: '/payment-methods',
    act: async (page) => {
      if (await page.getByRole('dialog').count()) await inDialog('Cancel')(page);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await method(page);
    },
    says: 'Failed to fetch the webhook',
    stays: (page) => field(page.getByRole('dialog'), 'Webhook URL'),
    mended: filled('Last deliveries'),
  },
  {
    call: 'revealWebhookSecret',
    path: '/payment-methods',
    open: async (page) => {
      await method(page);
      await field(page.getByRole('dialog'), 'Webhook URL').fill('Not to be lost');
      await field(page.getByRole('dialog'), 'Your password').fill('demo-password');
    },
    act: inDialog('Show Secret'),
    says: 'Failed to fetch the webhook secret',
    stays: (page) => field(page.getByRole('dialog'), 'Webhook URL'),
  },

  {
    call: 'changeRedeemStatus',
    path: '/redeems?status=pending',
    act: async (page) => {
      await rows(table(page, 'Redeems')).first().focus();
      await page.keyboard.press('f');
      await page.clock.fastForward(5_100);
    },
    says: UNKNOWN,
    stays: (page) => rows(table(page, 'Redeems')).first().getByRole('combobox'),
  },
  ...accountRows,
  ...dailyRows,
  ...teamRows,
  ...notificationRows,
];
