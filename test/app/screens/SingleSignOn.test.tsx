/** Single sign-on at the login, below a path, and in the dialogs that ask for a password. */
import { act, fireEvent, render, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { IdentityProvider } from '../../../src/app/parts/IdentityProvider';
import { OwnPassword } from '../../../src/app/parts/OwnPassword';
import { ToastProvider } from '../../../src/app/state/toasts';
import { features } from '../../../src/contract/constants';
import { permissions } from '../../../src/contract/permissions';
import { CLIENT, follow, startEvil, startProvider } from '../../identityProviders';
import { closeScreen, keepSession, type Options, openScreen } from '../../screen';
import { withFactor } from '../../twoFactor';
import { newBrowser, fetch as ours, PASSWORD, people, reset, services, sql } from '../../world';
import { fill, valuesOf, type Within } from '../controls';
import { at, respondWith, type Sent } from '../network';
import { drawRoot } from '../root';

const APP = 'http://office.test/backoffice';
const { dataset } = document.documentElement;
const base = document.createElement('base');
let real: Awaited<ReturnType<typeof startProvider>>;
let evil: Awaited<ReturnType<typeof startEvil>>;
let gone: string[] = [];
location.assign = (url) => void gone.push(String(url));
test.before(async () => {
  real = await startProvider([`${APP}/sso/2`]);
  evil = await startEvil();
});

const offer = () => {
  services.outgoing = { hasEmail: false, appUrl: APP, mayBeOwn: true };
};
async function provide() {
  await reset();
  offer();
  await sql`
    insert into identity_providers ${sql({
      ...{ tenant_id: 2, issuer: real.issuer, client_id: CLIENT.client_id, set_by: people.sue.id },
      client_secret: services.secrets.encrypt(CLIENT.client_secret, ['identity_providers', 2]),
      ...{ groups_claim: 'groups', group_permissions: '[]', is_active: true, only_sso: false },
    })}`;
  real.people.now = 'ann';
  real.people.known = { ann: { email: people.ann.email, email_verified: true } };
}
test.before.each(async () => {
  gone = [];
  base.href = '/backoffice/';
  document.head.append(base);
  dataset['sso'] = '';
  await provide();
});
test.after.each(() => {
  closeScreen();
  base.remove();
  delete dataset['sso'];
  history.replaceState(null, '', '/');
});

const open = (path: string, { fetch = newBrowser(), ...options }: Options = {}) =>
  drawRoot({ fetch, path, ...options });
const pressSso = async (screen: Within) =>
  fireEvent.click(await screen.findByRole('button', { name: 'Single sign-on' }));
const left = async (count = 1) => {
  await waitFor(() => assert.is(gone.length, count));
  return gone.at(-1)!;
};

test('the login of any other server offers none and asks nothing', async () => {
  delete dataset['sso'];
  const screen = open('/backoffice/');
  await screen.findByRole('button', { name: 'Login' });
  assert.is(screen.queryByText('Single sign-on'), null);
  assert.equal(screen.sent, []);
});

test('a person goes to their provider, and is back at the same address with its filters', async () => {
  const fetch = newBrowser();
  const screen = open('/backoffice/?search=pam&size=25', { fetch });
  await pressSso(screen);
  await screen.findByText('Enter your email first.');
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: people.ann.email } });
  await pressSso(screen);
  const back = await follow(await left(), APP);
  assert.is(back.pathname, '/backoffice/sso/2');
  screen.unmount();
  const again = open(back.pathname + back.search, { fetch });
  await again.findByRole('button', { name: 'Logout' });
  assert.is(location.pathname + location.search, '/backoffice/?search=pam&size=25');
  assert.is(JSON.parse(localStorage.getItem('user') ?? '').signed_in_by, 'sso');
});

test('an email without single sign-on is told to use the password; a refusal is told in words', async () => {
  const screen = open('/backoffice/');
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: people.ben.email } });
  await pressSso(screen);
  await screen.findByText('There is no single sign-on for this email. Sign in with your password.');
  assert.equal(gone, []);
  screen.unmount();
  const back = open('/backoffice/sso/2?code=c&state=made-up');
  await back.findByText('This sign-in was used before or took too long. Start again');
  assert.is(location.href.includes('code='), false);
});

test('a server that does not answer is told, and it can be tried again', async () => {
  const instead = ({ path }: Sent) => (path.includes('/sso') ? respondWith('<h1>502</h1>', 502) : undefined);
  const screen = open('/backoffice/', { instead });
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: people.ann.email } });
  await pressSso(screen);
  await screen.findByText('Single sign-on has failed. Try again');
});

test('the address of a tenant begins at once, also for who is signed in and shall be asked again', async () => {
  await keepSession('ann');
  open('/backoffice/sso/2?again=%2Fbackoffice%2F%3Fsearch%3Dpam');
  const sent = new URL(await left());
  assert.equal([sent.origin, sent.searchParams.get('prompt')], [real.issuer, 'login']);
  const [flow] = await sql`select return_to from sso_flows`;
  assert.equal({ ...flow }, { return_to: '/backoffice/?search=pam' });
});

for (const query of ['', '?code=c&state=made-up'])
  test(`whoever is signed in elsewhere is asked before they change account: /sso/2${query}`, async () => {
    await keepSession('ben');
    const token = localStorage.getItem('token');
    const screen = open(`/backoffice/sso/2${query}`);
    const leave = await screen.findByRole('button', { name: `Leave ${people.ben.email} for another one` });
    assert.equal([screen.sent, gone, location.search], [[], [], '']);
    assert.is(screen.getByRole('link', { name: 'Stay as you are' }).getAttribute('href'), '/backoffice/');
    fireEvent.click(leave);
    if (query) await screen.findByText('This sign-in was used before or took too long. Start again');
    else assert.is(new URL(await left()).origin, real.issuer);
    assert.is(localStorage.getItem('token'), token);
  });

test('the session that is left for another account ends on the server', async () => {
  const fetch = newBrowser();
  const first = open('/backoffice/sso/2', { fetch });
  const back = await follow(await left(), APP);
  first.unmount();
  await keepSession('ben');
  const screen = open(back.pathname + back.search, { fetch });
  fireEvent.click(await screen.findByRole('button', { name: `Leave ${people.ben.email} for another one` }));
  await screen.findByRole('button', { name: 'Logout' });
  assert.is((await sql`select 1 from sessions where admin_id = ${people.ben.id}`).length, 0);
});

test('in front of another server the address of a tenant begins nothing', async () => {
  delete dataset['sso'];
  const screen = open('/backoffice/sso/2');
  await screen.findByRole('button', { name: 'Login' });
  await import('../../../src/app/parts/SingleSignOn');
  await act(async () => undefined);
  assert.equal([screen.sent, gone, location.pathname], [[], [], '/backoffice/sso/2']);
  assert.is(screen.queryByText('Single sign-on'), null);
});

test('only single sign-on is told after the right password', async () => {
  await sql`update identity_providers set only_sso = true, break_glass_admin_id = ${people.sue.id}`;
  const screen = open('/backoffice/');
  fill(screen, { Email: people.ann.email, Password: PASSWORD }, 'Login');
  await screen.findByText('Your company lets you sign in by single sign-on only');
});

test('logging out leaves for the provider where the server says so', async () => {
  const url = 'https://login.test/end?client_id=office';
  await keepSession('ann');
  const screen = open('/backoffice/', { instead: at('/logout', { ok: true, sign_out_url: url }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Logout' }));
  assert.is(await left(), url);
});

test('who came by it is asked for no password, and told how long the sign-in counts', async () => {
  const typed: string[] = [];
  const field = {
    name: 'current',
    value: '',
    onChange: ({ target }: { target: { value: string } }) => void typed.push(target.value),
  };
  const code = { name: 'code', value: '', onChange: () => {} };
  const before = () => withFactor('ann');
  const own = await openScreen(<OwnPassword {...field} code={code} />, 'ann', { before });
  assert.is(own.getByLabelText('Your password').getAttribute('type'), 'password');
  await own.findByLabelText('Code');
  assert.equal(typed, []);
  own.unmount();
  localStorage.setItem(
    'user',
    JSON.stringify({ ...JSON.parse(localStorage.getItem('user') ?? ''), signed_in_by: 'sso' }),
  );
  const { SessionProvider } = await import('../../../src/app/state/session');
  history.replaceState(null, '', '/backoffice/users?a=b');
  const came = render(
    <ToastProvider>
      <SessionProvider fetch={ours}>
        <OwnPassword {...field} code={code} />
      </SessionProvider>
    </ToastProvider>,
  );
  for (const label of ['Your password', 'Code']) assert.not.ok(came.queryByLabelText(label), 'nobody would check it');
  const link = came.getByRole('link', { name: 'sign in again' });
  assert.is(link.getAttribute('href'), '/backoffice/sso/2?again=%2Fbackoffice%2Fusers%3Fa%3Db');
  assert.equal([...new Set(typed)], ['sso']);
  fireEvent.click(came.getByRole('button', { name: 'use your password' }));
  assert.is(came.getByLabelText('Your password').getAttribute('type'), 'password');
  await came.findByLabelText('Code');
  assert.is(typed.at(-1), '', 'and it is not filled in again');
});

test('a tenant sets it up, and what is wrong is said in the form', async () => {
  const all = { features: features.filter((name) => name !== 'two_factor_setup'), permissions };
  const screen = await openScreen(<IdentityProvider />, 'ann', { before: async () => offer(), ...all });
  await pressSso(screen);
  await screen.findByLabelText('Issuer');
  const own = { 'Client ID': 'office', 'Client secret': CLIENT.client_secret, 'Your password': PASSWORD };
  fill(screen, { Issuer: 'http://127.0.0.1:9', ...own, 'Groups and their jobs': 'cashiers' }, 'Save');
  await screen.findByText("'cashiers' is no group with a job, such as 'cashiers: Cashier'");
  fill(screen, { 'Groups and their jobs': 'cashiers: Cashier\n\nothers: Money, Export\nguests: View only' }, 'Save');
  await screen.findAllByText(/does not answer as it should/);
  fill(screen, { Issuer: evil.issuer }, 'Save');
  await screen.findByText('Single sign-on saved');
  const [row] = await sql`select issuer, group_permissions from identity_providers`;
  assert.equal(row?.['issuer'], evil.issuer);
  assert.equal(row?.['group_permissions'], [
    { group: 'cashiers', permissions: ['support', 'queue'] },
    { group: 'others', permissions: ['money', 'export'] },
    { group: 'guests', permissions: [] },
  ]);
  await pressSso(screen);
  const groups = 'cashiers: Cashier\nothers: Money, Export\nguests: View only';
  await waitFor(() => assert.equal(valuesOf(screen, 'Groups and their jobs'), [groups]));
  assert.is(screen.queryByLabelText('Account that keeps its password'), null);
  fireEvent.click(screen.getByRole('switch', { name: /^Only single sign-on/ }));
  await screen.findByLabelText('Account that keeps its password');
  fill(screen, { 'Account that keeps its password': String(people.ann.id), 'Your password': PASSWORD }, 'Save');
  await screen.findAllByText(/^Sign in by this identity provider once/);
});

test.run();
