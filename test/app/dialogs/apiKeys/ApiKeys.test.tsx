import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../../src/app/App';
import { ApiKeys } from '../../../../src/app/dialogs/apiKeys/ApiKeys';
import { ann } from '../../../callers';
import { withKey } from '../../../integrations';
import { closeScreen, openScreen, type Screen } from '../../../screen';
import { currentCode, withFactor } from '../../../twoFactor';
import { PASSWORD, sql } from '../../../world';
import { copied } from '../../clipboard';
import { field, fill, opens, sees, type } from '../../controls';
import { nonsense } from '../../network';
import { answerBrowser } from '../../question';

const made = () => ann.createApiKey({ body: { name: 'Web shop', scopes: ['players:write'], password: PASSWORD } });
const keyShown = (screen: Screen) => field(screen.getByLabelText(/^Key of /)).value;

test("an admin makes a key from the title bar, is shown it once, and it opens the tenant's door", async () => {
  const screen = await openScreen(<App />, 'ann', { path: '/users' });
  const dialog = await opens(await screen.findByRole('button', { name: 'API keys' }), 'API keys');
  await dialog.findByText('No API keys yet.');
  assert.not.ok(dialog.queryByLabelText('Tenant'));
  assert.ok(field(dialog.getByText('Create API key')).disabled, 'not without a name');
  type(dialog.getByLabelText('Name'), 'Web shop');
  assert.ok(field(dialog.getByText('Create API key')).disabled, 'not without the password');
  assert.equal(
    dialog.getAllByRole('checkbox').map((box) => field(box).checked),
    [true, false, true, false, false, false],
    'listing users and deciding are not among what is usual',
  );
  fill(dialog, { 'Your password': 'wrong' }, 'Create API key');
  await screen.findByText('The password is wrong');
  assert.is(field(dialog.getByLabelText('Name')).value, 'Web shop', 'what was typed stays');
  type(dialog.getByLabelText('Your password'), PASSWORD);
  fireEvent.click(dialog.getByLabelText('Create and update players'));
  fireEvent.click(dialog.getByText('Create API key'));
  await screen.findByText('API key created');
  const key = keyShown(screen);
  assert.match(key, /^gbk_[\w-]{43}$/);
  assert.is(dialog.queryByText('Close'), null);
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  dialog.getByText('This is shown only once. Save it first, and confirm that you have.');
  assert.is(keyShown(screen), key, 'still there');
  fireEvent.click(dialog.getByText('I have saved it'));
  await dialog.findByText('Web shop');
  await sees(dialog, `${key.slice(0, 10)}…`, /^Until/);
  dialog.getByTitle('transactions:write');
  assert.is(dialog.queryByText('Ends soon'), null);
  assert.not.match(screen.container.textContent ?? '', nonsense);
  assert.is(field(dialog.getByLabelText('Your password')).value, '', 'a password does not stay');
  const body = { user_id: 1, amount: 5, payment_method: 'card', payment_reference: 'r' };
  assert.is((await withKey(key).pushTopUp({ body })).status, 'pending');

  fireEvent.click(dialog.getByText('Close'));
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  fireEvent.click(screen.getByRole('button', { name: 'API keys' }));
  await screen.findByText('Web shop');
  assert.not.ok(screen.queryByLabelText(/^Key of /), 'never again');
});

test('the key is copied, or the person is told that it was not', async () => {
  const texts = copied();
  const screen = await openScreen(<ApiKeys onClose={() => {}} />, 'ann');
  fill(screen, { Name: 'Shop', 'Your password': PASSWORD }, 'Create API key');
  fireEvent.click(await screen.findByText('Copy'));
  await screen.findByText('Key of Shop copied');
  assert.equal(texts, [keyShown(screen)]);
  navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
  fireEvent.click(screen.getByText('Copy'));
  await screen.findByText('Key of Shop could not be copied');
});

test('a super admin chooses the tenant first; in the view of one it is chosen already', async () => {
  const screen = await openScreen(<ApiKeys onClose={() => {}} />, 'sue', { before: made, path: '/tenants' });
  await screen.findByText('Bravo');
  assert.not.ok(screen.queryByText('Platform'), "the platform's own tenant has none");
  assert.not.ok(screen.queryByLabelText('Name'));
  type(screen.getByLabelText('Tenant'), '3');
  await screen.findByText('No API keys yet.');
  type(screen.getByLabelText('Tenant'), '2');
  await screen.findByText('Web shop');
  fill(screen, { Name: 'From sue', Expires: '2099-12-31', 'Your password': PASSWORD }, 'Create API key');
  fireEvent.click(await screen.findByText('I have saved it'));
  await screen.findByText('From sue');
  const [kept] = await sql`select tenant_id, scopes, expires_at from api_keys where name = 'From sue'`;
  const expires_at = new Date('2100-01-01T00:00:00.000Z');
  assert.equal(kept, { tenant_id: 2, scopes: ['players:write', 'transactions:write'], expires_at });

  const inside = await openScreen(<ApiKeys onClose={() => {}} />, 'sue', { path: '/tenant/3/admin' });
  await inside.findByText('No API keys yet.');
  await waitFor(() => assert.is(field(inside.getByLabelText('Tenant')).value, '3'));
});

test('revoking asks first, and is for good', async () => {
  const screen = await openScreen(<ApiKeys onClose={() => {}} />, 'ann', { before: made });
  await screen.findByText('Web shop');
  let yes = false;
  const asked = answerBrowser(() => yes);
  fireEvent.click(screen.getByText('Revoke'));
  assert.equal(
    [asked, screen.writes().length],
    [['Revoke the API key Web shop? Systems that use it lose access immediately.'], 0],
  );
  yes = true;
  fireEvent.click(screen.getByText('Revoke'));
  await sees(screen, 'API key revoked', /^Revoked/);
  assert.not.ok(screen.queryByText('Revoke'));
});

test('with two-factor sign-in the code is asked for, and one is enough', async () => {
  const codes: string[] = [];
  const screen = await openScreen(<ApiKeys onClose={() => {}} />, 'ann', {
    before: async () => {
      codes.push(currentCode(await withFactor('ann')));
    },
  });
  await screen.findByText('No API keys yet.');
  await screen.findByLabelText('Code');
  fill(screen, { Name: 'Shop', 'Your password': PASSWORD }, 'Create API key');
  assert.equal(screen.writes(), [], 'it is required');
  fill(screen, { Code: codes[0]! }, 'Create API key');
  await screen.findByText('API key created');
});

test('a key says when it ends soon, and that its maker is disabled', async () => {
  const screen = await openScreen(<ApiKeys onClose={() => {}} />, 'sue', {
    before: async () => {
      await made();
      await sql`update api_keys set expires_at = now() + interval '29 days'`;
      await sql`update admins set is_active = false where email = 'ann@acme.test'`;
    },
    path: '/tenant/2/admin',
  });
  await sees(screen, 'Ends soon', 'ann@acme.test (disabled)');
});

test.after(closeScreen);
test.run();
