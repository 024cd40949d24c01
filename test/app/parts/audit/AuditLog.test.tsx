import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../../src/app/App';
import { AuditLog } from '../../../../src/app/parts/audit/AuditLog';
import { TenantScope } from '../../../../src/app/parts/tenantScope';
import { Users } from '../../../../src/app/screens/users/Users';
import { AUDIT_PAGE } from '../../../../src/contract/constants';
import { ann, sue } from '../../../callers';
import { closeScreen, openScreen } from '../../../screen';
import { pam, pat, people } from '../../../world';
import { click, fieldValue, isDisabled, opens, rowOf, type } from '../../controls';
import { at, nonsense } from '../../network';
import { openDialog } from '../../screens/users/openDialog';

const work = async () => {
  await ann.adjustBalances({ id: pam.id, body: { credit: 5, reason: 'goodwill', note: 'late payout' } });
  await sue.updatePlayer({ id: pat.id, body: { email: pat.email, first_name: 'Patty' } });
};

test('the title bar opens it: who did what to what, what it changed, and why', async () => {
  const screen = await openScreen(<App />, 'sue', { before: work, path: '/tenants' });
  const dialog = await opens(await screen.findByRole('button', { name: 'Audit' }), 'Audit');
  const row = await rowOf(dialog, 'Changed balances');
  for (const words of [
    people.ann.email,
    'Player 1,',
    pam.email,
    'Credit balance: $350.00 → $355.00',
    'Reason: Goodwill: late payout',
  ])
    assert.ok(row.getByText(words), words);
  await row.findByText('Acme');
  assert.ok((await rowOf(dialog, 'Changed player')).getByText('First name: Pat → Patty'));
  assert.not.match(screen.container.textContent ?? '', nonsense);
  fireEvent.click(dialog.getByText('Close'));
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
});

test('of an entry with many changes six are shown at once', async () => {
  const after = Object.fromEntries([...'abcdefgh'].map((name) => [name, 1]));
  const entry = { id: 1, at: '2026-01-31T10:00:00.000Z', call: 'updatePlayer', kind: 'player', admin_id: 1, after };
  const change = { ...entry, email: 'a@acme.test', before: after };
  const entries = [change, { ...change, id: 2, call: 'createPlayer', before: null }];
  const screen = await openScreen(<AuditLog onClose={() => {}} />, 'ann', showing(entries));
  const [more, ofNew] = await screen.findAllByText('2 more');
  assert.is(more?.closest('details')?.textContent, '2 moreG: 1 → 1H: 1 → 1');
  const last = screen.getByText('F: 1 → 1');
  assert.ok(last.closest('td') && !last.closest('details'));
  assert.is(ofNew?.closest('details')?.textContent, '2 moreG: 1, H: 1', 'of something new in one line');
  assert.ok(screen.getByText('A: 1, B: 1, C: 1, D: 1, E: 1, F: 1'));
});

test("a tenant's admin sees its own tenant, without a column for it", async () => {
  const screen = await openScreen(<AuditLog onClose={() => {}} />, 'ann', { before: work });
  await screen.findByText('Changed balances');
  assert.not.ok(screen.queryByText('Changed player'));
  assert.not.ok(screen.queryByRole('columnheader', { name: 'Tenant' }));
  assert.not.ok(screen.queryByLabelText('Tenant'));
});

test('the filters narrow it down once the typing rests, and are cleared together', async () => {
  const screen = await openScreen(
    <TenantScope tenantId={undefined} needsTenants={false}>
      <AuditLog onClose={() => {}} />
    </TenantScope>,
    'sue',
    { before: work },
  );
  await screen.findByText('Changed balances');
  assert.is(screen.queryByText(/^Signed in/), null, 'at first it leaves out what would fill the page');
  type(screen.getByLabelText('Person'), 'sue@');
  await waitFor(() => assert.not.ok(screen.queryByText('Changed balances')));
  assert.ok(screen.getByText('Changed player'));
  type(screen.getByLabelText('Person'), 'nobody@');
  await screen.findByText('No entries match. Sign-ins are left out.');
  type(screen.getByLabelText('Person'), 'sue@');
  await screen.findByText('Changed player');
  fireEvent.change(screen.getByLabelText('Kind'), { target: { value: 'redeem' } });
  await screen.findByText('No entries match.');
  fireEvent.change(screen.getByLabelText('Kind'), { target: { value: '' } });
  assert.ok((await screen.findAllByText(/^Signed in/)).length > 0);
  fireEvent.click(screen.getByText('Clear filters'));
  fireEvent.change(screen.getByLabelText('Kind'), { target: { value: '' } });
  for (const [label, value] of [
    ['Object ID', String(pam.id)],
    ['From', '2026-01-30'],
    ['To', '2026-01-31'],
  ] as const)
    type(screen.getByLabelText(label), value);
  await screen.findByRole('option', { name: 'Acme' });
  fireEvent.change(screen.getByLabelText('Tenant'), { target: { value: '2' } });
  await waitFor(() =>
    assert.equal(screen.sent.at(-1)?.query, { object_id: '1', tenant_id: '2', from: '2026-01-30', to: '2026-01-31' }),
  );
});

test('older entries are a page away, and so is the way back; other filters begin anew, and ask once', async () => {
  const newest = `First name: Pam${AUDIT_PAGE} → Pam${AUDIT_PAGE + 1}`;
  const screen = await openScreen(<AuditLog onClose={() => {}} />, 'sue', {
    before: async () => {
      for (let n = 1; n <= AUDIT_PAGE + 1; n++)
        await sue.updatePlayer({ id: pam.id, body: { email: pam.email, first_name: `Pam${n}` } });
    },
  });
  await screen.findByText(newest);
  const isAt = (end: 'Newer' | 'Older') =>
    waitFor(() =>
      assert.equal(
        ['Newer', 'Older'].map((name) => isDisabled(screen.getByText(name))),
        [end === 'Newer', end === 'Older'],
      ),
    );
  await isAt('Newer');
  click(screen, 'Older');
  await screen.findByText('First name: Pam → Pam1');
  assert.not.ok(screen.queryByText(newest));
  await isAt('Older');
  click(screen, 'Newer');
  await screen.findByText(newest);
  click(screen, 'Older');
  await isAt('Older');
  type(screen.getByLabelText('Person'), 'sue@');
  await isAt('Newer');
  assert.equal(
    screen.sent.flatMap(({ query }) => ('person' in query ? [query] : [])),
    [{ person: 'sue@', kind: 'change' }],
  );
});

test('a link begins with its entries, once', async () => {
  const path = `/?tool=Audit&of=player+${pam.id}&tab=redeems`;
  const screen = await openScreen(<App />, 'ann', { before: work, path });
  const dialog = within(await screen.findByRole('dialog', { name: 'Audit' }));
  await dialog.findByText('Changed balances');
  assert.equal(
    [fieldValue(dialog.getByLabelText('Kind')), fieldValue(dialog.getByLabelText('Object ID'))],
    ['player', String(pam.id)],
  );
  assert.is(location.search, '?tab=redeems');
  fireEvent.click(dialog.getByText('Clear filters'));
  await waitFor(() => assert.is(fieldValue(dialog.getByLabelText('Kind')), 'change'));
});

test("a player's row opens the player's own history", async () => {
  const screen = await openScreen(<Users />, 'sue', { before: work });
  const dialog = await openDialog(screen, 'Audit');
  await dialog.findByText('Changed balances');
  assert.ok(dialog.getByText(pam.email));
  assert.is(fieldValue(dialog.getByLabelText('Kind')), '');
  assert.not.ok(dialog.queryByText('Changed player'));
});

const signIn = {
  id: 1,
  at: '2026-01-31T10:00:00.000Z',
  admin_id: null,
  email: '',
  address: '10.0.0.1',
  call: 'login',
  kind: 'sign-in',
  object_id: null,
  player_id: null,
  tenant_id: null,
  before: null,
  after: { signed_in: false },
  reason: null,
  note: null,
  request_id: 'x',
};
const showing = (entries: object[]) => ({ instead: at('/audit', { entries, next_cursor: null }) });

test('the two calls of a sign-in are one row, with the second factor; what failed has its own', async () => {
  const ann = { ...signIn, admin_id: 1, email: people.ann.email };
  const calls = [
    { ...ann, id: 4, call: 'loginToTenant', after: { signed_in: true, factor: 'none' } },
    { ...ann, id: 3, after: { signed_in: true, factor: 'totp' } },
    { ...ann, id: 2, call: 'loginToTenant', after: { signed_in: false } },
    { ...ann, id: 1, after: { signed_in: true, factor: 'none' } },
  ];
  const screen = await openScreen(<AuditLog onClose={() => {}} />, 'ann', showing(calls));
  const row = await rowOf(within(screen.container), 'Signed in, and to the tenant');
  row.getByText('Factor: totp');
  assert.ok(screen.getByText('Failed to sign in') && screen.getByText('Signed in'));
});

test('a failed sign-in says that nobody had signed in, and of an unknown account that it is unknown', async () => {
  const screen = await openScreen(<AuditLog onClose={() => {}} />, 'sue', showing([signIn]));
  const row = (await screen.findByText('Failed to sign in')).closest('tr')!;
  assert.match(row.textContent ?? '', /unknown account10.0.0.1, not signed in/);
  assert.not.match(row.textContent ?? '', nonsense);
});

test.after(closeScreen);
test.run();
