/** The calls about a team and about what needs two people, as rows of additionFaultRows.ts. */
import type { Page } from 'playwright-core';
import { permissions } from '../../src/contract/permissions';
import type { AdditionRow } from './additionFaultRows';
import { PASSWORD } from './harness';
import { button, chooseTool, dialog, field, rows, settled, table } from './seen';

const LOST = 'Not to be lost';
const PATH = '/tenant/2/admin?size=25';

/** A super admin has the screen Admins for this; whoever has the permission Team has it in the title bar. */
async function team(page: Page): Promise<void> {
  await page.evaluate((all) => {
    const user: object = JSON.parse(localStorage.getItem('user') ?? '{}');
    localStorage.setItem('user', JSON.stringify({ ...user, permissions: all }));
  }, permissions);
  await page.reload();
  await page.locator('main h2').first().waitFor();
  await settled(page);
}
const openTeam = async (page: Page) => {
  await team(page);
  await chooseTool(page, 'Team');
  await rows(table(page, 'Team')).first().waitFor();
};
const reopen = (name: string) => async (page: Page) => {
  if (await dialog(page, name).count()) await button(dialog(page, name), 'Close').click();
  await dialog(page, name).waitFor({ state: 'detached' });
  await chooseTool(page, name);
};
const withForm = (opener: RegExp) => async (page: Page) => {
  await openTeam(page);
  await dialog(page, 'Team').getByRole('button', { name: opener }).first().click();
  await field(dialog(page, 'Team'), 'Email').fill('lost@acme.test');
  await field(dialog(page, 'Team'), 'Password').fill(LOST);
  await field(dialog(page, 'Team'), 'Your password').fill(PASSWORD);
};
const press = (name: string) => async (page: Page) => {
  await button(dialog(page, 'Team'), name).click();
};

/** One thing that somebody else has approved, as another server could say it. */
const waiting = {
  id: 1,
  tenant_id: 2,
  kind: 'balances',
  user_email: 'lost@mail.test',
  player_id: 1,
  amount: 500,
  credit: 500,
  first_email: 'fay@acme.test',
  first_at: '2026-01-31T12:00:00Z',
  is_own: false,
  refusal: null,
};
const withWaiting = async (page: Page) => {
  await page.route('**/admin/approvals?*', (route) => route.fulfill({ json: [waiting] }));
  await chooseTool(page, 'Approvals');
  await rows(table(page, 'Waiting for a second person')).first().waitFor();
};
const decide = (name: 'Approve' | 'Refuse') => async (page: Page) => {
  await dialog(page, 'Approvals')
    .getByRole('button', { name: `${name}: ` })
    .click();
  await button(dialog(page, `${name} this?`), name).click();
};
const limits = (page: Page) => dialog(page, 'Approvals').getByRole('region', { name: 'Limits', exact: true });

export const teamRows: AdditionRow[] = [
  {
    call: 'listTeam',
    path: PATH,
    open: team,
    act: reopen('Team'),
    says: 'Failed to fetch the team',
    stays: (page) => button(dialog(page, 'Team'), 'Add Colleague'),
    mended: (page) => rows(table(page, 'Team')).first(),
  },
  {
    call: 'createTeamMember',
    path: PATH,
    open: withForm(/^Add Colleague$/),
    act: press('Add'),
    says: 'Failed to save the colleague',
    stays: (page) => field(dialog(page, 'Team'), 'Password'),
  },
  {
    call: 'updateTeamMember',
    path: PATH,
    open: withForm(/^Edit /),
    act: press('Save'),
    says: 'Failed to save the colleague',
    stays: (page) => field(dialog(page, 'Team'), 'Password'),
  },
  {
    call: 'listApprovals',
    path: PATH,
    act: reopen('Approvals'),
    says: 'Failed to fetch approvals',
    stays: (page) => button(dialog(page, 'Approvals'), 'Close'),
    mended: (page) => dialog(page, 'Approvals').getByText('Nothing waits for a second person.'),
  },
  {
    call: 'getApprovalLimits',
    path: PATH,
    act: reopen('Approvals'),
    says: 'Failed to fetch the limits',
    stays: (page) => table(page, 'Waiting for a second person'),
    mended: (page) => limits(page).getByText(/^Now payouts need/),
  },
  {
    call: 'approveChange',
    path: PATH,
    isBare: true,
    open: withWaiting,
    act: decide('Approve'),
    says: 'Failed to approve',
    stays: (page) => rows(table(page, 'Waiting for a second person')).first(),
  },
  {
    call: 'endApproval',
    path: PATH,
    isBare: true,
    open: async (page) => {
      await page.unroute('**/admin/approvals?*');
      await withWaiting(page);
    },
    act: decide('Refuse'),
    says: 'Failed to refuse',
    stays: (page) => rows(table(page, 'Waiting for a second person')).first(),
  },
  {
    call: 'changeApprovalLimits',
    path: PATH,
    isBare: true,
    open: async (page) => {
      await page.unroute('**/admin/approvals?*');
      await chooseTool(page, 'Approvals');
      await field(limits(page), 'Two people for payouts from').fill('250');
    },
    act: (page) => button(limits(page), 'Save limits').click(),
    says: 'Failed to save the limits',
    stays: (page) => field(limits(page), 'Two people for payouts from'),
  },
];
