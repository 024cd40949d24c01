/** The login of an account with a second factor, and of one that must get one. */
import { cleanup, fireEvent, type RenderResult, render, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Root } from '../../../src/app/Root';
import { CODE_ASKED, CODE_WRONG } from '../../../src/server/auth/twoFactor';
import { closeScreen } from '../../screen';
import { currentCode, RECOVERY_CODE, withFactor } from '../../twoFactor';
import { PASSWORD, people, reset, sql } from '../../world';
import { interceptRequests, respondWith } from '../network';

test.after.each(() => {
  closeScreen();
  history.replaceState(null, '', '/');
});

async function open(line = interceptRequests()): Promise<RenderResult> {
  closeScreen();
  await reset();
  return render(<Root fetch={line.fetch} />);
}
const field = (screen: RenderResult, label: string) => screen.getByLabelText(label) as HTMLInputElement;
const fill = (screen: RenderResult, label: string, value: string) =>
  fireEvent.change(field(screen, label), { target: { value } });
const press = (screen: RenderResult) => fireEvent.click(screen.getByRole('button', { name: 'Login' }));
function signIn(screen: RenderResult, email: string) {
  fill(screen, 'Email', email);
  fill(screen, 'Password', PASSWORD);
  press(screen);
}

test('the code is asked for once the server does, with what was typed kept, and sent to both logins', async () => {
  const line = interceptRequests(),
    screen = await open(line),
    secret = await withFactor('ann');
  assert.not.ok(screen.queryByLabelText('Code'));
  signIn(screen, people.ann.email);
  const code = (await screen.findByLabelText('Code')) as HTMLInputElement;
  screen.getByText(CODE_ASKED);
  assert.equal([code.autocomplete, code.inputMode, code.type], ['one-time-code', 'numeric', 'text']);
  assert.is(document.activeElement, code);
  assert.equal([field(screen, 'Email').value, field(screen, 'Password').value], [people.ann.email, PASSWORD]);
  assert.equal(
    line.sent.map(({ body }) => body),
    [{ email: people.ann.email, password: PASSWORD }],
    'nothing but the specified before it was asked for',
  );

  fill(screen, 'Code', '000000');
  press(screen);
  await screen.findByText(CODE_WRONG);
  assert.is(field(screen, 'Code').value, '', 'the next one is typed in its place');
  assert.is(document.activeElement, field(screen, 'Code'));

  const now = currentCode(secret);
  fill(screen, 'Code', now);
  press(screen);
  await screen.findByText('Tenant Admin Panel');
  const logins = line.sent.filter(({ path }) => path.includes('/auth/login')).slice(-2);
  assert.equal(
    logins.map(({ path, body }) => [path.split('/').at(-1), body]),
    ['json', '2'].map((end) => [end, { email: people.ann.email, password: PASSWORD, code: now }]),
  );
  assert.is((await sql`select 1 from sessions`).length, 1);
});

test('a recovery code does as well, also for a super admin', async () => {
  const screen = await open();
  await withFactor('sue');
  signIn(screen, people.sue.email);
  await screen.findByLabelText('Code');
  press(screen);
  await screen.findByText(CODE_ASKED);
  fill(screen, 'Code', RECOVERY_CODE);
  press(screen);
  await screen.findByText('Add Tenant');
});

test('a 401 that asks for a code ends no session, whichever call answers it', async () => {
  const screen = await open(
    interceptRequests(({ path }) =>
      path.includes('/user-management/')
        ? respondWith({ detail: 'A code, please', code: 'second_factor' }, 401)
        : undefined,
    ),
  );
  signIn(screen, people.ann.email);
  await screen.findByText('Could not be loaded.');
  assert.ok(localStorage.getItem('token'));
  screen.getByRole('button', { name: 'Logout' });
});

test('who must have a second factor sets it up in place of the screens, and goes on in the same session', async () => {
  const line = interceptRequests(),
    screen = await open(line);
  await sql`update tenants set require_two_factor = true where id = 2`;
  signIn(screen, people.ann.email);
  await screen.findByText('Two-factor sign-in is required for your account. Set it up to continue.');
  assert.not.ok(screen.queryByText('Tenant Admin Panel'));
  fill(screen, 'Password', 'wrong');
  fireEvent.click(screen.getByRole('button', { name: 'Set up' }));
  await screen.findByText('The password is wrong');
  fill(screen, 'Password', PASSWORD);
  fireEvent.click(screen.getByRole('button', { name: 'Set up' }));
  await screen.findByRole('img', { name: 'QR code for the authenticator app' });
  const secret = /secret=([A-Z2-7]+)/.exec(screen.getByRole('link').getAttribute('href') ?? '')?.[1] ?? '';
  assert.ok(screen.getByText(secret.replace(/.{4}(?=.)/g, '$& ')));
  fill(screen, 'Code', currentCode(secret));
  fireEvent.click(screen.getByRole('button', { name: 'Turn on' }));
  const codes = await screen.findByRole('list', { name: 'Recovery codes' });
  assert.is(within(codes).getAllByText(/^\d{4}(-\d{4}){3}$/).length, 10);
  assert.equal(
    line.sent.filter(({ path }) => !path.includes('/auth/')),
    [],
    'nothing else was asked for',
  );
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
  fill(screen, 'Password', PASSWORD);
  fireEvent.click(begin);
  const link = await screen.findByRole('link');
  fill(screen, 'Code', currentCode(/secret=([A-Z2-7]+)/.exec(link.getAttribute('href') ?? '')?.[1] ?? ''));
  fireEvent.click(screen.getByRole('button', { name: 'Turn on' }));
  await screen.findByRole('list', { name: 'Recovery codes' });
  cleanup();
  await render(<Root fetch={interceptRequests().fetch} />).findByText('Tenant Admin Panel');
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

test('who would rather not signs out', async () => {
  const screen = await open();
  await sql`update tenants set require_two_factor = true where id = 2`;
  signIn(screen, people.ann.email);
  fireEvent.click(await screen.findByRole('button', { name: 'Logout' }));
  await waitFor(async () => assert.is((await sql`select 1 from sessions where not is_general`).length, 0));
  assert.is(localStorage.getItem('token'), null);
  assert.ok(await screen.findByRole('button', { name: 'Login' }));
});

test.run();
