import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../../src/app/App';
import { type Permission, permissions } from '../../../../src/contract/permissions';
import { hire } from '../../../callers';
import { closeScreen, type Options, openScreen } from '../../../screen';
import { withFactor } from '../../../twoFactor';
import { fetch, guest, PASSWORD, pam, people, services, sql } from '../../../world';
import { field, fill, opens, textsOf, type } from '../../controls';
import { at, nonsense } from '../../network';

async function openTeam(own: readonly Permission[], options: Options = {}) {
  const screen = await openScreen(<App />, 'ann', { ...options, path: '/users', permissions: own });
  const dialog = await opens(await screen.findByRole('button', { name: 'Team' }), 'Team');
  await dialog.findByText('ann@acme.test');
  return { screen, dialog };
}
const cells = (dialog: Awaited<ReturnType<typeof openTeam>>['dialog']) =>
  dialog
    .getAllByRole('row')
    .slice(1)
    .map((row) => textsOf(within(row).getAllByRole('cell')));

test('a colleague is added with a preset, is listed, and can sign in', async () => {
  const { screen, dialog } = await openTeam(permissions);
  const [own] = cells(dialog);
  assert.match(own!.splice(4, 1)[0]!, /^[A-Z]\w\w \d+, \d/, 'the last sign-in');
  assert.equal(own, ['ann@acme.test', 'All permissions', 'Yes', 'Off', 'You']);
  fireEvent.click(dialog.getByText('Add Colleague'));
  type(await dialog.findByLabelText('Email'), 'bob@acme.test');
  type(dialog.getByLabelText('Password'), 'A-secret-1');
  assert.is(field(dialog.getByLabelText('Job')).value, 'Cashier', 'what most colleagues are');
  type(dialog.getByLabelText('Job'), 'Support');
  fireEvent.click(dialog.getByRole('checkbox', { name: /^Export/ }));
  assert.is(field(dialog.getByLabelText('Job')).value, '', 'chosen below');
  fill(dialog, { 'Your password': 'wrong' }, 'Add');
  await screen.findByText('Failed to save the colleague');
  assert.is(field(dialog.getByLabelText('Email')).value, 'bob@acme.test', 'what was typed stays');
  fill(dialog, { 'Your password': PASSWORD }, 'Add');
  await screen.findByText('Colleague added');
  await dialog.findByText('bob@acme.test');
  assert.equal(cells(dialog)[1], ['bob@acme.test', 'Support, Export', 'Yes', 'Off', 'Not in 90 days', 'Edit']);
  assert.ok(await guest.login({ body: { email: 'bob@acme.test', password: 'A-secret-1' } }));
  assert.not.match(screen.container.textContent ?? '', nonsense);
});

test('a code is asked of those who have one, and of anybody while that is not known', async () => {
  let answers = 0;
  const line: NonNullable<Options['fetch']> = async (url, init) => {
    const answer = await fetch(url, init);
    if (url.endsWith('/auth/account')) answers++;
    return answer;
  };
  const add = async (options: Options) => {
    const { dialog } = await openTeam(permissions, options);
    fireEvent.click(dialog.getByText('Add Colleague'));
    await dialog.findByLabelText('Your password');
    return dialog;
  };
  const without = await add({ fetch: line });
  await waitFor(() => assert.is(answers, 1));
  fill(without, { Email: 'bob@acme.test', Password: 'A-secret-1', 'Your password': 'wrong' }, 'Add');
  await within(document.body).findByText('Failed to save the colleague');
  assert.is(without.queryByLabelText('Code'), null);
  const needed = await (await add({ before: () => withFactor('ann') })).findByLabelText('Code');
  assert.ok(needed.hasAttribute('required'));
  const down = await add({ instead: at('/auth/account', { detail: 'no' }, 500) });
  assert.not.ok((await down.findByLabelText('Code')).hasAttribute('required'));
});

test('a colleague is invited without a password, where the server sends links', async () => {
  const before = async () => {
    services.outgoing = { hasEmail: true, hasLinks: true, mayBeOwn: false };
    await sql`update tenants set mail_links = true where id = 2`;
  };
  const { screen, dialog } = await openTeam(permissions, { before, features: ['permissions', 'mail_links'] });
  fireEvent.click(dialog.getByText('Add Colleague'));
  type(await dialog.findByLabelText('Email'), 'bob@acme.test');
  fireEvent.click(dialog.getByRole('switch', { name: /^Invite by email/ }));
  assert.is(dialog.queryByLabelText('Password'), null);
  fill(dialog, { 'Your password': PASSWORD }, 'Add');
  await screen.findByText('Colleague added');
  assert.equal([...(await sql`select kind, email from mail_queue`)], [{ kind: 'invitation', email: 'bob@acme.test' }]);
});

test('networks that do not have the own address are refused in words, and an empty list is saved', async () => {
  const { screen, dialog } = await openTeam(permissions);
  fireEvent.click(dialog.getByRole('button', { name: 'Networks' }));
  type(await screen.findByLabelText('Allowed networks'), '192.0.2.0/24, 2001:db8::/32');
  fill(screen, { 'Your password': PASSWORD }, 'Save');
  await screen.findAllByText(/^Your own address, unknown, must be in one of the networks/);
  fill(screen, { 'Allowed networks': '' }, 'Save');
  await screen.findByText('Networks saved');
});

test('a colleague gets other permissions, and may no longer sign in', async () => {
  const { screen, dialog } = await openTeam(permissions, { before: () => hire('bob@acme.test', ['queue']) });
  fireEvent.click(await dialog.findByRole('button', { name: 'Edit bob@acme.test' }));
  fireEvent.click(await dialog.findByRole('checkbox', { name: /^Queue/ }));
  fireEvent.click(dialog.getByRole('checkbox', { name: /^Money/ }));
  fireEvent.click(dialog.getByRole('switch', { name: 'May sign in' }));
  fill(dialog, { 'Your password': PASSWORD }, 'Save');
  await screen.findByText('Colleague updated');
  const [kept] = await sql`select permissions, is_active from admins where email = 'bob@acme.test'`;
  assert.equal(kept, { permissions: ['money'], is_active: false });
});

test('what one does not have oneself cannot be given, and who may do more cannot be changed', async () => {
  const before = async () => {
    await hire('boss@acme.test', ['money']);
    const { id } = await hire('al@acme.test');
    await sql`update admins set is_active = false where id = ${id}`;
  };
  const { dialog } = await openTeam(['support', 'team'], { before });
  assert.is(dialog.getAllByRole('row').at(-1)?.className, 'former', 'grey and last');
  const NO = 'Has permissions you do not have';
  assert.equal(cells(dialog).at(-2), ['boss@acme.test', 'Money', 'Yes', 'Off', 'Not in 90 days', NO]);
  fireEvent.click(dialog.getByText('Add Colleague'));
  await dialog.findByLabelText('Job');
  assert.equal(dialog.getAllByRole('checkbox').filter((box) => !field(box).disabled).length, 2);
});

test('without the permission there is no team, and without Settings there are no API keys', async () => {
  const screen = await openScreen(<App />, 'ann', { path: '/users', permissions: ['support'] });
  await screen.findByRole('button', { name: 'Account' });
  assert.is(screen.queryByRole('button', { name: 'Team' }), null);
  assert.is(screen.queryByRole('button', { name: 'API Keys' }), null);
});

test('a permission that somebody took away is gone from the screen after the first refusal', async () => {
  const screen = await openScreen(<App />, 'ann', { path: '/users', permissions });
  await screen.findByText(pam.email);
  assert.ok(screen.getByRole('button', { name: 'Team' }));
  await sql`update admins set permissions = '{support}' where id = ${people.ann.id}`;
  fireEvent.click(screen.getByRole('button', { name: 'Team' }));
  await screen.findByText('Failed to fetch the team');
  await waitFor(() => assert.not.ok(screen.queryByRole('button', { name: 'Team' })));
});

test.after.each(closeScreen);
test.run();
