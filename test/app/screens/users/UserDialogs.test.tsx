import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../src/app/screens/users/Users';
import { MASK } from '../../../../src/contract/constants';
import { secretContext } from '../../../../src/server/auth/secrets';
import { closeScreen, openScreen, reloadScreen, type Screen } from '../../../screen';
import { deposit, fund, redeem, topUp } from '../../../seed';
import { pam, services, sql } from '../../../world';
import { click, closed, field, fieldValue, fill, optionsOf, rowOf, sees, type, valuesOf } from '../../controls';
import { at, nonsense, partsOf } from '../../network';
import { answerBrowser } from '../../question';
import { openDialog } from './openDialog';

const OUTSIDE = "Access denied: You can only access your own tenant's data";
const walletOf = async () =>
  (await sql`select credit_balance, bonus_balance, vip_balance, loyalty_balance from wallets where player_id = 1`)[0]!;

test('shows what there is, sends only what was filled in, and the row shows the result to the cent', async () => {
  const screen = await openScreen(<Users />, 'sue', { before: () => fund(pam, 'bonus', '10') });
  const dialog = await openDialog(screen, 'Edit Balances');
  assert.ok(dialog.getByText('$350.00'));
  for (const name of ['Credit', 'Bonus', 'VIP', 'Loyalty']) {
    assert.is(fieldValue(dialog.getByLabelText(`${name} Operation`)), 'add', name);
    assert.equal(optionsOf(dialog.getByLabelText(`${name} Operation`)), ['Add', 'Remove'], name);
  }
  fill(dialog, { Credit: '12.34', Bonus: '4', 'Bonus Operation': 'remove', 'VIP Operation': 'remove' }, 'Save');
  fireEvent.click(dialog.getByText('Save'));

  await sees(screen, 'Balances updated', '$362.34');
  await closed(screen);
  assert.equal(partsOf(screen.writes(), 'path', 'body'), [
    [`/api/v1/admin/user/${pam.id}/update-balances`, { credit: 12.34, credit_op: 'add', bonus: 4, bonus_op: 'remove' }],
  ]);
  assert.equal(await walletOf(), { credit_balance: 362.34, bonus_balance: 6, vip_balance: 0, loyalty_balance: 0 });
});

test('an amount that cannot be one is pointed at, and nothing is sent until it is mended', async () => {
  const screen = await openScreen(<Users />, 'sue');
  const dialog = await openDialog(screen, 'Edit Balances');
  const save = dialog.getByText('Save') as HTMLButtonElement;
  assert.ok(save.disabled, 'nothing to save yet');
  fill(dialog, { Credit: '5', Loyalty: '1,50' });
  fireEvent.click(save);
  await dialog.findByText('Enter an amount above 0 with at most 2 decimals, such as 25 or 12.50');
  assert.is(dialog.getByLabelText('Loyalty').getAttribute('aria-invalid'), 'true');
  assert.equal(screen.writes(), []);
  type(dialog.getByLabelText('Loyalty'), '1.5');
  fireEvent.click(save);
  await screen.findByText('Balances updated');
  await closed(screen);
  assert.equal(screen.writes()[0]!.body, { credit: 5, credit_op: 'add', loyalty: 1.5, loyalty_op: 'add' });
});

test('a large sum is asked about, with the player and the amount; the contract alone asks nothing', async () => {
  let says = false;
  const asked = answerBrowser(() => says);
  const edit = async (screen: Screen) => {
    const dialog = await openDialog(screen, 'Edit Balances');
    fill(dialog, { Credit: '1000', Bonus: '999.99' });
    click(dialog, 'Save');
    return dialog;
  };
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  const dialog = await edit(screen);
  assert.equal([asked, screen.writes()], [[`${pam.email}\nAdd $1,000.00 to Credit?`], []]);
  says = true;
  click(dialog, 'Save');
  await screen.findByText('Balances updated');

  asked.length = 0;
  localStorage.setItem('user', JSON.stringify({ role: { name: 'admin', is_super_admin: false }, tenant_id: 2 }));
  const plain = await reloadScreen(<Users tenantId={2} />);
  await edit(plain);
  await plain.findByText('Balances updated');
  assert.equal(asked, []);
});

test('removing more than there is changes nothing at all and says how much there is', async () => {
  const marked = await openScreen(<Users tenantId={2} />, 'ann');
  const form = await openDialog(marked, 'Edit Balances');
  fill(form, { Credit: '5', VIP: '1', 'VIP Operation': 'remove' }, 'Save');
  form.getByText('The balance is only $0.00.');
  assert.equal([document.activeElement, marked.writes()], [form.getByLabelText('VIP'), []]);

  // The contract alone leaves it to the server.
  localStorage.setItem('user', JSON.stringify({ role: { name: 'admin', is_super_admin: false }, tenant_id: 2 }));
  const screen = await reloadScreen(<Users tenantId={2} />);
  const dialog = await openDialog(screen, 'Edit Balances');
  fill(dialog, { Credit: '5', VIP: '1', 'VIP Operation': 'remove' }, 'Save');
  await screen.findByText('Failed to update balances');
  await dialog.findByText('Insufficient vip balance: $0.00 available');
  assert.equal(valuesOf(dialog, 'Credit', 'VIP Operation'), ['5', 'remove']);
  assert.is((await walletOf())['credit_balance'], 350);
  click(dialog, 'Cancel');
  await closed(screen);
  await waitFor(() => assert.is(screen.queryByText('Failed to update balances'), null, 'gone with its dialog'));
});

test('the result is shown before it is saved, and what keeps it from being saved is said', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  const dialog = await openDialog(screen, 'Edit Balances');
  const legend = () => dialog.getByLabelText('Credit').closest('fieldset')?.querySelector('legend')?.textContent;
  dialog.getByText('Enter an amount to save.');
  type(dialog.getByLabelText('Credit'), '12.5');
  assert.is(legend(), 'Credit balance: $350.00 → $362.50');
  assert.is(dialog.queryByText('Enter an amount to save.'), null);
  type(dialog.getByLabelText('Credit Operation'), 'remove');
  assert.is(legend(), 'Credit balance: $350.00 → $337.50');
  type(dialog.getByLabelText('Credit'), '350.01');
  assert.is(legend(), 'Credit balance: $350.00');
  dialog.getByText('The balance is only $350.00.');
  type(dialog.getByLabelText('Credit'), '5x');
  dialog.getByText('Only digits and a decimal point');
  type(dialog.getByLabelText('Credit'), '350.0');
  assert.is(dialog.queryByText('Only digits and a decimal point'), null);
  assert.is(legend(), 'Credit balance: $350.00 → $0.00');
});

test('a refusal is told once: by the toast, and in the form when the toast has gone', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', {
    instead: at('POST', { detail: 'The cashier is closed' }, 400),
  });
  const dialog = await openDialog(screen, 'Edit Balances');
  fill(dialog, { Credit: '5' }, 'Save');
  await screen.findByText('Failed to update balances');
  const told = () => screen.getAllByText('The cashier is closed').map((one) => one.closest('.toast') !== null);
  assert.equal(told(), [true], 'the second line of the toast');
  await waitFor(() => assert.equal(told(), [false], 'and then in the form'), { timeout: 15_000 });
});

const seal = (name: string) => secretContext.playerCredential(pam.tenant_id, pam.id, name);
/** Pam has a login at two platforms. */
const withLogins = async () => {
  for (const name of ['vblink', 'yolo'])
    await sql`
      insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
      values (2, ${pam.id}, ${name}, ${`pam-${name}`}, ${services.secrets.encrypt(`hidden-${name}`, seal(name))})`;
};
const passwordOf = async (name: string) => {
  const [row] =
    await sql`select password_secret from player_credentials where player_id = ${pam.id} and platform_name = ${name}`;
  return services.secrets.decrypt(String(row!['password_secret']), seal(name));
};

test('passwords are masked, whatever the server sends', async () => {
  const screen = await openScreen(<Users />, 'sue', { before: withLogins });
  const row = await rowOf(await openDialog(screen, 'Platform Credentials'), 'vblink');
  for (const text of ['pam-vblink', MASK, 'Yes']) assert.ok(row.getByText(text), text);

  const plain = [
    { id: 1, platform_name: 'yolo', platform_username: 'u', platform_password: 'in the clear' },
    { id: 2, platform_name: null },
  ];
  const other = await openScreen(<Users />, 'sue', { instead: at('/platform-credentials', plain) });
  const dialog = await openDialog(other, 'Platform Credentials');
  assert.ok((await rowOf(dialog, 'yolo')).getByText(MASK));
  assert.not.match(other.container.textContent!, /in the clear/);
  fireEvent.click((await rowOf(dialog, 'yolo')).getByText('Edit'));
  assert.not.match(other.container.innerHTML, /in the clear/);
  assert.not.match(other.container.textContent!, nonsense);
});

test('editing in the row sends only what was changed', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { before: withLogins });
  const dialog = await openDialog(screen, 'Platform Credentials');
  fireEvent.click((await rowOf(dialog, 'vblink')).getByText('Edit'));
  assert.is(field(dialog.getByLabelText('Password')).type, 'password');
  fill(dialog, { Username: 'pam-two' }, 'Save');
  await screen.findByText('Platform credential updated');
  await dialog.findByText('pam-two');
  assert.equal(partsOf(screen.writes(), 'method', 'path', 'body'), [
    ['PUT', `/api/v1/admin/user/${pam.id}/platform-credentials/1`, { platform_username: 'pam-two' }],
  ]);
  assert.is(await passwordOf('vblink'), 'hidden-vblink');

  await waitFor(() => assert.not.ok(dialog.queryByLabelText('Username')));
  fireEvent.click((await rowOf(dialog, 'yolo')).getByText('Edit'));
  fill(dialog, { Password: 'fresh' }, 'Save');
  await waitFor(async () => assert.is(await passwordOf('yolo'), 'fresh'));
  assert.equal(screen.writes()[1]!.body, { platform_password: 'fresh' });
  await waitFor(() => assert.not.ok(dialog.queryByLabelText('Username')));
});

test('nothing is sent when nothing was changed, nor by Cancel', async () => {
  const screen = await openScreen(<Users />, 'sue', { before: withLogins });
  const dialog = await openDialog(screen, 'Platform Credentials');
  fireEvent.click((await rowOf(dialog, 'vblink')).getByText('Edit'));
  fireEvent.click(dialog.getByText('Save'));
  await waitFor(() => assert.not.ok(dialog.queryByLabelText('Username')));
  assert.is(document.activeElement?.textContent, 'Edit', 'the focus is back where it came from');
  fireEvent.click((await rowOf(dialog, 'vblink')).getByText('Edit'));
  fill(dialog, { Username: 'other' }, 'Cancel');
  await dialog.findByText('pam-vblink');
  assert.equal(screen.writes(), []);
  fireEvent.click(dialog.getByText('Close'));
  await closed(screen);
});

test('the history shows every movement, money in green and money out red', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', {
    before: async () => {
      await topUp(pam, '40', 'success');
      await deposit(pam, 'credit', '15', 'success');
      await redeem(pam, '20', 'success');
    },
  });
  const dialog = await openDialog(screen, 'Transaction History');
  await dialog.findByText('$40.00');
  const colours = (word: string) => dialog.getAllByText(word).map((element) => element.className);
  assert.equal(colours('TOP_UP'), ['gain', 'gain']);
  assert.equal(colours('DEPOSIT'), ['gain']);
  assert.equal(colours('WITHDRAWAL'), ['loss', 'loss']);
  assert.equal(colours('ADJUSTMENT'), ['']);
  assert.is(screen.sent.at(-1)!.path, `/api/v1/admin/user/${pam.id}/transaction-history`);
  assert.equal(screen.sent.at(-1)!.query, { limit: '100' });
  assert.is(dialog.getAllByText('Pending').length, 2, 'the purchase and the redeem that are not settled yet');
});

for (const [title, none, failed] of [
  ['Platform Credentials', 'No platform credentials found for this user.', 'Failed to fetch platform credentials'],
  ['Transaction History', 'No transaction history found for this user.', 'Failed to fetch transaction history'],
] as const)
  test(`no ${title}, those that cannot be fetched and those that are refused each have their words`, async () => {
    const open = async (body: unknown, status?: number) => {
      const path = `/${title.toLowerCase().replace(' ', '-')}`;
      const screen = await openScreen(<Users />, 'sue', { instead: at(path, body, status) });
      return { screen, dialog: await openDialog(screen, title) };
    };
    await (await open([])).dialog.findByText(none);
    const { screen, dialog } = await open('<html>', 500);
    await screen.findByText(failed);
    assert.is(dialog.queryByText(none), null);
    await (await open({ detail: 'no' }, 403)).screen.findByText(OUTSIDE);
  });

test.after(closeScreen);
test.run();
