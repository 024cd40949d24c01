/** The login of an account with a second factor, and of one that must get one. */
import { cleanup, fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CODE_ASKED, CODE_WRONG } from '../../../src/server/auth/twoFactor';
import { closeScreen, type Options } from '../../screen';
import { currentCode, RECOVERY_CODE, withFactor } from '../../twoFactor';
import { PASSWORD, people, sql } from '../../world';
import { field, fill, press, valuesOf } from '../controls';
import { at, partsOf } from '../network';
import { drawRoot, openRoot } from '../root';

test.after.each(() => {
  closeScreen();
  history.replaceState(null, '', '/');
});

const open = (options?: Options) => openRoot(null, options);
type Opened = Awaited<ReturnType<typeof open>>;
const input = (screen: Opened, label: string) => field(screen.getByLabelText(label));
const signIn = (screen: Opened, email: string) => fill(screen, { Email: email, Password: PASSWORD }, 'Login');

test('the code is asked for once the server does, with what was typed kept, and sent to both logins', async () => {
  const screen = await open(),
    secret = await withFactor('ann');
  assert.not.ok(screen.queryByLabelText('Code'));
  signIn(screen, people.ann.email);
  const code = (await screen.findByLabelText('Code')) as HTMLInputElement;
  screen.getByText(CODE_ASKED);
  assert.equal([code.autocomplete, code.inputMode, code.type], ['one-time-code', 'numeric', 'text']);
  assert.is(document.activeElement, code);
  assert.equal(valuesOf(screen, 'Email', 'Password'), [people.ann.email, PASSWORD]);
  const specified = [{ email: people.ann.email, password: PASSWORD }];
  assert.equal(partsOf(screen.sent, 'body'), specified, 'nothing else before it was asked for');

  fill(screen, { Code: '000000' }, 'Login');
  await screen.findByText(CODE_WRONG);
  assert.is(input(screen, 'Code').value, '', 'the next one is typed in its place');
  assert.is(document.activeElement, input(screen, 'Code'));

  const now = currentCode(secret);
  fill(screen, { Code: now }, 'Login');
  await screen.findByText('Tenant Admin Panel');
  const logins = screen.sent.filter(({ path }) => path.includes('/auth/login')).slice(-2);
  const body = { ...specified[0], code: now };
  assert.equal(partsOf(logins, 'path', 'body'), [
    ['/api/v1/auth/login/json', body],
    ['/api/v1/auth/login/tenant/2', body],
  ]);
  assert.is((await sql`select 1 from sessions`).length, 1);
});

test('a recovery code does as well, also for a super admin', async () => {
  const screen = await open();
  await withFactor('sue');
  signIn(screen, people.sue.email);
  await screen.findByLabelText('Code');
  press(screen, 'Login');
  await screen.findByText(CODE_ASKED);
  fill(screen, { Code: RECOVERY_CODE }, 'Login');
  await screen.findByText('Add Tenant');
});

test('a 401 that asks for a code ends no session, whichever call answers it', async () => {
  const screen = await open({
    instead: at('/user-management/users/', { detail: 'A code, please', code: 'second_factor' }, 401),
  });
  signIn(screen, people.ann.email);
  await screen.findByText('Could not be loaded.');
  assert.ok(localStorage.getItem('token'));
  screen.getByRole('button', { name: 'Logout' });
});

test('who must have a second factor sets it up in place of the screens, and goes on in the same session', async () => {
  const screen = await open();
  await sql`update tenants set require_two_factor = true where id = 2`;
  signIn(screen, people.ann.email);
  await screen.findByText('Two-factor sign-in is required for your account. Set it up to continue.');
  assert.not.ok(screen.queryByText('Tenant Admin Panel'));
  fill(screen, { Password: 'wrong' }, 'Set up');
  await screen.findByText('The password is wrong');
  fill(screen, { Password: PASSWORD }, 'Set up');
  await screen.findByRole('img', { name: 'QR code for the authenticator app' });
  const secret = /secret=([A-Z2-7]+)/.exec(screen.getByRole('link').getAttribute('href') ?? '')?.[1] ?? '';
  assert.ok(screen.getByText(secret.replace(/.{4}(?=.)/g, '$& ')));
  fill(screen, { Code: currentCode(secret) }, 'Turn on');
  const codes = await screen.findByRole('list', { name: 'Recovery codes' });
  assert.is(within(codes).getAllByText(/^\d{4}(-\d{4}){3}$/).length, 10);
  const others = screen.sent.filter(({ path }) => !path.includes('/auth/'));
  assert.equal(others, [], 'nothing else was asked for');
  const before = localStorage.getItem('token');
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText('Tenant Admin Panel');
  assert.is(localStorage.getItem('token'), before);
  assert.not.ok(JSON.parse(localStorage.getItem('user') ?? '').features.includes('two_factor_setup'));
});

test('a page loaded anew while the recovery codes stand there goes on to the screens', async () => {
  const screen = await open();
  await sql`update tenants set require_two_factor = true where id = 2`;
  signIn(screen, people.ann.email);
  const begin = await screen.findByRole('button', { name: 'Set up' });
  fill(screen, { Password: PASSWORD });
  fireEvent.click(begin);
  const link = await screen.findByRole('link');
  fill(screen, { Code: currentCode(/secret=([A-Z2-7]+)/.exec(link.getAttribute('href') ?? '')?.[1] ?? '') }, 'Turn on');
  await screen.findByRole('list', { name: 'Recovery codes' });
  cleanup();
  await drawRoot().findByText('Tenant Admin Panel');
});

test('who comes to need one while signed in begins anew, and is led to it', async () => {
  const screen = await open();
  signIn(screen, people.ann.email);
  await screen.findByText('Tenant Admin Panel');
  await sql`update tenants set require_two_factor = true where id = 2`;
  fireEvent.click(screen.getByRole('link', { name: 'Users' }));
  await screen.findByRole('button', { name: 'Login' });
  signIn(screen, people.ann.email);
  await screen.findByText('Two-factor sign-in is required for your account. Set it up to continue.');
});

test('who would rather not set up a second factor signs out', async () => {
  const screen = await open();
  await sql`update tenants set require_two_factor = true where id = 2`;
  signIn(screen, people.ann.email);
  fireEvent.click(await screen.findByRole('button', { name: 'Logout' }));
  await waitFor(async () => assert.is((await sql`select 1 from sessions where not is_general`).length, 0));
  assert.is(localStorage.getItem('token'), null);
  assert.ok(await screen.findByRole('button', { name: 'Login' }));
});

test.run();
