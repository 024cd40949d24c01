import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Purchases } from '../../../src/app/screens/Purchases';
import { createApi } from '../../createApi';
import { closeScreen, openScreen } from '../../screen';
import { addPlayer } from '../../seed';
import { newBrowser, PASSWORD, people, sql } from '../../world';
import { closed, fill, opens, textsOf, valuesOf } from '../controls';
import { at, type Instead, partsOf, respondWith } from '../network';

/** Ann's browser after a real sign-in, with the checkout cookie. She plays at Acme too, with $600 credit. */
async function openRedeem(instead?: Instead) {
  const browser = newBrowser();
  const screen = await openScreen(<Purchases tenantId={2} />, 'ann', {
    fetch: browser,
    instead,
    before: async () => {
      await createApi({ fetch: browser }).login({ body: { email: people.ann.email, password: PASSWORD } });
      await addPlayer(2, { email: people.ann.email, credit: '600' });
    },
  });
  await screen.findByText('pam@mail.test');
  const dialog = await opens(screen.getByText('Redeem'), 'Redeem');
  const submit = dialog.getByText('Submit') as HTMLButtonElement;
  /** Chooses and types, once the platforms are there. */
  const ask = async (platform: string, amount: string) => {
    await dialog.findByRole('option', { name: platform });
    fill(dialog, { Platform: platform, Amount: amount }, 'Submit');
  };
  const typed = () => valuesOf(dialog, 'Platform', 'Amount');
  return { screen, dialog, submit, ask, typed };
}

test('shows top-ups only, under their title', async () => {
  const screen = await openScreen(<Purchases tenantId={2} />, 'ann', { features: [] });
  await screen.findByText('pam@mail.test');
  assert.ok(screen.getByRole('heading', { name: 'Purchases (Top-Ups Only)' }));
  assert.ok(screen.getByRole('heading', { name: 'Latest Purchases (Tenant)' }));
  assert.equal(screen.sent[0]!.query, { limit: '100', tenant_id: '2', transaction_type: 'TOP_UP' });
});

test('a redeem sends platform and amount, no Authorization, and becomes a pending redeem of its player', async () => {
  const { screen, dialog, ask, submit } = await openRedeem();
  assert.ok(dialog.getByText('Min 100, Max 1000 per day'));
  await ask('vblink', '150.50');
  fireEvent.click(submit);
  await screen.findByText('Redeem request submitted!');
  await closed(screen);
  const [sent, ...others] = screen.writes();
  assert.equal(partsOf([sent!], 'path', 'body'), [
    ['/api/v1/checkout/redeem', { platform_name: 'vblink', amount: 150.5 }],
  ]);
  assert.equal(others, []);
  assert.is(sent!.headers.get('Authorization'), null);
  const made = await sql`
    select r.amount, r.status
    from redeems r join players p on p.id = r.player_id
    where p.email = ${people.ann.email}`;
  assert.equal(partsOf(made, 'amount', 'status'), [[150.5, 'pending']]);
});

test('Submit waits for a platform and an amount from 100 to 1000, in whole cents', async () => {
  const { dialog, submit } = await openRedeem();
  await dialog.findByRole('option', { name: 'vblink' });
  assert.ok(submit.disabled);
  fill(dialog, { Amount: '100' });
  assert.ok(submit.disabled, 'no platform');
  fill(dialog, { Platform: 'vblink' });
  for (const [typed, isLocked] of [
    ['100', false],
    ['99.99', true],
    ['1000', false],
    ['1000.01', true],
    ['', true],
    ['-500', true],
    ['500', false],
  ] as const) {
    fill(dialog, { Amount: typed });
    assert.is(submit.disabled, isLocked, typed);
  }
  fill(dialog, { Amount: '150.555' });
  dialog.getByText('At most 2 decimals');
  assert.ok(submit.disabled);
  fill(dialog, { Amount: '150.55' });
  assert.is(dialog.queryByText('At most 2 decimals'), null);
  assert.not(submit.disabled);
});

test("the server's own words say what is wrong, and nothing typed is lost", async () => {
  const { screen, ask, typed } = await openRedeem();
  await ask('yolo', '700');
  await screen.findByText('Insufficient credit balance: $600.00 available');
  assert.equal(typed(), ['yolo', '700']);
});

test('a failure without words has words of its own, and a 401 ends the session, as of any other call', async () => {
  let fail = () => respondWith('<html>forbidden</html>', 403);
  const { screen, ask, typed, submit } = await openRedeem(at('/checkout/redeem', () => fail()));
  await ask('yolo', '100');
  await screen.findByText('Failed to submit redeem request');
  await waitFor(() => assert.not.ok(submit.disabled));

  fail = () => respondWith({ detail: [{ loc: ['body', 'amount'], msg: 'too much today' }] }, 422);
  fireEvent.click(submit);
  await screen.findByText('too much today');
  await waitFor(() => assert.not.ok(submit.disabled));
  assert.equal(typed(), ['yolo', '100']);
  fail = () => respondWith({}, 401);
  fireEvent.click(submit);
  await waitFor(() => assert.is(localStorage.length, 0));
});

test('another server may list mere names, and Cancel leaves without a word', async () => {
  const names = ['alpha', { name: 'beta' }, { id: 3 }, null, { name: 'gone', is_active: false }];
  const { screen, dialog } = await openRedeem(at('/api/v1/platforms/all', names));
  await dialog.findByRole('option', { name: 'alpha' });
  assert.equal(textsOf(dialog.getAllByRole('option')), ['Select Platform', 'alpha', 'beta']);
  fireEvent.click(dialog.getByText('Cancel'));
  assert.is(screen.queryByRole('dialog'), null);
  assert.not.ok(screen.writes().some(({ path }) => path.includes('redeem')));
});

test.after(closeScreen);
test.run();
