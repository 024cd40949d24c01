import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../src/app/screens/users/Users';
import { MASK } from '../../../../src/contract/constants';
import { secretContext } from '../../../../src/server/auth/secrets';
import { closeScreen, openScreen, reloadScreen } from '../../../screen';
import { deposit, fund, redeem, topUp } from '../../../seed';
import { pam, services, sql } from '../../../world';
import { beforeFirstRequest, interceptRequests, nonsense, respondWith, type Sent } from '../../network';
import { closed, field, openDialog, type } from './openDialog';

const OUTSIDE = "Access denied: You can only access your own tenant's data";
const walletOf = async () =>
  (
    await sql`
      select credit_balance, bonus_balance, vip_balance, loyalty_balance
      from wallets where player_id = ${pam.id}`
  )[0]!;

// ---- Edit Balances

test('shows what there is, sends only what was filled in, and the row shows the result to the cent', async () => {
  const { fetch, writes } = interceptRequests(beforeFirstRequest(() => fund(pam, 'bonus', '10')));
  const screen = await openScreen(<Users />, 'sue', { fetch });
  const dialog = await openDialog(screen, 'Edit Balances');
  assert.ok(dialog.getByText('$350.00'));
  for (const name of ['Credit', 'Bonus', 'VIP', 'Loyalty']) {
    const operation = dialog.getByLabelText(`${name} Operation`) as HTMLSelectElement;
    assert.equal(
      [operation.value, [...operation.options].map((option) => option.value)],
      ['add', ['add', 'remove']],
      name,
    );
  }
  type(dialog.getByLabelText('Credit'), '12.34');
  type(dialog.getByLabelText('Bonus'), '4');
  type(dialog.getByLabelText('Bonus Operation'), 'remove');
  type(dialog.getByLabelText('VIP Operation'), 'remove');
  fireEvent.click(dialog.getByText('Save'));
  fireEvent.click(dialog.getByText('Save'));

  await screen.findByText('Balances updated');
  await screen.findByText('$362.34');
  await closed(screen);
  assert.equal(
    writes().map(({ path, body }) => [path, body]),
    [
      [
        `/api/v1/admin/user/${pam.id}/update-balances`,
        { credit: 12.34, credit_op: 'add', bonus: 4, bonus_op: 'remove' },
      ],
    ],
  );
  assert.equal(
    { ...(await walletOf()) },
    { credit_balance: 362.34, bonus_balance: 6, vip_balance: 0, loyalty_balance: 0 },
  );
});

test('an amount that cannot be one is pointed at, and nothing is sent until it is mended', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<Users />, 'sue', { fetch });
  const dialog = await openDialog(screen, 'Edit Balances');
  const save = dialog.getByText('Save') as HTMLButtonElement;
  assert.ok(save.disabled, 'nothing to save yet');
  type(dialog.getByLabelText('Credit'), '5');
  type(dialog.getByLabelText('Loyalty'), '1,50');
  fireEvent.click(save);
  await dialog.findByText('Enter an amount above 0 with at most 2 decimals, such as 25 or 12.50');
  assert.is(dialog.getByLabelText('Loyalty').getAttribute('aria-invalid'), 'true');
  assert.equal(writes(), []);
  type(dialog.getByLabelText('Loyalty'), '1.5');
  fireEvent.click(save);
  await screen.findByText('Balances updated');
  await closed(screen);
  assert.equal(writes()[0]!.body, { credit: 5, credit_op: 'add', loyalty: 1.5, loyalty_op: 'add' });
});

test('a large sum is asked about, with the player and the amount; the contract alone asks nothing', async () => {
  let asked: unknown[] = [];
  const edit = async (screen: Awaited<ReturnType<typeof openScreen>>, answer: boolean) => {
    asked = [];
    globalThis.confirm = (words) => asked.push(words) > 0 && answer;
    const dialog = await openDialog(screen, 'Edit Balances');
    type(dialog.getByLabelText('Credit'), '1000');
    type(dialog.getByLabelText('Bonus'), '999.99');
    fireEvent.click(dialog.getByText('Save'));
    return dialog;
  };
  const line = interceptRequests();
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { fetch: line.fetch });
  const dialog = await edit(screen, false);
  assert.equal([asked, line.writes()], [[`${pam.email}\nAdd $1,000.00 to Credit?`], []]);
  globalThis.confirm = () => true;
  fireEvent.click(dialog.getByText('Save'));
  await screen.findByText('Balances updated');

  localStorage.setItem('user', JSON.stringify({ role: { name: 'admin', is_super_admin: false }, tenant_id: 2 }));
  const plain = await reloadScreen(<Users tenantId={2} />);
  await edit(plain, false);
  await plain.findByText('Balances updated');
  assert.equal(asked, []);
});

test('what is not numeric does not get into an amount, and is not sent', async () => {
  const { fetch, writes } = interceptRequests();
  const dialog = await openDialog(await openScreen(<Users />, 'sue', { fetch }), 'Edit Balances');
  type(dialog.getByLabelText('Credit'), 'abc');
  assert.is(field(dialog.getByLabelText('Credit')).value, '');
  assert.ok((dialog.getByText('Save') as HTMLButtonElement).disabled, 'still nothing to save');
  type(dialog.getByLabelText('Bonus'), '3');
  type(dialog.getByLabelText('Bonus'), '3x');
  fireEvent.click(dialog.getByText('Save'));
  for (let waited = 0; !writes().length && waited < 5000; waited += 20)
    await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(writes()[0]?.body, { bonus: 3, bonus_op: 'add' });
});

test('removing more than there is changes nothing at all and says how much there is', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  const dialog = await openDialog(screen, 'Edit Balances');
  type(dialog.getByLabelText('Credit'), '5');
  type(dialog.getByLabelText('VIP'), '1');
  type(dialog.getByLabelText('VIP Operation'), 'remove');
  fireEvent.click(dialog.getByText('Save'));
  await screen.findByText('Failed to update balances');
  await dialog.findByText('Insufficient vip balance: $0.00 available');
  assert.equal(
    [field(dialog.getByLabelText('Credit')).value, field(dialog.getByLabelText('VIP Operation')).value],
    ['5', 'remove'],
  );
  assert.is((await walletOf())['credit_balance'], 350);
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
    fetch: interceptRequests(({ method }) =>
      method === 'POST' ? respondWith({ detail: 'The cashier is closed' }, 400) : undefined,
    ).fetch,
  });
  const dialog = await openDialog(screen, 'Edit Balances');
  type(dialog.getByLabelText('Credit'), '5');
  fireEvent.click(dialog.getByText('Save'));
  await screen.findByText('Failed to update balances');
  const told = () => screen.getAllByText('The cashier is closed').map((one) => one.closest('.toast') !== null);
  assert.equal(told(), [true], 'the second line of the toast');
  await waitFor(() => assert.equal(told(), [false], 'and then in the form'), { timeout: 15_000 });
});

// ---- Platform Credentials

const withCredentials = (instead: (sent: Sent) => Response | Promise<Response> | undefined = () => undefined) => {
  const prepare = beforeFirstRequest(async () => {
    for (const name of ['vblink', 'yolo']) {
      const secret = services.secrets.encrypt(
        `hidden-${name}`,
        secretContext.playerCredential(pam.tenant_id, pam.id, name),
      );
      await sql`
        insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
        values (${pam.tenant_id}, ${pam.id}, ${name}, ${`pam-${name}`}, ${secret})`;
    }
  });
  return interceptRequests(async (sent) => (await prepare()) ?? instead(sent));
};
const passwordOf = async (name: string) => {
  const [row] =
    await sql`select password_secret from player_credentials where player_id = ${pam.id} and platform_name = ${name}`;
  return services.secrets.decrypt(
    String(row!['password_secret']),
    secretContext.playerCredential(pam.tenant_id, pam.id, name),
  );
};
const credentialRow = async (dialog: ReturnType<typeof within>, name: string) =>
  within((await dialog.findByText(name)).closest('tr')!);

test('passwords are masked, whatever the server sends', async () => {
  const screen = await openScreen(<Users />, 'sue', { fetch: withCredentials().fetch });
  const row = await credentialRow(await openDialog(screen, 'Platform Credentials'), 'vblink');
  for (const text of ['pam-vblink', MASK, 'Yes']) assert.ok(row.getByText(text), text);

  const plain = [
    { id: 1, platform_name: 'yolo', platform_username: 'u', platform_password: 'in the clear' },
    { id: 2, platform_name: null },
  ];
  const other = await openScreen(<Users />, 'sue', {
    fetch: interceptRequests(({ path }) => (path.endsWith('/platform-credentials') ? respondWith(plain) : undefined))
      .fetch,
  });
  const dialog = await openDialog(other, 'Platform Credentials');
  assert.ok((await credentialRow(dialog, 'yolo')).getByText(MASK));
  assert.not.match(other.container.textContent!, /in the clear/);
  fireEvent.click((await credentialRow(dialog, 'yolo')).getByText('Edit'));
  assert.not.match(other.container.innerHTML, /in the clear/);
  assert.not.match(other.container.textContent!, nonsense);
});

test('editing in the row sends only what was changed', async () => {
  const { fetch, writes } = withCredentials();
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { fetch });
  const dialog = await openDialog(screen, 'Platform Credentials');
  fireEvent.click((await credentialRow(dialog, 'vblink')).getByText('Edit'));
  assert.is(field(dialog.getByLabelText('Password')).type, 'password');
  type(dialog.getByLabelText('Username'), 'pam-two');
  fireEvent.click(dialog.getByText('Save'));
  await screen.findByText('Platform credential updated');
  await dialog.findByText('pam-two');
  assert.equal(
    [writes()[0]!.method, writes()[0]!.path, writes()[0]!.body],
    ['PUT', `/api/v1/admin/user/${pam.id}/platform-credentials/1`, { platform_username: 'pam-two' }],
  );
  assert.is(await passwordOf('vblink'), 'hidden-vblink');

  await waitFor(() => assert.not.ok(dialog.queryByLabelText('Username')));
  fireEvent.click((await credentialRow(dialog, 'yolo')).getByText('Edit'));
  type(dialog.getByLabelText('Password'), 'fresh');
  fireEvent.click(dialog.getByText('Save'));
  await waitFor(async () => assert.is(await passwordOf('yolo'), 'fresh'));
  assert.equal(writes()[1]!.body, { platform_password: 'fresh' });
  await waitFor(() => assert.not.ok(dialog.queryByLabelText('Username')));
});

test('nothing is sent when nothing was changed, nor by Cancel', async () => {
  const { fetch, writes } = withCredentials();
  const screen = await openScreen(<Users />, 'sue', { fetch });
  const dialog = await openDialog(screen, 'Platform Credentials');
  fireEvent.click((await credentialRow(dialog, 'vblink')).getByText('Edit'));
  fireEvent.click(dialog.getByText('Save'));
  await waitFor(() => assert.not.ok(dialog.queryByLabelText('Username')));
  assert.is(document.activeElement?.textContent, 'Edit', 'the focus is back where it came from');
  fireEvent.click((await credentialRow(dialog, 'vblink')).getByText('Edit'));
  type(dialog.getByLabelText('Username'), 'other');
  fireEvent.click(dialog.getByText('Cancel'));
  await dialog.findByText('pam-vblink');
  assert.equal(writes(), []);
  fireEvent.click(dialog.getByText('Close'));
  await closed(screen);
});

test('no credentials, and credentials that cannot be fetched, each have their words', async () => {
  const none = await openScreen(<Users />, 'sue');
  await (await openDialog(none, 'Platform Credentials')).findByText('No platform credentials found for this user.');
  const failed = await openScreen(<Users />, 'sue', {
    fetch: interceptRequests(({ path }) =>
      path.endsWith('/platform-credentials') ? respondWith('<html>', 500) : undefined,
    ).fetch,
  });
  const dialog = await openDialog(failed, 'Platform Credentials');
  await failed.findByText('Failed to fetch platform credentials');
  assert.is(dialog.queryByText('No platform credentials found for this user.'), null);
  const denied = await openScreen(<Users />, 'sue', {
    fetch: interceptRequests(({ path }) => (path.endsWith('/platform-credentials') ? respondWith({}, 403) : undefined))
      .fetch,
  });
  await openDialog(denied, 'Platform Credentials');
  await denied.findByText(OUTSIDE);
});

// ---- Transaction History

test('the history shows every movement, money in green and money out red', async () => {
  const line = interceptRequests(
    beforeFirstRequest(async () => {
      await topUp(pam, '40', 'success');
      await deposit(pam, 'credit', '15', 'success');
      await redeem(pam, '20', 'success');
    }),
  );
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { fetch: line.fetch });
  const dialog = await openDialog(screen, 'Transaction History');
  await dialog.findByText('$40.00');
  const colours = (word: string) => dialog.getAllByText(word).map((element) => element.className);
  assert.equal(colours('TOP_UP'), ['gain', 'gain']);
  assert.equal(colours('DEPOSIT'), ['gain']);
  assert.equal(colours('WITHDRAWAL'), ['loss', 'loss']);
  assert.equal(colours('ADJUSTMENT'), ['']);
  assert.is(line.sent.at(-1)!.path, `/api/v1/admin/user/${pam.id}/transaction-history`);
  assert.equal(line.sent.at(-1)!.query, { limit: '100' });
  assert.is(dialog.getAllByText('Pending').length, 2, 'the purchase and the redeem that are not settled yet');
});

test('no history, a history that cannot be fetched and a refused one each have their words', async () => {
  const history = (body: unknown, status?: number) =>
    interceptRequests(({ path }) => (path.endsWith('/transaction-history') ? respondWith(body, status) : undefined))
      .fetch;
  const none = await openScreen(<Users />, 'sue', { fetch: history({ transactions: [] }) });
  await (await openDialog(none, 'Transaction History')).findByText('No transaction history found for this user.');
  const failed = await openScreen(<Users />, 'sue', { fetch: history('', 500) });
  await openDialog(failed, 'Transaction History');
  await failed.findByText('Failed to fetch transaction history');
  const denied = await openScreen(<Users />, 'sue', { fetch: history({ detail: 'no' }, 403) });
  await openDialog(denied, 'Transaction History');
  await denied.findByText(OUTSIDE);
});

test("another server's history: unknown types, text amounts, holes", async () => {
  const lines = [
    { id: 1, transaction_type: 'CASHBACK', amount: '3', initiated_at: null },
    { id: 2, transaction_type: 'withdrawal', amount: 'x', description: ['a'] },
    {},
  ];
  const screen = await openScreen(<Users />, 'sue', {
    fetch: interceptRequests(({ path }) => (path.endsWith('/transaction-history') ? respondWith(lines) : undefined))
      .fetch,
  });
  const dialog = await openDialog(screen, 'Transaction History');
  await dialog.findByText('CASHBACK');
  assert.is(dialog.getByText('withdrawal').className, 'loss');
  assert.ok(dialog.getByText('$3.00'));
  assert.not.match(screen.getByRole('dialog').textContent!, nonsense);
});

test.after(closeScreen);
test.run();
