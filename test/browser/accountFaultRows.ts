/** The calls about accounts, as rows of additionFaultRows.ts. */
import type { Page } from 'playwright-core';
import type { AdditionRow } from './additionFaultRows';
import { PASSWORD, people } from './harness';
import { button, chooseTool, dialog, field, rows, settled, table } from './seen';

const LOST = 'Not to be lost';
const shown = (page: Page) => dialog(page, 'Account');
const part = (page: Page, name: string) => shown(page).getByRole('region', { name, exact: true });
const factor = (page: Page) => part(page, 'Two-factor sign-in');
async function open(page: Page): Promise<void> {
  if (await shown(page).count()) await button(shown(page), 'Close').click();
  await shown(page).waitFor({ state: 'detached' });
  await chooseTool(page, 'Account');
  await shown(page).waitFor();
}
const withPassword = async (page: Page) => {
  await open(page);
  await field(shown(page), 'Current password').fill(LOST);
};
/** Signed in a second time, as in another browser. */
const withOther = async (page: Page) => {
  await page.evaluate(
    ([email, password]) =>
      fetch('api/v1/auth/login/json', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password }),
      }),
    [people.super, PASSWORD],
  );
  await withPassword(page);
};
/** As if it were on: no account of the sample world has one. */
const withFactor = async (page: Page) => {
  await page.route(
    '**/auth/account',
    (route) =>
      route.fulfill({
        json: {
          email: people.super,
          has_two_factor: true,
          two_factor_at: '2026-01-31T12:00:00Z',
          must_have_two_factor: false,
          recovery_codes_left: 7,
        },
      }),
    { times: 1 },
  );
  await open(page);
  await field(factor(page), 'Password').fill(PASSWORD);
  await field(factor(page), 'Code').fill(LOST);
};
const current = (page: Page) => field(shown(page), 'Current password');
const code = (page: Page) => field(factor(page), 'Code');
const press = (name: string) => async (page: Page) => {
  await button(shown(page), name).first().click();
};
const at = '/tenants';

export const accountRows: AdditionRow[] = [
  {
    call: 'getAccount',
    path: at,
    act: open,
    says: 'Failed to fetch your account',
    stays: current,
    mended: (page) => shown(page).getByText(people.super),
  },
  {
    call: 'listSessions',
    path: at,
    act: open,
    says: 'Failed to fetch your sessions',
    stays: (page) => table(page, 'Your sessions'),
    mended: (page) => rows(table(page, 'Your sessions')).first(),
  },
  {
    call: 'changePassword',
    path: at,
    open: async (page) => {
      await withPassword(page);
      await field(shown(page), 'New password').fill(LOST);
    },
    act: press('Change password'),
    says: 'Failed to change the password',
    stays: current,
  },
  {
    call: 'endSession',
    path: at,
    open: withOther,
    act: async (page) => {
      await press('End')(page);
      await button(dialog(page, 'End this session?'), 'End').click();
    },
    says: 'Failed to end the session',
    stays: current,
  },
  {
    call: 'endOtherSessions',
    path: at,
    open: withOther,
    act: async (page) => {
      await press('Sign out other sessions')(page);
      await button(dialog(page, 'Sign out other sessions?'), 'Sign out').click();
    },
    says: 'Failed to end the sessions',
    stays: current,
  },
  {
    call: 'setUpTwoFactor',
    path: at,
    open: async (page) => {
      await open(page);
      await field(factor(page), 'Password').fill(LOST);
    },
    act: press('Set up'),
    says: 'Failed to set up two-factor sign-in',
    stays: (page) => field(factor(page), 'Password'),
  },
  {
    call: 'confirmTwoFactor',
    path: at,
    open: async (page) => {
      await open(page);
      await field(factor(page), 'Password').fill(PASSWORD);
      await button(factor(page), 'Set up').click();
      await code(page).fill(LOST);
    },
    act: press('Turn on'),
    says: 'Failed to turn on two-factor sign-in',
    stays: code,
  },
  {
    call: 'renewRecoveryCodes',
    path: at,
    open: withFactor,
    act: press('New recovery codes'),
    says: 'Failed to create new recovery codes',
    stays: code,
  },
  {
    call: 'turnOffTwoFactor',
    path: at,
    open: withFactor,
    act: press('Turn off'),
    says: 'Failed to turn off two-factor sign-in',
    stays: code,
  },
  {
    call: 'resetTwoFactor',
    path: '/admins',
    open: async (page) => {
      await page.route(
        '**/admin-users/?*',
        async (route) => {
          const response = await route.fetch(),
            admins: object[] = await response.json();
          await route.fulfill({ response, json: admins.map((admin) => ({ ...admin, has_two_factor: true })) });
        },
        { times: 1 },
      );
      await page.getByLabel('Select Tenant').selectOption('2');
      await settled(page);
    },
    act: async (page) => {
      await button(page, 'Reset two-factor').first().click();
      await button(dialog(page, 'Reset two-factor sign-in for this admin?'), 'Reset').click();
    },
    says: 'Failed to reset two-factor sign-in',
    stays: (page) => button(page, 'Reset two-factor').first(),
    isBare: true,
  },
];
