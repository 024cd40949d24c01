/** The bell: what is new for the person, where it leads, how a rule is muted, and the rules and channels behind it. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../../src/app/App';
import { Bell } from '../../../../src/app/dialogs/notifications/Bell';
import type { Feature } from '../../../../src/contract/constants';
import { secretContext } from '../../../../src/server/auth/secrets';
import { evaluate } from '../../../../src/server/notifications/evaluate';
import { ann, hire } from '../../../callers';
import { closeScreen, openScreen, reloadScreen } from '../../../screen';
import { topUp } from '../../../seed';
import { db, pam, services, sql } from '../../../world';
import { closed, fieldValue, fill, isDisabled, opens, type } from '../../controls';
import { at, respondWith } from '../../network';
import { answerBrowser } from '../../question';

test.after.each(closeScreen);

const fire = async (): Promise<void> => {
  await sql`
    insert into notification_rules (tenant_id, kind, is_active, threshold) values (2, 'large_redeem', true, 1)
    on conflict do nothing`;
  await evaluate(db, (error) => assert.unreachable(String(error)), { isForced: true });
};
const goTo = async (...names: (string | RegExp)[]) => {
  for (const name of names) fireEvent.click(await screen.findByRole('button', { name }));
};
/** The bell as Ann sees it, once the rule has fired for Pam's redeem. */
async function openBell() {
  await openScreen(<Bell />, 'ann');
  await fire();
  document.dispatchEvent(new Event('visibilitychange'));
  await goTo(/^Notifications/);
  await screen.findByText(`Redeem ${pam.redeem} is $150.00`);
}
/** The rows of a rule. */
async function openRows(person: 'ann' | 'sue', name: string, before?: () => PromiseLike<unknown>) {
  await openScreen(<Bell />, person, { ...(before && { before }) });
  await goTo(/^Notifications/, 'Rules and channels', `Show rows: ${name}`);
  return within(await screen.findByRole('region', { name }));
}
const button = (name: string | RegExp) => screen.getByRole('button', { name }) as HTMLButtonElement;

test('a notification leads to its row, and is read then', async () => {
  await openBell();
  assert.ok(screen.getByText('New'));
  await act(async () => fireEvent.click(button(`Redeem ${pam.redeem} is $150.00`)));
  assert.is(location.pathname + location.search, `/?tab=redeems&text=${pam.redeem}`);
  await waitFor(async () => assert.is((await ann.countUnreadNotifications()).unread, 0));
});

test('one that is new is said as one, and what is there at first is not said', async () => {
  const counts = [0, 1];
  const instead = at('/notifications/unread', () => respondWith({ unread: counts.shift() }));
  await openScreen(<Bell />, 'ann', { before: fire, instead });
  await goTo('Notifications', 'Mark all as read');
  await screen.findByText('1 new notification');
  closeScreen();
  await openScreen(<Bell />, 'ann', { before: fire });
  await screen.findByRole('button', { name: 'Notifications, 1 new' });
  assert.is(screen.queryByText(/new notification/), null);
});

test('what waits too long says since when, and the rules stand in groups', async () => {
  const before = async () => {
    await sql`update redeems set initiated_at = now() - interval '25 hours' where id = ${pam.redeem}`;
    await fire();
  };
  await openScreen(<Bell />, 'ann', { before });
  await goTo(/^Notifications/);
  await screen.findByRole('button', { name: /^Redeem \d+ of \$150\.00 has waited since [A-Z]\w\w \d+, / });
  await goTo('Rules and channels');
  await screen.findByRole('switch', { name: 'Ledger off is on' });
  const groups = screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
  assert.equal(groups, ['Waiting', 'Money', 'Books', 'Security']);
});

test('an approval that has ended leads to what was done', async () => {
  const before = async () => {
    const bob = await hire('bob@acme.test');
    await sql`update tenants set edit_approval_from = 20 where id = 2`;
    await ann.adjustBalances({ id: pam.id, body: { credit: 30 } });
    await evaluate(db, (error) => assert.unreachable(String(error)), { isForced: true });
    await bob.endApproval({ id: (await bob.listApprovals({}))[0]!.id });
  };
  await openScreen(<Bell />, 'ann', { before });
  await goTo(/^Notifications/, 'An edit of balances of $30.00 waited for a second person');
  const audit = within(await screen.findByRole('dialog', { name: 'Audit' }));
  await audit.findByText('Ended approval');
  assert.is(fieldValue(audit.getByLabelText('Object ID')), String(pam.id));
});

test('settings in which nothing was changed are closed without a question', async () => {
  await openScreen(<Bell />, 'ann');
  await goTo(/^Notifications/, 'Rules and channels', 'Channels');
  await screen.findByLabelText('Kind');
  await goTo('Close');
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
});

test('all are marked as read, and a rule is muted, with one click', async () => {
  await openBell();
  fireEvent.click(button('Mark all as read'));
  await waitFor(() => assert.not.ok(screen.queryByText('New')));
  assert.ok(button('Mark all as read').disabled);
  assert.ok(button('Notifications'));
  fireEvent.click(button('Mute: Large redeem'));
  await screen.findByText('Muted for a day: Large redeem');
  const rules = await ann.listNotificationRules();
  assert.ok(rules.find(({ kind }) => kind === 'large_redeem')!.muted_until);
});

test('an e-mail address says that it waits for its code, and takes it', async () => {
  await openBell();
  await ann.addNotificationChannel({ body: { kind: 'email', target: 'boss@acme.test' } });
  fireEvent.click(button('Rules and channels'));
  const code = await screen.findByLabelText('Code sent to boss@acme.test');
  fireEvent.click(button('Channels'));
  assert.ok(button('Send the code again: E-mail boss@acme.test'));
  const [channel] = await sql<{ secret: string }[]>`select secret from notification_channels`;
  const kept = services.secrets.decrypt(channel!.secret, secretContext.notificationChannel(2, 1));
  fireEvent.change(code, { target: { value: JSON.parse(kept).code } });
  fireEvent.click(button('Confirm'));
  await screen.findByText('Address confirmed');
  await waitFor(() => assert.ok(button('Send a test: E-mail boss@acme.test')));
});

test('a rule is changed in a form that refuses what the rule does not take', async () => {
  await openBell();
  const late_minutes = [{ list: 'redeems', late: 15, overdue: 45 }] as const;
  await ann.changeQueueSettings({ body: { late_minutes: [...late_minutes], key_takes: false } });
  await goTo('Rules and channels', 'Edit Redeem that waits');
  const form = within(screen.getByRole('dialog', { name: 'Redeem that waits' }));
  assert.is(fieldValue(form.getByLabelText('Hours')), '');
  assert.ok(form.getByText('Empty: when it is overdue in the queue, after 45 minutes'));
  fill(form, { Hours: '0' });
  assert.ok(isDisabled(form.getByRole('button', { name: 'Save' })));
  fill(form, { Hours: '48' }, 'Save');
  await screen.findByText('Rule saved');
  assert.ok(await screen.findByText('A redeem waits longer than 48 hours'));
});

test('a switch turns a rule off at once', async () => {
  await openBell();
  fireEvent.click(button('Rules and channels'));
  fireEvent.click(await screen.findByRole('switch', { name: 'Large redeem is on' }));
  await screen.findByText('Rule switched off');
  const rules = await ann.listNotificationRules();
  const rule = rules.find(({ kind }) => kind === 'large_redeem');
  assert.equal([rule?.is_active, rule?.threshold], [false, 1]);
});

test('a webhook shows its secret once, is tested, and its delivery is listed', async () => {
  await openBell();
  await goTo('Rules and channels', 'Channels');
  type(await screen.findByLabelText('Kind'), 'webhook');
  fill(screen, { 'Address of your system': 'http://127.0.0.1/x' }, 'Add channel');
  await screen.findByText('Enter an https address that is not in a private network');
  fill(screen, { 'Address of your system': 'https://hooks.example.com/x' }, 'Add channel');
  const secret = (await screen.findByLabelText('Signing secret of hooks.example.com')) as HTMLInputElement;
  assert.match(secret.value, /^whsec_[\w+/]{43}=$/);
  fireEvent.click(button('I have saved it'));
  answerBrowser(() => true);
  await goTo('New secret: Webhook hooks.example.com');
  await waitFor(() => assert.not.match(screen.getByLabelText<HTMLInputElement>(/^Signing secret/).value, secret.value));
  fireEvent.click(button('I have saved it'));
  await goTo('Send a test: Webhook hooks.example.com', 'Deliveries');
  assert.ok(await screen.findByRole('cell', { name: /^Waiting / }));
  assert.ok(button('Send again: Test, hooks.example.com'));
});

test('a channel of events says what it is told, and is switched on again when its receiver was gone', async () => {
  await openBell();
  await goTo('Rules and channels', 'Channels');
  fireEvent.change(await screen.findByLabelText('Kind'), { target: { value: 'events' } });
  assert.ok(screen.getByText(/told of every change of a player, payment or hold/));
  fireEvent.click(screen.getByLabelText('With the addresses that redeems are paid to'));
  fill(screen, { 'Address of your system': 'https://shop.example.com/events' }, 'Add channel');
  await goTo('I have saved it');
  await screen.findByText(/shop\.example\.com, with payout addresses/);
  await sql`update notification_channels set is_active = false`;
  await reloadScreen(<Bell />);
  await goTo(/^Notifications/, 'Rules and channels', 'Channels');
  await screen.findByText(/Switched off: it answered that it is gone/);
  fireEvent.click(button('Switch on Events shop.example.com'));
  await screen.findByText('Channel switched on');
  await waitFor(() => assert.not.ok(screen.queryByText(/Switched off/)));
});

test('whoever may not change settings sees the rules and can change nothing', async () => {
  await openScreen(<Bell />, 'ann', { permissions: ['queue'] });
  await goTo(/^Notifications/, 'Rules and channels');
  await screen.findByText('You need the permission Settings for this.');
  await screen.findByRole('button', { name: 'Edit Large redeem' });
  assert.ok(button('Edit Large redeem').closest('fieldset')?.disabled);
});

test('a rule shows its rows, which lead to the player and the payment', async () => {
  const pay = () => topUp(pam, '22', 'success', { payment_method: 'card' });
  const rows = await openRows('ann', 'Success purchase without a payment reference', pay);
  await rows.findByText(pam.email);
  const [, row] = rows.getAllByRole('row');
  assert.match(row!.textContent!, /pam@mail\.test ?\d+ ?\$22\.00 ?card/);
  const link = rows.getAllByRole('link').at(-1) as HTMLAnchorElement;
  assert.match(link.href, /\?tab=purchases&text=\d+$/);
  fireEvent.click(link);
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog'), 'it would cover the list'));
});

test('a super admin sees the rows of all tenants, with their names', async () => {
  const rows = await openRows('sue', 'Balance changed by hand without a reason');
  await rows.findByText('Acme');
  rows.getByText('Bravo');
});

test('a notification of many leads to their rows', async () => {
  await openScreen(<Bell />, 'ann');
  const rule = 'Balance changed by hand without a reason',
    title = `${rule}: 5 new`;
  await sql`insert into notifications (tenant_id, kind, about_tenant_id, title) values (2, 'no_reason', 2, ${title})`;
  fireEvent.click(screen.getByRole('button', { name: /^Notifications/ }));
  const dialog = await opens(await screen.findByRole('button', { name: title }), rule);
  await dialog.findByText('$500.00');
});

test('a link opens a tool of the title bar once, and a notification about the books opens them', async () => {
  await openScreen(<App />, 'ann', { path: '/?tab=platforms&tool=Books' });
  await sql`insert into notifications (tenant_id, kind, about_tenant_id, title) values (2, 'ledger_off', 2, 'Off')`;
  await screen.findByRole('dialog', { name: 'Books' });
  assert.is(location.search, '?tab=platforms');
  fireEvent.click(within(screen.getByRole('dialog', { name: 'Books' })).getByRole('button', { name: 'Close' }));
  await closed(screen);
  await goTo(/^Notifications/, 'Off');
  await screen.findByRole('dialog', { name: 'Books' });
  assert.is(location.pathname + location.search, '/');
  await openScreen(<App />, 'ann', { path: '/?tool=Nothing' });
  await screen.findByRole('button', { name: 'Search' });
  await waitFor(() => assert.is(location.search, ''));
  assert.is(screen.queryByRole('dialog'), null);
});

test('the bell comes once the first screen is there, where the server offers it', async () => {
  const open = (features: readonly Feature[]) => openScreen(<App />, 'ann', { features });
  const { sent } = await open(['search', 'notifications']);
  await screen.findByRole('button', { name: 'Search' });
  assert.is(screen.queryByRole('button', { name: /^Notifications/ }), null);
  await screen.findByRole('button', { name: 'Notifications' });
  await waitFor(() => assert.ok(sent.some(({ path }) => path.includes('notifications/unread'))));
  const plain = await open(['search']);
  await screen.findByRole('button', { name: 'Search' });
  assert.is(screen.queryByRole('button', { name: /^Notifications/ }), null);
  assert.not.ok(plain.sent.some(({ path }) => path.includes('notification')));
});

test.run();
