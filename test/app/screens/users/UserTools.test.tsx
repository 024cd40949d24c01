/** Many users at once: each in a call of its own, and a report that says what became of each. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { Profiler, type ReactNode } from 'react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../src/app/screens/users/Users';
import { readAuditLog } from '../../../audit';
import { closeScreen, type Options, openScreen, type Screen } from '../../../screen';
import { addPlayer } from '../../../seed';
import { sql } from '../../../world';
import { cellsOf, fill, press } from '../../controls';
import { partsOf } from '../../network';

test.after.each(closeScreen);

const emails = ['a@mail.test', 'b@mail.test', 'c@mail.test', 'pam@mail.test'];
async function open({ list = <Users tenantId={2} />, ...options }: Options & { list?: ReactNode } = {}) {
  const before = async () => {
    for (const email of emails.slice(0, 3)) await addPlayer(2, { email });
  };
  const screen = await openScreen(list, 'ann', { before, path: '/?sort=email&order=asc', ...options });
  await screen.findByText('Showing 1 to 4 of 4 users');
  return screen;
}

async function select(screen: Screen) {
  fireEvent.click(await screen.findByRole('button', { name: 'Select' }));
  fireEvent.click(screen.getByLabelText('Select a@mail.test'));
  fireEvent.click(screen.getByLabelText('Select c@mail.test'), { shiftKey: true });
  screen.getByText('3 selected');
}

test('another search ends the selection, and the list comes to rest', async () => {
  let renders = 0;
  const count = () => {
    if (++renders > 300) throw new Error('The list renders without end');
  };
  const list = (
    <Profiler id="users" onRender={count}>
      <Users tenantId={2} />
    </Profiler>
  );
  const screen = await open({ list });
  await select(screen);
  const box = screen.getByRole('searchbox') as HTMLInputElement;
  fireEvent.change(box, { target: { value: 'a@mail' } });
  fireEvent.submit(box.form!);
  await screen.findByText('Showing 1 to 1 of 1 users');
  screen.getByText('0 selected');
});

test('several users are tagged in a call for each, with an entry for each', async () => {
  const screen = await open();
  await select(screen);
  press(screen, 'Tag…');
  const form = within(screen.getByRole('dialog', { name: 'Tag 3 users' }));
  form.getByText('a@mail.test, b@mail.test, c@mail.test');
  assert.ok((form.getByRole('button', { name: 'Tag' }) as HTMLButtonElement).disabled, 'without a tag');
  fill(form, { Tags: 'vip, november,' }, 'Tag');
  await screen.findByText('3 done');
  const three = emails.slice(0, 3);
  const done = three.map((email) => [email, 'Done', '-']);
  assert.equal(cellsOf(screen.getByRole('dialog')), done);
  const tags = await sql`select p.email, t.tag from player_tags t join players p on p.id = t.player_id order by 1, 2`;
  const tagged = three.flatMap((email) => ['november', 'vip'].map((tag) => [email, tag]));
  assert.equal(partsOf(tags, 'email', 'tag'), tagged);
  assert.is(screen.writes().length, 3);
  assert.is(new Set(screen.writes().map(({ headers }) => headers.get('idempotency-key'))).size, 3, 'a key for each');
  assert.is((await readAuditLog()).filter(({ call }) => call === 'addPlayerTags').length, 3);
  press(screen, 'Close');
  press(screen, 'Report');
  screen.getByText('3 done');
});

test('users are deactivated after a question that says how many, and activated again', async () => {
  const screen = await open();
  await select(screen);
  const active = async () =>
    (await sql`select count(*)::int as n from players where tenant_id = 2 and is_active`)[0]?.['n'];
  for (const [verb, count] of [
    ['Deactivate', 1],
    ['Activate', 4],
  ] as const) {
    press(screen, `${verb}…`);
    const question = within(screen.getByRole('dialog', { name: `${verb} 3 users?` }));
    fireEvent.click(question.getByRole('button', { name: verb }));
    await screen.findByText('3 done');
    assert.is(await active(), count);
    press(screen, 'Close');
  }
});

test('whoever may not change users selects none, and another server has none of it', async () => {
  const screen = await open({ permissions: ['queue'] });
  await screen.findByRole('button', { name: 'Columns' });
  assert.not.ok(screen.queryByRole('button', { name: 'Select' }));
  const plain = await open({ lacks: ['bulk_work', 'saved_views', 'player_filters'] });
  await waitFor(() => assert.ok(plain.getByText('a@mail.test')));
  for (const name of ['Select', 'Filters', 'Views', 'Columns']) assert.not.ok(plain.queryByRole('button', { name }));
});

test.run();
