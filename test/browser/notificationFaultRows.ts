/** The calls about notifications, as rows of additionFaultRows.ts. */
import type { Page } from 'playwright-core';
import type { AdditionRow } from './additionFaultRows';
import { button, choice, dialog, field, rows, table } from './seen';

const LOST = 'https://not-to-be-lost.example.com/';
const path = '/tenants';
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ });
const menu = (page: Page) => page.getByRole('group', { name: 'Notifications' });
const shown = (page: Page) => dialog(page, 'Notifications');
/** The clock of the page stands still until it is moved. */
async function wake(page: Page): Promise<void> {
  if (await bell(page).count()) return;
  await page.clock.fastForward(1_600);
  await bell(page).waitFor();
}
async function openMenu(page: Page): Promise<void> {
  await wake(page);
  if (!(await menu(page).isVisible())) await bell(page).click();
  await menu(page).waitFor();
}
async function openDialog(page: Page): Promise<void> {
  if (await shown(page).count()) await button(shown(page), 'Close').click();
  await shown(page).waitFor({ state: 'detached' });
  await openMenu(page);
  await button(menu(page), 'Rules and channels').click();
  await shown(page).waitFor();
}
const stays = shown;
const filled = (name: string) => (page: Page) => rows(table(page, name)).first();

const typed = async (page: Page) => {
  await openDialog(page);
  await choice(shown(page), 'Kind').selectOption('chat');
  await field(shown(page), 'Address of the incoming webhook').fill(LOST);
};
const edit = async (page: Page) => {
  await openDialog(page);
  await button(shown(page), 'Edit Old backup').click();
  await field(dialog(page, 'Old backup'), 'Hours').fill('48');
};
/** One row where the sample world may have none. */
const pretend = (what: string, row: object) => async (page: Page) => {
  await page.route(`**/api/v1/admin/${what}*`, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: [row] }) : route.fallback(),
  );
};
const at = '2026-01-31T12:00:00Z';
const bellRow = {
  id: 1,
  kind: 'old_backup',
  tenant_id: 1,
  about_tenant_id: null,
  about_tenant_name: null,
  title: 'There is no backup yet',
  detail: '',
  object_id: null,
  at,
  is_read: false,
};
const channelRow = { id: 1, kind: 'chat', target: 'chat.example.com', created_at: at };
const deliveryRow = {
  id: 1,
  notification_id: null,
  title: 'Test',
  channel_kind: 'chat',
  target: 'chat.example.com',
  status: 'failed',
  attempts: 1,
  answer: 'Answered 500',
  created_at: at,
  last_at: at,
  next_at: null,
};
const withBell = async (page: Page) => {
  await pretend('notifications', bellRow)(page);
  await openMenu(page);
};
const withChannel = async (page: Page) => {
  await pretend('notification-channels', channelRow)(page);
  await pretend('notification-deliveries', deliveryRow)(page);
  await openDialog(page);
};
const press = (name: string) => (page: Page) => button(shown(page), name).click();

export const notificationRows: AdditionRow[] = [
  {
    call: 'countUnreadNotifications',
    path,
    open: wake,
    act: (page) => page.clock.fastForward(61_000),
    says: null,
    isBare: true,
    stays: bell,
  },
  {
    call: 'listNotifications',
    path,
    act: async (page) => {
      await wake(page);
      if (await menu(page).isVisible()) await page.keyboard.press('Escape');
      await openMenu(page);
    },
    says: 'Failed to fetch notifications',
    isBare: true,
    stays: bell, // taking the message away closes the menu
  },
  {
    call: 'listNotificationRules',
    path,
    act: openDialog,
    says: 'Failed to fetch rules',
    isBare: true,
    stays,
    mended: filled('Rules'),
  },
  {
    call: 'getNotificationSettings',
    path,
    act: openDialog,
    says: 'Failed to fetch the quiet hours',
    isBare: true,
    stays,
  },
  {
    call: 'listNotificationChannels',
    path,
    act: openDialog,
    says: 'Failed to fetch channels',
    isBare: true,
    stays,
  },
  {
    call: 'listNotificationDeliveries',
    path,
    act: openDialog,
    says: 'Failed to fetch deliveries',
    isBare: true,
    stays,
  },
  {
    call: 'readNotifications',
    path,
    open: withBell,
    act: async (page) => {
      await openMenu(page);
      await button(menu(page), 'Mark all as read').click();
    },
    says: 'Failed to mark as read',
    isBare: true,
    stays: bell,
  },
  {
    call: 'muteNotificationRule',
    path,
    open: openDialog,
    act: press('Mute Old backup'),
    says: 'Failed to mute the rule',
    isBare: true,
    stays,
  },
  {
    call: 'saveNotificationRule',
    path,
    open: edit,
    act: (page) => button(dialog(page, 'Old backup'), 'Save').click(),
    says: 'Failed to save the rule',
    isBare: true,
    stays: (page) => dialog(page, 'Old backup'),
  },
  {
    call: 'saveQuietHours',
    path,
    open: openDialog,
    act: press('Save quiet hours'),
    says: 'Failed to save the quiet hours',
    isBare: true,
    stays,
  },
  {
    call: 'addNotificationChannel',
    path,
    open: typed,
    act: press('Add channel'),
    says: 'Failed to add the channel',
    isBare: true,
    stays: (page) => field(shown(page), 'Address of the incoming webhook'),
  },
  {
    call: 'testNotificationChannel',
    path,
    open: withChannel,
    act: press('Test Chat chat.example.com'),
    says: 'Failed to send a test',
    isBare: true,
    stays,
  },
  {
    call: 'removeNotificationChannel',
    path,
    open: withChannel,
    act: async (page) => {
      page.once('dialog', (question) => void question.accept());
      await press('Remove Chat chat.example.com')(page);
    },
    says: 'Failed to remove the channel',
    isBare: true,
    stays,
  },
  {
    call: 'resendNotification',
    path,
    open: withChannel,
    act: press('Send again: Test, chat.example.com'),
    says: 'Failed to send it again',
    isBare: true,
    stays,
  },
];
