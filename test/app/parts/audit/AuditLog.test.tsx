import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../../src/app/App';
import { AuditLog } from '../../../../src/app/parts/audit/AuditLog';
import { TenantScope } from '../../../../src/app/parts/tenantScope';
import { Users } from '../../../../src/app/screens/users/Users';
import { AUDIT_PAGE } from '../../../../src/contract/constants';
import { closeScreen, openScreen } from '../../../screen';
import { as, pam, pat, people } from '../../../world';
import { interceptRequests, interceptRequestsAfter, nonsense, respondWith } from '../../network';
import { field, openDialog, type } from '../../screens/users/openDialog';

const work = async () => {
  await (await as('ann')).adjustBalances({ id: pam.id, body: { credit: 5, reason: 'goodwill', note: 'late payout' } });
  await (await as('sue')).updatePlayer({ id: pat.id, body: { email: pat.email, first_name: 'Patty' } });
};
const rowOf = async (dialog: ReturnType<typeof within>, name: RegExp | string) =>
  within((await dialog.findByText(name)).closest('tr')!);

test('the title bar opens it: who did what to what, what it changed, and why', async () => {
  const line = interceptRequestsAfter(work);
  const screen = await openScreen(<App />, 'sue', { fetch: line.fetch, path: '/tenants' });
  fireEvent.click(await screen.findByRole('button', { name: 'Audit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Audit' }));
  const row = await rowOf(dialog, 'Changed balances');
  for (const words of [
    people.ann.email,
    'Player 1,',
    pam.email,
    'Credit balance: $350.00 → $355.00',
    'Goodwill: late payout',
  ])
    assert.ok(row.getByText(words), words);
  await row.findByText('Acme');
  assert.ok((await rowOf(dialog, 'Changed player')).getByText('First name: Pat → Patty'));
  assert.not.match(screen.container.textContent ?? '', nonsense);
  fireEvent.click(dialog.getByText('Close'));
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
});

test("a tenant's admin sees its own tenant, without a column for it", async () => {
  const line = interceptRequestsAfter(work);
  const screen = await openScreen(<AuditLog onClose={() => {}} />, 'ann', { fetch: line.fetch });
  await screen.findByText('Changed balances');
  assert.not.ok(screen.queryByText('Changed player'));
  assert.not.ok(screen.queryByRole('columnheader', { name: 'Tenant' }));
  assert.not.ok(screen.queryByLabelText('Tenant'));
});

test('the filters narrow it down once the typing rests, and are cleared together', async () => {
  const line = interceptRequestsAfter(work);
  const screen = await openScreen(
    <TenantScope tenantId={undefined} needsTenants={false}>
      <AuditLog onClose={() => {}} />
    </TenantScope>,
    'sue',
    { fetch: line.fetch },
  );
  await screen.findByText('Changed balances');
  type(screen.getByLabelText('Person'), 'sue@');
  await waitFor(() => assert.not.ok(screen.queryByText('Changed balances')));
  assert.ok(screen.getByText('Changed player'));
  fireEvent.change(screen.getByLabelText('Kind'), { target: { value: 'redeem' } });
  await screen.findByText('No entries match.');
  fireEvent.click(screen.getByText('Clear filters'));
  await screen.findByText('Changed balances');
  for (const [label, value] of [
    ['Object ID', String(pam.id)],
    ['From', '2026-01-30'],
    ['To', '2026-01-31'],
  ] as const)
    type(screen.getByLabelText(label), value);
  await screen.findByRole('option', { name: 'Acme' });
  fireEvent.change(screen.getByLabelText('Tenant'), { target: { value: '2' } });
  await waitFor(() =>
    assert.equal(line.sent.at(-1)?.query, { object_id: '1', tenant_id: '2', from: '2026-01-30', to: '2026-01-31' }),
  );
});

test('older entries are a page away, and so is the way back', async () => {
  const line = interceptRequestsAfter(async () => {
    const sue = await as('sue');
    for (let n = 1; n <= AUDIT_PAGE + 1; n++)
      await sue.updatePlayer({ id: pam.id, body: { email: pam.email, first_name: `Pam${n}` } });
  });
  const screen = await openScreen(<AuditLog onClose={() => {}} />, 'sue', { fetch: line.fetch });
  await screen.findByText(`First name: Pam${AUDIT_PAGE} → Pam${AUDIT_PAGE + 1}`);
  assert.ok(field(screen.getByText('Newer')).disabled);
  fireEvent.click(screen.getByText('Older'));
  await screen.findByText('First name: Pam → Pam1');
  assert.not.ok(screen.queryByText(`First name: Pam${AUDIT_PAGE} → Pam${AUDIT_PAGE + 1}`));
  assert.ok(field(screen.getByText('Older')).disabled);
  fireEvent.click(screen.getByText('Newer'));
  await screen.findByText(`First name: Pam${AUDIT_PAGE} → Pam${AUDIT_PAGE + 1}`);
});

test('other filters are asked for from their beginning, and once', async () => {
  const line = interceptRequestsAfter(async () => {
    const sue = await as('sue');
    for (let n = 0; n <= AUDIT_PAGE; n++)
      await sue.updatePlayer({ id: pam.id, body: { email: pam.email, first_name: `Pam${n}` } });
  });
  const screen = await openScreen(<AuditLog onClose={() => {}} />, 'sue', { fetch: line.fetch });
  await waitFor(() => assert.not.ok(field(screen.getByText('Older')).disabled));
  fireEvent.click(screen.getByText('Older'));
  await waitFor(() => assert.not.ok(field(screen.getByText('Newer')).disabled));
  type(screen.getByLabelText('Person'), 'sue@');
  await waitFor(() =>
    assert.ok(field(screen.getByText('Newer')).disabled && !field(screen.getByText('Older')).disabled),
  );
  assert.equal(
    line.sent.filter(({ query }) => 'person' in query).map(({ query }) => query),
    [{ person: 'sue@' }],
  );
});

test("a player's row opens the player's own history", async () => {
  const line = interceptRequestsAfter(work);
  const screen = await openScreen(<Users />, 'sue', { fetch: line.fetch });
  const dialog = await openDialog(screen, 'Audit');
  await dialog.findByText('Changed balances');
  assert.ok(dialog.getByText(pam.email));
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
const showing = (entries: object[]) =>
  interceptRequests(({ path }) => (path.endsWith('/audit') ? respondWith({ entries, next_cursor: null }) : undefined));

test('the two calls of a sign-in are one row, with the second factor; what failed has its own', async () => {
  const ann = { ...signIn, admin_id: 1, email: people.ann.email };
  const calls = [
    { ...ann, id: 4, call: 'loginToTenant', after: { signed_in: true, factor: 'none' } },
    { ...ann, id: 3, after: { signed_in: true, factor: 'totp' } },
    { ...ann, id: 2, call: 'loginToTenant', after: { signed_in: false } },
    { ...ann, id: 1, after: { signed_in: true, factor: 'none' } },
  ];
  const screen = await openScreen(<AuditLog onClose={() => {}} />, 'ann', { fetch: showing(calls).fetch });
  const row = await rowOf(within(screen.container), 'Signed in, and to the tenant');
  row.getByText('Factor: totp');
  assert.ok(screen.getByText('Failed to sign in') && screen.getByText('Signed in'));
});

test('a failed sign-in says that nobody had signed in, and of an unknown account that it is unknown', async () => {
  const screen = await openScreen(<AuditLog onClose={() => {}} />, 'sue', { fetch: showing([signIn]).fetch });
  const row = (await screen.findByText('Failed to sign in')).closest('tr')!;
  assert.match(row.textContent ?? '', /unknown account10.0.0.1, not signed in/);
  assert.not.match(row.textContent ?? '', nonsense);
});

test('a server without it gets no button and no call', async () => {
  const line = interceptRequests();
  const screen = await openScreen(<App />, 'sue', { fetch: line.fetch, path: '/users', features: [] });
  await screen.findByText(pam.email);
  assert.not.ok(screen.queryByText('Audit'));
  assert.is(
    line.sent.some(({ path }) => path.endsWith('/audit')),
    false,
  );
});

test.after(closeScreen);
test.run();
