/** Logins of players at game platforms, from the click to the row (docs/extras/player-logins.md). */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../src/app/screens/users/Users';
import { MASK } from '../../../../src/contract/constants';
import { readAuditLog } from '../../../audit';
import { closeScreen, type Options, openScreen, type Screen } from '../../../screen';
import { as, pam, people, sql } from '../../../world';
import { copied } from '../../clipboard';
import { attributesOf, opens, type } from '../../controls';
import { outage, partsOf } from '../../network';
import { answer } from '../../question';
import { openDialog } from './openDialog';

const PANEL = 'https://panel.test/acme';
const withPanel = () =>
  sql`insert into tenant_platforms (tenant_id, platform_id, is_active, panel_url) values (2, 3, true, ${PANEL})`;
const withLogin = async () => {
  await withPanel();
  const body = { platform_name: 'vblink', platform_username: 'pam1', platform_password: 'pa55' };
  await (await as('sue')).createPlayerCredential({ user_id: pam.id, body });
};
const open = async (before: Options['before'] = withPanel, options: Options = {}) => {
  const screen = await openScreen(<Users />, 'ann', { before, ...options });
  return { screen, dialog: await openDialog(screen, 'Platform Credentials'), writes: screen.writes };
};

async function fill(screen: Screen, username: string, password = '') {
  const form = within(await screen.findByRole('dialog', { name: 'Add login' }));
  await form.findByText('VBlink');
  const add = form.getByRole('button', { name: 'Add' }) as HTMLButtonElement;
  assert.ok(add.disabled);
  type(form.getByLabelText('Platform'), 'vblink');
  type(form.getByLabelText('Username'), username);
  type(form.getByLabelText('Password'), password);
  assert.not(add.disabled);
  fireEvent.click(add);
}
const rows = async () =>
  partsOf(
    [...(await sql`select platform_username as name, is_active from player_credentials order by id`)],
    'name',
    'is_active',
  );

test('a login is added at an active platform, and a second one asks before it replaces it', async () => {
  const { screen, dialog, writes } = await open();
  await dialog.findByText('No platform credentials found for this user.');
  fireEvent.click(dialog.getByText('Add login'));
  await fill(screen, ' pam1 ', 'pa55');
  await screen.findByText('Login added');
  const row = within((await dialog.findByText('pam1')).closest('tr')!);
  for (const text of ['vblink', MASK, 'Yes', 'Edit']) assert.ok(row.getByText(text), text);
  assert.ok(writes()[0]!.headers.get('Idempotency-Key'));

  fireEvent.click(dialog.getByText('Add login'));
  await fill(screen, 'pam2');
  await answer(screen, "Replace 'pam1'?", 'Cancel');
  assert.is(writes().length, 1);
  fireEvent.click(within(screen.getByRole('dialog', { name: 'Add login' })).getByRole('button', { name: 'Add' }));
  await answer(screen, "Replace 'pam1'?", 'Replace');
  await dialog.findByText('pam2');
  assert.equal(await rows(), [
    ['pam1', false],
    ['pam2', true],
  ]);
});

test('a login is switched off and on; the other way round asks', async () => {
  const { screen, dialog } = await open(withLogin);
  const control = () => dialog.getByRole('switch', { name: 'pam1 at vblink is active' }) as HTMLInputElement;
  await dialog.findByText('pam1');
  fireEvent.click(control());
  await screen.findByText('Login switched off');
  await waitFor(() => assert.not(control().checked));
  await (await as('ann')).createPlayerCredential({
    user_id: pam.id,
    body: { platform_name: 'vblink', platform_username: 'pam2' },
  });
  fireEvent.click(control());
  await screen.findByText('Failed to switch the login');
  await dialog.findByText('pam2');
  await waitFor(() => assert.not(control().disabled));
  fireEvent.click(control());
  await answer(screen, "Replace 'pam2'?", 'Replace');
  await screen.findByText('Login switched on');
  assert.equal(await rows(), [
    ['pam1', true],
    ['pam2', false],
  ]);
});

test('user name and password are copied, the panel opens without a referrer, and the copy is audited', async () => {
  const { screen, dialog } = await open(withLogin);
  const texts = copied();
  fireEvent.click(await dialog.findByRole('button', { name: 'Copy Username' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Copy Password' }));
  await screen.findByText('Password copied');
  assert.equal(texts, ['pam1', 'pa55']);
  assert.not.match(screen.container.ownerDocument.body.innerHTML, /pa55/);
  const [entry] = (await readAuditLog()).slice(-1);
  assert.equal([entry?.call, entry?.email, entry?.player_id], ['copyPlayerPassword', people.ann.email, pam.id]);
  const link = dialog.getByRole('link', { name: 'Open panel' }) as HTMLAnchorElement;
  const attributes = attributesOf(link, 'href', 'target', 'rel', 'referrerpolicy');
  assert.equal(attributes, [PANEL, '_blank', 'noopener noreferrer', 'no-referrer']);
});

test('without the permission Support the list is only read', async () => {
  const { dialog } = await open(withLogin, { permissions: ['queue'] });
  await dialog.findByText('pam1');
  assert.ok(dialog.getByRole('button', { name: 'Copy Username' }));
  for (const name of ['Copy Password', 'Add login', 'Edit'])
    assert.is(dialog.queryByRole('button', { name }), null, name);
  assert.is(dialog.queryByRole('switch'), null);
});

test('platforms that cannot be loaded are asked for again; a tenant without one is told', async () => {
  const down = outage('GET /my-platforms/', { detail: 'down' }, 503);
  const { dialog } = await open(async () => undefined, down);
  const form = await opens(await dialog.findByText('Add login'), 'Add login');
  await form.findByText('Could not be loaded.');
  down.isDown = false;
  fireEvent.click(form.getByText('Retry'));
  await form.findByText('No platform is active for this tenant.');
});

test.after(closeScreen);
test.run();
