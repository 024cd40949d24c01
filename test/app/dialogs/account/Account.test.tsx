import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Account } from '../../../../src/app/dialogs/account/Account';
import { Admins } from '../../../../src/app/screens/admins/Admins';
import { Tenants } from '../../../../src/app/screens/Tenants';
import { CODE_WRONG } from '../../../../src/server/auth/twoFactor';
import { ann } from '../../../callers';
import { closeScreen, type Options, openScreen } from '../../../screen';
import { currentCode, login, RECOVERY_CODE, SECOND_RECOVERY_CODE, withFactor } from '../../../twoFactor';
import { fetch, PASSWORD, people, refused, services, sql, tokenOf } from '../../../world';
import { closed, fieldValue, fill, opens, press, rowOf, sees, type Within } from '../../controls';
import { partsOf, sentTo } from '../../network';
import { answer } from '../../question';
import { openRoot } from '../../root';

const NEW = 'violet harbour 42 lanterns';

const part = async (screen: Within, name: string) => within(await screen.findByRole('region', { name }));
/** One part of Ann's account. */
async function open(name: 'Password' | 'Sessions' | 'Two-factor sign-in', options: Options = {}) {
  const screen = await openScreen(<Account onClose={() => {}} />, 'ann', options);
  return { screen, of: await part(screen, name) };
}
const change = (password: Within, current: string, wanted: string, more: { Code?: string } = {}) =>
  fill(password, { 'Current password': current, 'New password': wanted, ...more }, 'Change password');
const isDone = (password: Within) =>
  waitFor(() => assert.is(fieldValue(password.getByLabelText('Current password')), ''));
const factorOfAnn = () => withFactor('ann');

test.after.each(closeScreen);

test('a new password revokes the API keys that one made, unless it is unchecked', async () => {
  const before = async () =>
    ann.createApiKey({ body: { name: 'Shop', scopes: ['players:write'], password: PASSWORD } });
  const { of: password } = await open('Password', { before });
  const label = 'Revoke the API keys that you made: Shop';
  const active = async () => (await sql`select 1 from api_keys where revoked_at is null`).length;
  await password.findByLabelText(label);
  for (const [current, wanted] of [
    [PASSWORD, NEW],
    [NEW, `${NEW}!`],
  ] as const) {
    fireEvent.click(password.getByLabelText(label));
    change(password, current, wanted);
    await isDone(password);
    assert.is(await active(), current === PASSWORD ? 1 : 0);
  }
  await waitFor(() => assert.not.ok(password.queryByLabelText(label)));
});

test('the password is changed with the current one; a refusal stands beside what was typed', async () => {
  const { screen, of: password } = await open('Password');
  for (const [current, wanted, why] of [
    ['wrong', NEW, 'The password is wrong'],
    [PASSWORD, 'password1', 'The new password is too easy to guess'],
  ] as const) {
    change(password, current, wanted);
    await sees(screen, 'Failed to change the password', why);
    assert.is(fieldValue(password.getByLabelText('New password')), wanted);
  }
  fill(password, { 'New password': NEW }, 'Change password');
  await screen.findByText('Password changed');
  await isDone(password);
  assert.ok((await login('ann', undefined, NEW)).access_token);
});

test('the session goes on with the new token, in the same dialog, and the old token is worth nothing', async () => {
  const screen = await openRoot('ann');
  const checks = () => sentTo(screen, '/auth/account').length;
  fireEvent.click(await screen.findByRole('button', { name: 'Account' }));
  const old = localStorage.getItem('token') ?? '',
    password = await part(screen, 'Password');
  await waitFor(() => assert.is(checks(), 1));
  change(password, PASSWORD, NEW);
  await screen.findByText('Password changed');
  const renewed = localStorage.getItem('token') ?? '';
  assert.is.not(renewed, old);
  const isIn = async (token: string) =>
    (await services.sessions.findCaller(sql, token, { isActivity: false }))?.email === people.ann.email;
  assert.equal([await isIn(old), await isIn(renewed)], [false, true]);
  await waitFor(() => assert.ok(checks() > 1, 'it was read again with the new token'));
  assert.ok(screen.getByRole('dialog', { name: 'Account' }));
  assert.not.ok(screen.queryByText('Your account could not be loaded.'));
});

test('a 401 to the old token while it is being replaced throws nobody out', async () => {
  const waiting: (() => void)[] = [];
  const held = (_name: string, ...rest: unknown[]) => {
    const work = rest.at(-1) as () => Promise<unknown>;
    const turn = (last ?? Promise.resolve()).then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  let last: Promise<unknown> | undefined;
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request: held } });
  try {
    const refusedOld: string[] = [];
    let other = '';
    const line: typeof fetch = async (url, init) => {
      if (url.endsWith('/auth/sessions')) other ||= await tokenOf('ann');
      const answer = await fetch(url, init);
      if (answer.status === 401) refusedOld.push(url);
      // the server has replaced it, the app does not know yet
      if (url.endsWith('/auth/password')) await new Promise<void>((resolve) => waiting.push(resolve));
      return answer;
    };
    const { screen, of: password } = await open('Password', { fetch: line });
    change(password, PASSWORD, NEW);
    await waitFor(() => assert.is(waiting.length, 1));
    fireEvent.click(await (await part(screen, 'Sessions')).findByRole('button', { name: 'End' }));
    await answer(screen, 'End this session?', 'End');
    await waitFor(() => assert.is(refusedOld.length, 1));
    waiting[0]!();
    await screen.findByText('Password changed');
    assert.ok(localStorage.getItem('token'));
    assert.is(await services.sessions.findCaller(sql, other, { isActivity: true }), null);
  } finally {
    Reflect.deleteProperty(navigator, 'locks');
  }
});

test('with two-factor sign-in a new password takes a code', async () => {
  const { screen, of: password } = await open('Password', { before: factorOfAnn });
  await password.findByLabelText('Code');
  change(password, PASSWORD, NEW, { Code: '000000' });
  await screen.findByText(CODE_WRONG);
  fill(password, { Code: RECOVERY_CODE }, 'Change password');
  await screen.findByText('Password changed');
  assert.ok((await login('ann', SECOND_RECOVERY_CODE, NEW)).access_token);
});

test('the sessions are listed, this one marked; each other can be ended, or all', async () => {
  const before = async () => {
    for (const browser of ['Firefox on Linux', 'Safari on iOS', 'Chrome on Android'])
      await services.sessions.start(sql, people.ann.id, '10.0.0.1', { browser });
  };
  const { screen, of: list } = await open('Sessions', { before });
  await list.findByText('Safari on iOS');
  assert.is(list.getAllByText('This session').length, 1);
  const safari = await rowOf(list, 'Safari on iOS');
  assert.ok(safari.getByText('10.0.0.1'));
  press(safari, 'End');
  await screen.findByText('Safari on iOS, 10.0.0.1');
  await answer(screen, 'End this session?', 'Cancel');
  press(safari, 'End');
  await answer(screen, 'End this session?', 'End');
  await screen.findByText('Session ended');
  await waitFor(() => assert.not.ok(list.queryByText('Safari on iOS')));
  press(list, 'Sign out other sessions');
  await screen.findByText('2 sessions: Chrome on Android, 10.0.0.1; Firefox on Linux, 10.0.0.1');
  await answer(screen, 'Sign out other sessions?', 'Sign out');
  await screen.findByText('All other sessions ended');
  await waitFor(() => assert.not.ok(list.queryByText('Firefox on Linux')));
  assert.is((await sql`select 1 from sessions`).length, 1);
  assert.ok((list.getByRole('button', { name: 'Sign out other sessions' }) as HTMLButtonElement).disabled);
});

test('two-factor sign-in is turned on with a scan and a code, and the recovery codes are shown once', async () => {
  const { of: factor } = await open('Two-factor sign-in');
  fill(factor, { Password: PASSWORD }, 'Set up');
  const picture = await factor.findByRole('img', { name: 'QR code for the authenticator app' });
  assert.match(picture.querySelector('path')?.getAttribute('d') ?? '', /^M4 4\.5h7/);
  const secret = /secret=([A-Z2-7]+)/.exec(factor.getByRole('link').getAttribute('href') ?? '')?.[1] ?? '';
  fill(factor, { Code: '000000' }, 'Turn on');
  await factor.findByText('That code is wrong. Enter the code that your authenticator app shows now');
  fill(factor, { Code: currentCode(secret) }, 'Turn on');
  const list = await factor.findByRole('list', { name: 'Recovery codes' });
  const codes = within(list)
    .getAllByText(/^\d{4}(-\d{4}){3}$/)
    .map((item) => item.textContent ?? '');
  assert.is(codes.length, 10);
  press(factor, 'I have saved them');
  await factor.findByText(/Recovery codes left: 10\./);
  assert.not.ok(factor.queryByRole('list'));
  assert.is(await refused(login('ann')), 401);
  assert.ok((await login('ann', codes[3])).access_token);
});

test('on, it gives new recovery codes and is turned off, each with password and code', async () => {
  let secret = '';
  const before = async () => {
    secret = await withFactor('ann');
  };
  const { of: factor } = await open('Two-factor sign-in', { before });
  fill(factor, { Password: PASSWORD, Code: '000000' }, 'Turn off');
  await factor.findByText(CODE_WRONG);
  fill(factor, { Code: RECOVERY_CODE }, 'New recovery codes');
  await factor.findByRole('list', { name: 'Recovery codes' });
  press(factor, 'I have saved them');
  await factor.findByText(/Recovery codes left: 10\./);
  fill(factor, { Password: PASSWORD, Code: SECOND_RECOVERY_CODE }, 'Turn off');
  await factor.findByText(CODE_WRONG); // replaced
  fill(factor, { Code: currentCode(secret) }, 'Turn off');
  await factor.findByRole('button', { name: 'Set up' });
  assert.ok((await login('ann')).access_token);
});

test('where it is required it is not offered to turn it off', async () => {
  const { of: factor } = await open('Two-factor sign-in', {
    before: async () => {
      await withFactor('ann');
      await sql`update tenants set require_two_factor = true where id = 2`;
    },
  });
  await factor.findByText(/It is required for this account\./);
  assert.not.ok(factor.queryByRole('button', { name: 'Turn off' }));
});

test("a super admin resets an admin's second factor, after a question", async () => {
  const screen = await openScreen(<Admins />, 'sue', { path: '/admins?tenant=2', before: factorOfAnn });
  const button = await screen.findByRole('button', { name: 'Reset two-factor' });
  const token = await tokenOf('ann'),
    question = 'Reset two-factor sign-in for this admin?';
  fireEvent.click(button);
  await screen.findByText('ann@acme.test. All their sessions will end.');
  await answer(screen, question, 'Cancel');
  assert.is((await sql`select 1 from two_factor`).length, 1);
  fireEvent.click(button);
  await answer(screen, question, 'Reset');
  await screen.findByText('Two-factor sign-in reset');
  await waitFor(() => assert.not.ok(screen.queryByRole('button', { name: 'Reset two-factor' })));
  assert.is(await services.sessions.findCaller(sql, token, { isActivity: true }), null);
});

test('a tenant can be made to require it, and only a change of that is sent', async () => {
  const screen = await openScreen(<Tenants />, 'sue');
  const edit = async () => opens((await rowOf(screen, 'Acme')).getByText('Edit'), 'Edit Tenant');
  const save = async (dialog: Within) => {
    press(dialog, 'Save');
    await closed(screen);
  };
  const first = await edit();
  fireEvent.click(first.getByLabelText('Require two-factor sign-in'));
  await save(first);
  const second = await edit();
  assert.ok((second.getByLabelText('Require two-factor sign-in') as HTMLInputElement).checked);
  await save(second);
  assert.equal(partsOf(screen.writes(), 'body'), [
    { name: 'Acme', description: 'Arcade', require_two_factor: true },
    { name: 'Acme', description: 'Arcade' },
  ]);
});

test.run();
