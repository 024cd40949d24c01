/** The calls of work on many users and of saved views, as rows of additionFaultRows.ts. */
import type { Page } from 'playwright-core';
import { UNKNOWN } from '../../src/app/api/repeat';
import type { AdditionRow } from './additionFaultRows';
import { button, callByHand, dialog, field } from './seen';

const USERS = '/tenant/2/admin?size=25&sort=credit_balance&order=desc';
const REPORT = /^(Tag|Deactivate) 1 user$/;
const select = async (page: Page) => {
  await button(page, 'Select').click();
  await page.locator('.pick').first().click();
};
/** Closes the last report, and asks for the work again. */
const ask = async (page: Page, verb: string) => {
  if (await page.getByRole('dialog').count()) await button(page.getByRole('dialog'), 'Close').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await button(page, `${verb}…`).click();
};
const inReport = (page: Page) => button(page.getByRole('dialog', { name: REPORT }), 'Close');

const chooseView = async (page: Page, item: string) => {
  await button(page, 'Views').click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};
const manage = async (page: Page) => {
  await callByHand(page, 'POST', '/api/v1/admin/saved-views', {
    list: 'redeems',
    name: 'To be kept',
    query: 'status=failed',
    is_shared: false,
  });
  await chooseView(page, 'Manage views…');
};
const views = (page: Page) => dialog(page, 'Views of redeems');

export const dailyRows: AdditionRow[] = [
  {
    call: 'addPlayerTags',
    path: USERS,
    open: select,
    act: async (page) => {
      await ask(page, 'Tag');
      await field(dialog(page, 'Tag 1 user'), 'Tags').fill('vip');
      await button(dialog(page, 'Tag 1 user'), 'Tag').click();
    },
    says: '1 of 1 user could not be changed',
    isBare: true,
    stays: inReport,
  },
  {
    call: 'setPlayerActive',
    path: USERS,
    open: select,
    act: async (page) => {
      await ask(page, 'Deactivate');
      await button(dialog(page, 'Deactivate 1 user?'), 'Deactivate').click();
    },
    says: '1 of 1 user could not be changed',
    isBare: true,
    stays: inReport,
  },
  {
    call: 'listSavedViews',
    path: '/redeems',
    act: async (page) => {
      await page.keyboard.press('Escape');
      await button(page, 'Views').click();
    },
    says: 'Failed to load views',
    stays: (page) => button(page, 'Views'),
  },
  {
    call: 'createSavedView',
    path: '/redeems',
    open: async (page) => {
      await chooseView(page, 'Save this view…');
      await field(dialog(page, 'Save view'), 'Name').fill('Not to be lost');
    },
    act: async (page) => button(dialog(page, 'Save view'), 'Save').click(),
    says: UNKNOWN,
    stays: (page) => field(dialog(page, 'Save view'), 'Name'),
  },
  {
    call: 'updateSavedView',
    path: '/redeems',
    open: async (page) => {
      await manage(page);
      await button(views(page), 'Rename').first().click();
      await field(dialog(page, 'Rename view'), 'Name').fill('Not to be lost');
    },
    act: async (page) => button(dialog(page, 'Rename view'), 'Save').click(),
    says: 'Failed to rename view',
    stays: (page) => field(dialog(page, 'Rename view'), 'Name'),
  },
  {
    call: 'deleteSavedView',
    path: '/redeems',
    open: manage,
    act: async (page) => {
      await button(views(page), 'Delete').first().click();
      await button(dialog(page, 'Delete this view?'), 'Delete').click();
    },
    says: 'Failed to delete view',
    isBare: true,
    stays: (page) => button(views(page), 'Close'),
  },
];
