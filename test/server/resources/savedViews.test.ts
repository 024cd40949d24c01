/** Views are kept for their owner, and shared with the team by whoever may (docs/extras/lists.md, "Saved views"). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SAVED_VIEWS_MAX } from '../../../src/contract/constants';
import { permissions } from '../../../src/contract/permissions';
import { readAuditLog } from '../../audit';
import { as, pam, people, refusal, reset, sql } from '../../world';

const allow = (id: number, held: readonly string[]) =>
  sql`update admins set permissions = ${[...held]} where id = ${id}`;
const SETTINGS = { status: 403, detail: 'You need the permission Settings for this' };
const view = { list: 'redeems', name: 'Large ones', query: 'status=pending&min=500', is_shared: false } as const;
/** Oli becomes a colleague of Ann's who may not share. */
async function hireOli() {
  await sql`update admins set role_id = 2 where id = ${people.oli.id}`;
  await allow(people.oli.id, ['queue']);
  return as('oli');
}

test.before.each(reset);

test('a private view is there for its owner alone, in its list alone', async () => {
  const ann = await as('ann'),
    oli = await hireOli();
  const made = await oli.createSavedView({ body: view });
  assert.equal(made, { id: made.id, ...view, is_own: true, may_change: true, by: people.oli.email });
  assert.equal(await oli.listSavedViews({ list: 'redeems' }), [made]);
  assert.equal(await oli.listSavedViews({ list: 'users' }), []);
  assert.equal(await ann.listSavedViews({ list: 'redeems' }), []);
  const gone = { status: 404, detail: 'View not found' };
  assert.equal(await refusal(ann.updateSavedView({ id: made.id, body: { name: 'Mine' } })), gone);
  assert.equal(await refusal(ann.deleteSavedView({ id: made.id })), gone);
  await oli.deleteSavedView({ id: made.id });
  assert.equal(await oli.listSavedViews({ list: 'redeems' }), []);
});

test('a shared view is seen by the team, and changed by whoever may change settings', async () => {
  const ann = await as('ann'),
    oli = await hireOli();
  const body = { ...view, is_shared: true };
  assert.equal(await refusal(oli.createSavedView({ body })), SETTINGS);
  const own = await oli.createSavedView({ body: view });
  assert.equal(await refusal(oli.updateSavedView({ id: own.id, body: { is_shared: true } })), SETTINGS);

  const made = await ann.createSavedView({ body });
  const seen = (await oli.listSavedViews({ list: 'redeems' })).find(({ id }) => id === made.id);
  assert.equal([seen?.is_own, seen?.may_change, seen?.by, seen?.query], [false, false, people.ann.email, view.query]);
  assert.equal(await refusal(oli.updateSavedView({ id: made.id, body: { name: 'Mine' } })), SETTINGS);
  assert.equal(await refusal(oli.deleteSavedView({ id: made.id })), SETTINGS);
  assert.equal(await (await as('ben')).listSavedViews({ list: 'redeems' }), []);
  assert.equal(await (await as('sue')).listSavedViews({ list: 'redeems' }), []);

  await allow(people.oli.id, ['settings']);
  assert.is((await oli.updateSavedView({ id: made.id, body: { name: 'All large ones' } })).name, 'All large ones');
  await oli.deleteSavedView({ id: made.id });
  assert.equal(await ann.listSavedViews({ list: 'redeems' }), []);
});

test('super admins have views of their own', async () => {
  const sue = await as('sue');
  const made = await sue.createSavedView({ body: { ...view, is_shared: true } });
  assert.equal(await sue.listSavedViews({ list: 'redeems' }), [made]);
  assert.equal(await (await as('ann')).listSavedViews({ list: 'redeems' }), []);
});

test('a name is taken once in a list, and nobody has more views than the most', async () => {
  const ann = await as('ann');
  await ann.createSavedView({ body: view });
  const taken = { status: 409, detail: 'You have a view with this name already' };
  assert.equal(await refusal(ann.createSavedView({ body: { ...view, name: 'LARGE ones' } })), taken);
  const users = await ann.createSavedView({ body: { ...view, list: 'users' } });
  const other = await ann.createSavedView({ body: { ...view, name: 'Others' } });
  assert.equal(await refusal(ann.updateSavedView({ id: other.id, body: { name: view.name } })), taken);
  assert.ok(users.id !== other.id);
  await sql`
    insert into saved_views (tenant_id, admin_id, list, name, query, is_shared)
    select 2, ${people.ann.id}, 'users', 'view ' || n, '', false from generate_series(4, ${SAVED_VIEWS_MAX}) n`;
  assert.equal(await refusal(ann.createSavedView({ body: { ...view, name: 'One more' } })), {
    status: 409,
    detail: `You have ${SAVED_VIEWS_MAX} views, which is the most`,
  });
  assert.is((await refusal(ann.createSavedView({ body: { ...view, name: 'x'.repeat(61) } }))).status, 422);
  assert.is((await refusal(ann.createSavedView({ body: { ...view, query: 'x'.repeat(1001) } }))).status, 422);
  assert.is((await refusal(ann.createSavedView({ body: { ...view, name: ' ' } }))).status, 422);
});

test('the audit log tells what was shared, without the words that somebody searched for', async () => {
  const ann = await as('ann');
  const body = { ...view, query: `text=${encodeURIComponent(pam.email)}&status=failed` };
  const { id } = await ann.createSavedView({ body });
  await ann.updateSavedView({ id, body: { is_shared: true } });
  await ann.deleteSavedView({ id });
  const entries = (await readAuditLog()).filter(({ kind }) => kind === 'saved view');
  assert.equal(
    entries.map(({ call, object_id, tenant_id, before, after }) => [call, object_id, tenant_id, before, after]),
    [
      ['createSavedView', String(id), 2, null, { list: 'redeems', is_shared: false }],
      [
        'updateSavedView',
        String(id),
        2,
        { is_shared: false },
        { is_shared: true, name: 'Large ones', filters: 'status=failed' },
      ],
      [
        'deleteSavedView',
        String(id),
        2,
        { list: 'redeems', name: 'Large ones', is_shared: true, filters: 'status=failed' },
        null,
      ],
    ],
  );
});

test('a view that searches for a deleted player goes with the player', async () => {
  const ann = await as('ann'),
    sue = await as('sue');
  await allow(people.ann.id, permissions);
  await ann.createSavedView({ body: { ...view, query: new URLSearchParams({ text: pam.email }).toString() } });
  await sue.createSavedView({ body: { ...view, query: `text=${pam.email}` } });
  const other = await ann.createSavedView({ body: { ...view, name: 'Others', query: 'text=pat%40mail.test' } });
  await sql`update redeems set status = 'failed', completed_at = now() where id = ${pam.redeem}`;
  await sql`update transactions set status = 'failed', completed_at = now() where id = ${pam.purchase}`;
  await sql`update wallets set held_balance = 0 where player_id = ${pam.id}`;
  await ann.deletePlayer({ id: pam.id });
  assert.equal(await ann.listSavedViews({ list: 'redeems' }), [other]);
  assert.equal(await sue.listSavedViews({ list: 'redeems' }), []);
});

test.run();
