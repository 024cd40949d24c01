import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { unmasked } from '../../../../src/app/parts/SecretField';
import { Platforms } from '../../../../src/app/screens/platforms/Platforms';
import { runInPool } from '../../../../src/app/screens/platforms/useAssignments';
import { MASK } from '../../../../src/contract/constants';
import { sue } from '../../../callers';
import { closeScreen, openScreen, type Screen } from '../../../screen';
import { sql } from '../../../world';
import { fieldValue, fill, headsOf, isDisabled, opens, rowOf, sees, type } from '../../controls';
import { at, noNetwork, outage, partsOf, respondWith, sentTo } from '../../network';
import { answer } from '../../question';

const assignments = (id: number) => sue.listAssignments({ id });

/** Assigns by the screen: platform VBlink to Acme. */
async function assign(screen: Screen, username = 'acme', password = 'first') {
  const button = await (await rowOf(screen, 'VBlink')).findByText('Assign to Acme');
  const dialog = await opens(button, 'Platform Credentials');
  fill(dialog, { Username: username, Password: password }, 'Save');
  await (await rowOf(screen, 'VBlink')).findByLabelText('Unassign Acme');
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
}

test('every platform shows by its display name, with a button for each tenant but the first', async () => {
  const screen = await openScreen(<Platforms />, 'sue');
  const row = await rowOf(screen, 'Golden Dragon');
  await sees(row, 'Assign to Acme', 'Assign to Bravo');
  assert.ok(row.getByText('Yes'));
  assert.is(screen.queryByText('Assign to Platform'), null);
  assert.is(headsOf(screen), 'ID, Name, Description, Active, Assignments');
  assert.is(screen.getAllByText('Assign to Acme').length, 11);
});

test('with another server the first tenant has a button too: only the table of tenants leaves it out', async () => {
  const screen = await openScreen(<Platforms />, 'sue', { instead: at('/tenants/1/platforms/', []), features: [] });
  await (await rowOf(screen, 'Golden Dragon')).findByText('Assign to Platform');
});

test('Assign asks for credentials; saving them assigns, says so and shows what can be done next', async () => {
  const screen = await openScreen(<Platforms />, 'sue');
  const assign = await (await rowOf(screen, 'VBlink')).findByText('Assign to Acme');
  assign.focus();
  const dialog = await opens(assign, 'Platform Credentials');
  const save = dialog.getByText('Save');
  assert.ok(isDisabled(save));
  type(dialog.getByLabelText('Username'), 'acme');
  assert.ok(isDisabled(save));
  type(dialog.getByLabelText('Password'), 'secret word');
  assert.not(isDisabled(save));
  type(dialog.getByLabelText('Username'), '   ');
  assert.ok(isDisabled(save), 'blanks are no username');
  type(dialog.getByLabelText('Username'), 'acme');
  const before = sentTo(screen, '/platforms/').length;
  fireEvent.click(save);
  assert.ok(isDisabled(save), 'locked while saving');
  fireEvent.click(save);

  await screen.findByText('Credentials updated');
  const row = await rowOf(screen, 'VBlink');
  await row.findByLabelText('Edit credentials for Acme');
  assert.ok(row.getByLabelText('Unassign Acme'));
  assert.is(row.queryByText('Assign to Acme'), null);
  const focused = () => document.activeElement?.getAttribute('aria-label');
  await waitFor(() => assert.is(focused(), 'Edit credentials for Acme', 'it stays where the button was'));
  await row.findByText('Assign to Bravo');
  const [platform] = await sql`select id from platforms where name = 'vblink'`;
  assert.equal(partsOf(screen.writes(), 'path', 'body'), [
    [`/api/v1/admin/tenants/2/platforms/${platform!['id']}/credentials`, { username: 'acme', password: 'secret word' }],
  ]);
  assert.is(sentTo(screen, '/platforms/').length, before + 1, 'only the tenant concerned is asked again');
  const [kept, ...others] = await assignments(2);
  assert.equal([kept?.platform_id, kept?.is_active, kept?.credentials.username], [platform!['id'], true, 'acme']);
  assert.equal(others, []);
  assert.equal(await assignments(3), []);
});

test('editing shows the username and a masked password, which sent back keeps what is stored', async () => {
  const screen = await openScreen(<Platforms />, 'sue');
  await assign(screen);
  const [before] = await sql`select password_secret from tenant_platforms where tenant_id = 2`;
  const dialog = await opens(screen.getByLabelText('Edit credentials for Acme'), 'Platform Credentials');
  assert.is(fieldValue(dialog.getByLabelText('Username')), 'acme');
  assert.is(fieldValue(dialog.getByLabelText('Password')), MASK);
  assert.is((dialog.getByLabelText('Password') as HTMLInputElement).type, 'password');
  fill(dialog, { Username: 'acme2' }, 'Save');
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  const [after] = await sql`select username, password_secret from tenant_platforms where tenant_id = 2`;
  assert.equal(after, { username: 'acme2', password_secret: before!['password_secret'] });
});

test('typing behind a mask replaces it as a whole', async () => {
  const screen = await openScreen(<Platforms />, 'sue');
  await assign(screen);
  fireEvent.click(screen.getByLabelText('Edit credentials for Acme'));
  const password = screen.getByLabelText('Password');
  type(password, `${MASK}n`);
  type(password, `${fieldValue(password)}ew`);
  fireEvent.click(screen.getByText('Save'));
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  assert.equal(screen.writes().at(-1)!.body, { username: 'acme', password: 'new' });

  assert.is(unmasked(MASK, MASK.slice(1)), '', 'deleting one of its characters empties the field');
  assert.is(unmasked('a•b', 'a•bc'), 'a•bc', 'a dot of the password itself stays');
});

const UNASSIGN = 'Unassign VBlink from Acme?';
test('Unassign takes the platform away and offers it again with the credentials kept', async () => {
  const screen = await openScreen(<Platforms />, 'sue');
  await assign(screen);
  fireEvent.click(screen.getByLabelText('Unassign Acme'));
  await answer(screen, UNASSIGN, 'Cancel');
  assert.is((await assignments(2))[0]!.is_active, true, 'asked first, and not done');
  fireEvent.click(screen.getByLabelText('Unassign Acme'));
  await answer(screen, UNASSIGN, 'Unassign');
  await screen.findByText('Platform unassigned from tenant');
  const row = await rowOf(screen, 'VBlink');
  fireEvent.click(await row.findByText('Assign to Acme'));
  assert.is((await assignments(2))[0]!.is_active, false);
  assert.is(fieldValue(screen.getByLabelText('Username')), 'acme');
  fireEvent.click(screen.getByText('Save'));
  await row.findByLabelText('Unassign Acme');
});

test('a server without reasons is not asked about: Unassign takes the platform away at once', async () => {
  const screen = await openScreen(<Platforms />, 'sue', { features: [] });
  await assign(screen);
  fireEvent.click(screen.getByLabelText('Unassign Acme'));
  await screen.findByText('Platform unassigned from tenant');
});

test('a failed unassign says so and leaves the platform assigned', async () => {
  const screen = await openScreen(<Platforms />, 'sue', { instead: at('/deactivate', noNetwork) });
  await assign(screen);
  fireEvent.click(screen.getByLabelText('Unassign Acme'));
  await answer(screen, UNASSIGN, 'Unassign');
  await screen.findByText('Failed to unassign platform');
  assert.ok(screen.getByLabelText('Unassign Acme'));
  assert.is((await assignments(2))[0]!.is_active, true);
});

test('when the assignments of one tenant cannot be fetched, the others show and that one claims nothing', async () => {
  const broken = outage('/tenants/3/platforms/');
  const screen = await openScreen(<Platforms />, 'sue', broken);
  await screen.findByText('Failed to fetch platform assignments');
  const row = await rowOf(screen, 'VBlink');
  assert.ok(row.getByText('Assign to Acme'));
  assert.is(row.queryByText('Assign to Bravo'), null);
  broken.isDown = false;
  fireEvent.click(screen.getByText('Retry assignments'));
  await row.findByText('Assign to Bravo');
  assert.is(screen.queryByText('Retry assignments'), null);
});

test('a hundred tenants are asked a few at a time and can be filtered, and the address keeps the filter', async () => {
  let now = 0,
    most = 0;
  const tenants = Array.from({ length: 100 }, (_, n) => ({ id: n + 1, name: `Tenant ${n + 1}`, is_active: true }));

  const screen = await openScreen(<Platforms />, 'sue', {
    instead: async ({ path }) => {
      if (path.endsWith('/admin/tenants/')) return respondWith(tenants);
      if (path.endsWith('/platforms/all')) return respondWith([{ id: 5, name: 'yolo' }]);
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 2));
      now--;
      return respondWith([]);
    },
    path: '/platforms?tenant=77',
  });
  await screen.findByText('Assign to Tenant 77');
  assert.is(screen.getAllByText(/^Assign to/).length, 1);
  assert.is(screen.sent.filter(({ path }) => /\/tenants\/\d+\/platforms\/$/.test(path)).length, 99);
  assert.ok(most <= 6, `${most} at once`);
  type(screen.getByLabelText('Filter tenants'), '');
  assert.is(screen.getAllByText(/^Assign to/).length, 99);
  assert.is(location.search, '');
  type(screen.getByLabelText('Filter tenants'), 'no such');
  assert.ok(screen.getByText('No tenant matches.'));
});

test('a failed job stops no other, and is told at the end', async () => {
  const done: number[] = [];
  const failed = await runInPool([1, 2, 3, 4, 5], 2, async (job) => {
    if (job === 2) throw new Error('two');
    done.push(job);
  }).then(
    () => '',
    (error: Error) => error.message,
  );
  assert.is(failed, 'two');
  assert.equal(done, [1, 3, 4, 5]);
});

test.after(closeScreen);
test.run();
