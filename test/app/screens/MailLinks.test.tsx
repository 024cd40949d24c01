/** The login of a server that sends links by e-mail. */
import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeLink } from '../../../src/server/auth/mailLinks';
import { closeScreen, keepSession } from '../../screen';
import { db, hashOfPassword, people, reset, services, sql } from '../../world';
import type { Within } from '../controls';
import { partsOf } from '../network';
import { drawRoot } from '../root';

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

const press = async (screen: Within, name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const type = async (screen: Within, label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });

test('the login of any other server offers no link and asks nothing', async () => {
  delete dataset['mail'];
  const screen = drawRoot();
  await screen.findByRole('button', { name: 'Login' });
  assert.is(screen.queryByText('Forgot your password?'), null);
  assert.equal(screen.sent, []);
});

test('somebody who forgot the password asks for a link with what they typed, and learns nothing', async () => {
  const screen = drawRoot();
  await type(screen, 'Email', 'nobody@acme.test');
  await press(screen, 'Forgot your password?');
  await press(screen, 'Send a link');
  await screen.findByText(/^If there is an account that may have one, a link is on its way/);
  assert.equal(partsOf(screen.sent, 'path', 'body'), [['/api/v1/auth/password-link', { email: 'nobody@acme.test' }]]);
});

test('a link opens the form for a password, which is refused in words or saved', async () => {
  const account = { id: people.ann.id, email: people.ann.email, password_hash: hashOfPassword };
  const { token } = (await db.tx((sql) => makeLink(sql, account)))!;
  const screen = drawRoot({ path: `/#password=${token}` });
  await type(screen, 'New password', 'password1');
  await press(screen, 'Save');
  await screen.findAllByText(/The new password is too easy to guess/);
  await type(screen, 'New password', 'nine purple lanterns');
  await press(screen, 'Save');
  await waitFor(() => assert.is(screen.sent.length, 2));
  await waitFor(async () => {
    const [{ is_new } = { is_new: false }] = await sql<{ is_new: boolean }[]>`
      select password_hash <> ${hashOfPassword} as is_new from admins where id = ${people.ann.id}`;
    assert.ok(is_new);
  });
});

test('a link opens the form where another web server sends the page, too, whoever is signed in', async () => {
  delete dataset['mail'];
  await keepSession('ben');
  await drawRoot({ path: '/#password=made-up' }).findByLabelText('New password');
});

test.run();
