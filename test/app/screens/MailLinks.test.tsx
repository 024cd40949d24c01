/** The login of a server that sends links by e-mail. */
import { fireEvent, type RenderResult, render, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Root } from '../../../src/app/Root';
import { makeLink } from '../../../src/server/auth/mailLinks';
import { closeScreen } from '../../screen';
import { db, hashOfPassword, people, reset, services, signIn, sql, tokenOf } from '../../world';
import { interceptRequests } from '../network';

const { dataset } = document.documentElement;
test.before.each(async () => {
  await reset();
  localStorage.clear(); // the file before may have signed in after its last look
  await sql`update tenants set mail_links = true where id = 2`;
  services.outgoing = { hasEmail: true, hasLinks: true, mayBeOwn: false };
  dataset['mail'] = '';
});
test.after.each(() => {
  closeScreen();
  delete dataset['mail'];
  history.replaceState(null, '', '/');
});

const open = (line = interceptRequests()): RenderResult => render(<Root fetch={line.fetch} />);
const press = async (screen: RenderResult, name: string) =>
  fireEvent.click(await screen.findByRole('button', { name }));
const type = async (screen: RenderResult, label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });

test('the login of any other server offers no link and asks nothing', async () => {
  delete dataset['mail'];
  const line = interceptRequests(),
    screen = open(line);
  await screen.findByRole('button', { name: 'Login' });
  assert.is(screen.queryByText('Forgot your password?'), null);
  assert.equal(line.sent, []);
});

test('somebody who forgot the password asks for a link with what they typed, and learns nothing', async () => {
  const line = interceptRequests(),
    screen = open(line);
  await type(screen, 'Email', 'nobody@acme.test');
  await press(screen, 'Forgot your password?');
  await press(screen, 'Send a link');
  await screen.findByText(/^If there is an account that may have one, a link is on its way/);
  assert.equal(
    line.sent.map(({ path, body }) => [path, body]),
    [['/api/v1/auth/password-link', { email: 'nobody@acme.test' }]],
  );
});

test('a link opens the form for a password, which is refused in words or saved', async () => {
  const account = { id: people.ann.id, email: people.ann.email, password_hash: hashOfPassword };
  const { token } = (await db.tx((sql) => makeLink(sql, account)))!;
  history.replaceState(null, '', `/#password=${token}`);
  const line = interceptRequests(),
    screen = open(line);
  await type(screen, 'New password', 'password1');
  await press(screen, 'Save');
  await screen.findAllByText(/The new password is too easy to guess/);
  await type(screen, 'New password', 'nine purple lanterns');
  await press(screen, 'Save');
  await waitFor(() => assert.is(line.sent.length, 2));
  await waitFor(async () => {
    const [{ is_new } = { is_new: false }] = await sql<{ is_new: boolean }[]>`
      select password_hash <> ${hashOfPassword} as is_new from admins where id = ${people.ann.id}`;
    assert.ok(is_new);
  });
});

test('a link opens the form where another web server sends the page, too, whoever is signed in', async () => {
  delete dataset['mail'];
  localStorage.setItem('user', JSON.stringify((await signIn('ben')).user));
  localStorage.setItem('token', await tokenOf('ben'));
  history.replaceState(null, '', '/#password=made-up');
  await open().findByLabelText('New password');
});

test.run();
