/** Passkeys at the login and under Account, with a browser whose authenticator is software. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Account } from '../../../src/app/dialogs/account/Account';
import { Admins } from '../../../src/app/screens/admins/Admins';
import type { PasskeyAnswer } from '../../../src/contract/entities';
import { ann } from '../../callers';
import { addPasskey, newPasskey, PARTY, type SoftPasskey } from '../../passkey';
import { closeScreen, openScreen } from '../../screen';
import { currentCode, forgetCodes, withFactor } from '../../twoFactor';
import { PASSWORD, people, reset, services, sql } from '../../world';
import type { Within } from '../controls';
import { fill, valuesOf } from '../controls';
import { at, respondWith } from '../network';
import { answer as answerQuestion } from '../question';
import { drawRoot } from '../root';

const { dataset } = document.documentElement;
const toBuffer = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')).buffer;
const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const NEW = 'violet harbour 42 lanterns';
let held: SoftPasskey | null = null;
/** How the browser fails, if it does. */
let failure = '';

/** A browser that holds one passkey, or makes one. */
const credentials = {
  async get({ publicKey }: { publicKey: { challenge: Uint8Array; allowCredentials: { id: Uint8Array }[] } }) {
    if (failure || !held) throw new DOMException('no', failure || 'NotAllowedError');
    const ids = publicKey.allowCredentials.map(({ id }) => toText(id));
    if (ids.length && !ids.includes(held.id)) throw new DOMException('another', 'NotAllowedError');
    const asked = { challenge: toText(publicKey.challenge), rp_id: PARTY.id, credential_ids: [] };
    const sent: PasskeyAnswer = held.sign(asked);
    return {
      id: sent.credential_id,
      response: {
        clientDataJSON: toBuffer(sent.client_data),
        authenticatorData: toBuffer(sent.authenticator_data),
        signature: toBuffer(sent.signature),
        userHandle: sent.user_handle ? toBuffer(sent.user_handle) : null,
      },
    };
  },
  async create({ publicKey }: { publicKey: { challenge: Uint8Array; user: { id: Uint8Array; name: string } } }) {
    if (failure) throw new DOMException('no', failure);
    held = newPasskey({ isSynced: true });
    const { user } = publicKey;
    const sent = held.make({
      challenge: toText(publicKey.challenge),
      rp_id: PARTY.id,
      credential_ids: [],
      user_id: toText(user.id),
      user_name: user.name,
    });
    return {
      id: held.id,
      response: {
        clientDataJSON: toBuffer(sent.client_data),
        getAuthenticatorData: () => toBuffer(sent.authenticator_data),
      },
    };
  },
};

test.before.each(async () => {
  await reset();
  services.passkeys = PARTY;
  dataset['passkeys'] = '';
  held = null;
  failure = '';
  Object.assign(window, { PublicKeyCredential: class {} });
  Object.defineProperty(navigator, 'credentials', { value: credentials, configurable: true });
});
test.after.each(() => {
  closeScreen();
  delete dataset['passkeys'];
  Reflect.deleteProperty(window, 'PublicKeyCredential');
  Reflect.deleteProperty(navigator, 'credentials');
});

const press = async (of: Within, name: string) => fireEvent.click(await of.findByRole('button', { name }));
const type = async (of: Within, label: string, value: string) =>
  fireEvent.change(await of.findByLabelText(label), { target: { value } });
async function signIn(screen: Within) {
  await type(screen, 'Email', people.ann.email);
  await type(screen, 'Password', PASSWORD);
  await press(screen, 'Login');
}
const whoIsIn = () => JSON.parse(localStorage.getItem('user') ?? 'null')?.email;

test('the login of any other server, or in a browser that has none, offers no passkey and asks nothing', async () => {
  for (const hide of [() => delete dataset['passkeys'], () => Reflect.deleteProperty(window, 'PublicKeyCredential')]) {
    dataset['passkeys'] = '';
    hide();
    const screen = drawRoot();
    await screen.findByRole('button', { name: 'Login' });
    await new Promise((resolve) => setImmediate(resolve));
    assert.is(screen.queryByText('Use a passkey'), null);
    assert.equal(screen.sent, []);
    closeScreen();
  }
});

test('where a code is asked for, it takes its place, for that account', async () => {
  const secret = await withFactor('ann');
  held = await addPasskey(ann, { code: currentCode(secret) });
  const screen = drawRoot();
  await signIn(screen);
  await screen.findByLabelText('Code');
  const right = held;
  held = newPasskey();
  await press(screen, 'Use a passkey');
  await screen.findByText('No passkey was used. You can try again.');
  held = right;
  await press(screen, 'Use a passkey');
  await waitFor(() => assert.is(whoIsIn(), people.ann.email));
});

test('a refusal, a role that may not enter and an address where none works are told in words', async () => {
  held = newPasskey();
  const screen = drawRoot();
  await press(screen, 'Use a passkey');
  await screen.findByText('This passkey was not accepted. Try again, or sign in with your password');
  failure = 'SecurityError';
  await press(screen, 'Use a passkey');
  await screen.findByText('Passkeys do not work at this address of the app.');
  failure = '';
  held = await addPasskey(ann);
  await sql`update admins set role_id = (select role_id from admins where id = ${people.oli.id}) where id = 2`;
  await press(screen, 'Use a passkey');
  await screen.findByText('Not an admin or super admin.');
  assert.is(whoIsIn(), undefined);
});

test('an answer that cannot be read is told as the login tells it', async () => {
  held = newPasskey();
  let answer: object = { access_token: 'x' };
  const screen = drawRoot({ instead: at('/passkey/answer', () => respondWith(answer)) });
  await press(screen, 'Use a passkey');
  await screen.findByText('Invalid credentials or not an admin.');
  answer = { access_token: 'x', user: {} };
  await press(screen, 'Use a passkey');
  await screen.findByText('Not an admin or super admin.');
});

test('the set-up page sends whoever has a passkey back to sign in with it', async () => {
  await addPasskey(ann);
  await sql`update tenants set require_two_factor = true where id = 2`;
  const screen = drawRoot();
  await signIn(screen);
  await screen.findByText(/If you have a passkey, log out and sign in with it\.$/);
  await type(screen, 'Password', PASSWORD);
  await press(screen, 'Set up');
  await screen.findByText('Sign in with your passkey first');
  await press(screen, 'Logout');
  await screen.findByRole('button', { name: 'Use a passkey' });
});

test('Admins offers the reset for passkeys alone, also where they work no more', async () => {
  const before = () => {
    services.passkeys = PARTY;
    return addPasskey(ann);
  };
  const features = ['account', 'reasons'] as const;
  const screen = await openScreen(<Admins />, 'sue', { before, features, path: '/admins?tenant=2' });
  fireEvent.click(await screen.findByRole('button', { name: 'Reset two-factor' }));
  await screen.findByText('ann@acme.test. All their sessions will end, and their passkeys are removed.');
  await answerQuestion(screen, 'Reset two-factor sign-in for this admin?', 'Reset');
  await waitFor(() => assert.not.ok(screen.queryByRole('button', { name: 'Reset two-factor' })));
  assert.is((await sql`select 1 from passkeys`).length, 0);
});

/** The world is new then, so what a test needs there is made before the first request. */
const openAccount = (prepare: () => Promise<unknown> = async () => undefined) => {
  const before = () => {
    services.passkeys = PARTY;
    return prepare();
  };
  return openScreen(<Account onClose={() => {}} />, 'ann', { before, features: ['account', 'passkeys'] });
};
const part = async (screen: Within) => within(await screen.findByRole('region', { name: 'Passkeys' }));

test('under Account one is added with a name and the password, used, and removed', async () => {
  const screen = await openAccount();
  const passkeys = await part(screen);
  await passkeys.findByText('No passkeys yet');
  await press(passkeys, 'Add passkey');
  const add = within(await screen.findByRole('dialog', { name: 'Add passkey' }));
  fill(add, { Name: 'Work laptop', 'Your password': 'wrong' }, 'Add');
  await add.findAllByText(/The password is wrong/);
  fill(add, { 'Your password': PASSWORD }, 'Add');
  const row = within((await passkeys.findByText('Work laptop')).closest('tr')!);
  row.getByText('Synced');
  await press(row, 'Remove');
  const remove = within(await screen.findByRole('dialog', { name: 'Remove this passkey?' }));
  remove.getByText(/^Work laptop\. Nobody can sign in with it any more/);
  fill(remove, { 'Your password': PASSWORD }, 'Remove');
  await passkeys.findByText('No passkeys yet');
  assert.is((await sql`select 1 from passkeys`).length, 0);
});

test('a new password removes them, by name, unless it is unchecked', async () => {
  const screen = await openAccount(() => addPasskey(ann, { name: 'Phone' }));
  const password = within(await screen.findByRole('region', { name: 'Password' }));
  const count = async () => (await sql`select 1 from passkeys`).length;
  const box = () => password.findByLabelText('Remove your passkeys: Phone');
  const change = async (current: string, wanted: string) => {
    fill(password, { 'Current password': current, 'New password': wanted }, 'Change password');
    await waitFor(() => assert.equal(valuesOf(password, 'Current password'), ['']));
  };
  fireEvent.click(await box());
  await change(PASSWORD, NEW);
  assert.is(await count(), 1);
  fireEvent.click(await box());
  await change(NEW, `${NEW}!`);
  assert.is(await count(), 0);
  await (await part(screen)).findByText('No passkeys yet');
  assert.is(password.queryByLabelText(/Remove your passkeys/), null);
});

test('with two-factor sign-in it asks for the code, and for the next one after what the browser refuses', async () => {
  let secret = '';
  failure = 'InvalidStateError';
  const screen = await openAccount(async () => {
    secret = await withFactor('ann');
  });
  await press(await part(screen), 'Add passkey');
  const add = within(await screen.findByRole('dialog', { name: 'Add passkey' }));
  fill(add, { Name: 'Phone', 'Your password': PASSWORD, Code: currentCode(secret) }, 'Add');
  await screen.findAllByText(/There is a passkey of this account on this device already\. Enter the next code\./);
  assert.equal(valuesOf(add, 'Code'), ['']);
  failure = '';
  await forgetCodes();
  fill(add, { Code: currentCode(secret) }, 'Add');
  await (await part(screen)).findByText('Phone');
});

test('without the feature, and in a browser without passkeys, nothing is offered', async () => {
  const node = <Account onClose={() => {}} />,
    screen = await openScreen(node, 'ann', { features: ['account'] });
  await screen.findByRole('region', { name: 'Two-factor sign-in' });
  assert.is(screen.queryByRole('region', { name: 'Passkeys' }), null);
  assert.not.ok(screen.sent.some(({ path }) => path.includes('passkey')));
  closeScreen();
  Reflect.deleteProperty(window, 'PublicKeyCredential');
  const passkeys = await part(await openAccount());
  passkeys.getByText('This browser cannot make passkeys here.');
  assert.is(passkeys.queryByRole('button', { name: 'Add passkey' }), null);
});

test.run();
