import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Purchases } from '../../../src/app/screens/Purchases';
import { createApi } from '../../createApi';
import { closeScreen, openScreen } from '../../screen';
import { addPlayer } from '../../seed';
import { newBrowser, PASSWORD, people, sql } from '../../world';
import { beforeFirstRequest, interceptRequests, respondWith, type Sent } from '../network';

const field = (element: HTMLElement) => element as HTMLInputElement | HTMLSelectElement;
const type = (element: HTMLElement, value: string) => fireEvent.change(element, { target: { value } });

/** Ann's browser after a real sign-in, with the checkout cookie. By default she plays at Acme too, with $600 credit. */
async function openRedeem({
  plays = true,
  instead = () => undefined,
}: {
  plays?: boolean;
  instead?: (sent: Sent) => Response | Promise<Response> | undefined;
} = {}) {
  const browser = newBrowser();
  const prepare = beforeFirstRequest(async () => {
    await createApi({ fetch: browser }).login({ body: { email: people.ann.email, password: PASSWORD } });
    if (plays) await addPlayer(2, { email: people.ann.email, credit: '600' });
  });
  const line = interceptRequests(async (sent) => (await prepare()) ?? instead(sent), browser);
  const screen = await openScreen(<Purchases tenantId={2} />, 'ann', { fetch: line.fetch });
  await screen.findByText('pam@mail.test');
  fireEvent.click(screen.getByText('Redeem'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Redeem' }));
  return {
    screen,
    dialog,
    ...line,
    platform: field(dialog.getByLabelText('Platform')),
    amount: field(dialog.getByLabelText('Amount')),
    submit: dialog.getByText('Submit') as HTMLButtonElement,
  };
}

test('shows top-ups only, under their title', async () => {
  const { fetch, sent } = interceptRequests();
  const screen = await openScreen(<Purchases tenantId={2} />, 'ann', { fetch, features: [] });
  await screen.findByText('pam@mail.test');
  assert.ok(screen.getByRole('heading', { name: 'Purchases (Top-Ups Only)' }));
  assert.ok(screen.getByRole('heading', { name: 'Latest Purchases (Tenant)' }));
  assert.equal(sent[0]!.query, { limit: '100', tenant_id: '2', transaction_type: 'TOP_UP' });
});

test('a redeem sends platform and amount, no Authorization, and becomes a pending redeem of its player', async () => {
  const { screen, dialog, platform, amount, submit, writes } = await openRedeem();
  await dialog.findByRole('option', { name: 'vblink' });
  assert.ok(dialog.getByText('Min 100, Max 1000 per day'));
  type(platform, 'vblink');
  type(amount, '150.50');
  fireEvent.click(submit);
  fireEvent.click(submit);

  await screen.findByText('Redeem request submitted!');
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  const [sent, ...others] = writes().filter(({ path }) => !path.includes('login'));
  assert.equal(
    [sent!.path, sent!.body, others.length],
    ['/api/v1/checkout/redeem', { platform_name: 'vblink', amount: 150.5 }, 0],
  );
  assert.is(sent!.headers.get('Authorization'), null);
  const made = await sql`
    select r.amount, r.status
    from redeems r join players p on p.id = r.player_id
    where p.email = ${people.ann.email}`;
  assert.equal(
    made.map(({ amount, status }) => [amount, status]),
    [[150.5, 'pending']],
  );
});

test('Submit waits for a platform and an amount from 100 to 1000', async () => {
  const { dialog, platform, amount, submit } = await openRedeem();
  await dialog.findByRole('option', { name: 'vblink' });
  assert.ok(submit.disabled);
  type(amount, '100');
  assert.ok(submit.disabled, 'no platform');
  type(platform, 'vblink');
  for (const [typed, isLocked] of [
    ['100', false],
    ['99.99', true],
    ['1000', false],
    ['1000.01', true],
    ['', true],
    ['-500', true],
    ['500', false],
  ] as const) {
    type(amount, typed);
    assert.is(submit.disabled, isLocked, typed);
  }
});

test('a third decimal is no amount of dollars: Submit waits and says so', async () => {
  const { dialog, platform, amount, submit } = await openRedeem();
  await dialog.findByRole('option', { name: 'vblink' });
  type(platform, 'vblink');
  type(amount, '150.555');
  dialog.getByText('At most 2 decimals');
  assert.ok(submit.disabled);
  type(amount, '150.55');
  assert.is(dialog.queryByText('At most 2 decimals'), null);
  assert.not(submit.disabled);
});

test("the server's own words say what is wrong, and nothing typed is lost", async () => {
  const { screen, dialog, platform, amount, submit } = await openRedeem();
  await dialog.findByRole('option', { name: 'yolo' });
  type(platform, 'yolo');
  type(amount, '700');
  fireEvent.click(submit);
  await screen.findByText('Insufficient credit balance: $600.00 available');
  assert.equal([platform.value, amount.value], ['yolo', '700']);
});

test('who is no player is told where to go', async () => {
  const { screen, dialog, platform, amount, submit } = await openRedeem({ plays: false });
  await dialog.findByRole('option', { name: 'yolo' });
  type(platform, 'yolo');
  type(amount, '100');
  fireEvent.click(submit);
  await screen.findByText('No player account with your email. Use Create Manual Redeem.');
});

test('a failure without words has words of its own, and a 401 ends the session, as of any other call', async () => {
  let fail = () => respondWith('<html>forbidden</html>', 403);
  const { screen, dialog, platform, amount, submit } = await openRedeem({
    instead: ({ path }) => (path.endsWith('/checkout/redeem') ? fail() : undefined),
  });
  await dialog.findByRole('option', { name: 'yolo' });
  type(platform, 'yolo');
  type(amount, '100');
  fireEvent.click(submit);
  await screen.findByText('Failed to submit redeem request');
  await waitFor(() => assert.not.ok(submit.disabled));

  fail = () => respondWith({ detail: [{ loc: ['body', 'amount'], msg: 'too much today' }] }, 422);
  fireEvent.click(submit);
  await screen.findByText('too much today');
  await waitFor(() => assert.not.ok(submit.disabled));
  assert.equal([platform.value, amount.value], ['yolo', '100']);
  fail = () => respondWith({}, 401);
  fireEvent.click(submit);
  await waitFor(() => assert.is(localStorage.length, 0));
});

test('another server may list mere names, and Cancel leaves without a word', async () => {
  const { screen, dialog, writes } = await openRedeem({
    instead: ({ path }) =>
      path.endsWith('/api/v1/platforms/all')
        ? respondWith(['alpha', { name: 'beta' }, { id: 3 }, null, { name: 'gone', is_active: false }])
        : undefined,
  });
  await dialog.findByRole('option', { name: 'alpha' });
  assert.equal(
    dialog.getAllByRole('option').map((option) => option.textContent),
    ['Select Platform', 'alpha', 'beta'],
  );
  fireEvent.click(dialog.getByText('Cancel'));
  assert.is(screen.queryByRole('dialog'), null);
  assert.not.ok(writes().some(({ path }) => path.includes('redeem')));
});

test.after(closeScreen);
test.run();
