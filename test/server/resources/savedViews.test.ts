/** Views are kept for their owner alone (docs/extras/lists.md, "Saved views"). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SAVED_VIEWS_MAX } from '../../../src/contract/constants';
import { permissions } from '../../../src/contract/permissions';
import { isRefused, table } from '../../answers';
import { readAuditLog } from '../../audit';
import { ann, sue } from '../../callers';
import { as, pam, people, refusal, reset, sql } from '../../world';

const allow = (id: number, held: readonly string[]) =>
  sql`update admins set permissions = ${[...held]} where id = ${id}`;
const view = { list: 'redeems', name: 'Large ones', query: 'status=pending&min=500' } as const;
/** Oli becomes a colleague of Ann's. */
async function hireOli() {
  await sql`update admins set role_id = 2 where id = ${people.oli.id}`;
  await allow(people.oli.id, ['queue']);
  return as('oli');
}

test.before.each(reset);

test('a private view is there for its owner alone, in its list alone', async () => {
  const oli = await hireOli();
  const made = await oli.createSavedView({ body: view });
  assert.equal(made, { id: made.id, ...view });
  assert.equal(await oli.listSavedViews({ list: 'redeems' }), [made]);
  assert.equal(await oli.listSavedViews({ list: 'users' }), []);
  assert.equal(await ann.listSavedViews({ list: 'redeems' }), []);
  const gone = { status: 404, detail: 'View not found' };
  assert.equal(await refusal(ann.deleteSavedView({ id: made.id })), gone);
  await oli.deleteSavedView({ id: made.id });
  assert.equal(await oli.listSavedViews({ list: 'redeems' }), []);
});

test('super admins have views of their own', async () => {
  const made = await sue.createSavedView({ body: view });
  assert.equal(await sue.listSavedViews({ list: 'redeems' }), [made]);
  assert.equal(await ann.listSavedViews({ list: 'redeems' }), []);
});

test('a name is taken once in a list, and nobody has more views than the most', async () => {
  await ann.createSavedView({ body: view });
  const taken = { status: 409, detail: 'You have a view with this name already' };
  assert.equal(await refusal(ann.createSavedView({ body: { ...view, name: 'LARGE ones' } })), taken);
  const users = await ann.createSavedView({ body: { ...view, list: 'users' } });
  assert.ok(users.id);
  await sql`
    insert into saved_views (tenant_id, admin_id, list, name, query)
    select 2, ${people.ann.id}, 'users', 'view ' || n, '' from generate_series(3, ${SAVED_VIEWS_MAX}) n`;
  const words = `You have ${SAVED_VIEWS_MAX} views, which is the most`;
  await isRefused(ann.createSavedView({ body: { ...view, name: 'One more' } }), 409, words);
  await isRefused(ann.createSavedView({ body: { ...view, name: 'x'.repeat(61) } }), 422);
  await isRefused(ann.createSavedView({ body: { ...view, query: 'x'.repeat(1001) } }), 422);
  await isRefused(ann.createSavedView({ body: { ...view, name: ' ' } }), 422);
});

test('the audit log has the list, but neither name nor filters', async () => {
  const { id } = await ann.createSavedView({ body: view });
  await ann.deleteSavedView({ id });
  const entries = (await readAuditLog()).filter(({ kind }) => kind === 'saved view');
  assert.equal(table(entries, 'call', 'object_id', 'tenant_id', 'before', 'after'), [
    ['createSavedView', String(id), 2, null, { list: 'redeems' }],
    ['deleteSavedView', String(id), 2, { list: 'redeems' }, null],
  ]);
});

test('a view that searches for a deleted player goes with the player', async () => {
  await allow(people.ann.id, permissions);
  await ann.createSavedView({ body: { ...view, query: new URLSearchParams({ text: pam.email }).toString() } });
  await sue.createSavedView({ body: { ...view, query: `tenant=2&text=${pam.email}` } });
  await ann.createSavedView({ body: { ...view, name: `VIP (${pam.email})`, query: '' } });
  // of somebody else whose e-mail ends alike, and of a super admin about every tenant
  const alike = await ann.createSavedView({ body: { ...view, name: 'Alike', query: `text=my-${pam.email}` } });
  const everywhere = await sue.createSavedView({ body: { ...view, name: 'All', query: `text=${pam.email}` } });
  const other = await ann.createSavedView({ body: { ...view, name: 'Others', query: 'text=pat%40mail.test' } });
  await sql`update redeems set status = 'failed', completed_at = now() where id = ${pam.redeem}`;
  await sql`update transactions set status = 'failed', completed_at = now() where id = ${pam.purchase}`;
  await sql`update wallets set held_balance = 0 where player_id = ${pam.id}`;
  await ann.deletePlayer({ id: pam.id });
  assert.equal(await ann.listSavedViews({ list: 'redeems' }), [alike, other]);
  assert.equal(await sue.listSavedViews({ list: 'redeems' }), [everywhere]);
  const entry = (await readAuditLog()).at(-1);
  assert.is((entry!.after as { saved_views_removed?: number }).saved_views_removed, 3);
});

test.run();
