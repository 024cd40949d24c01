/** Many users at once: each in a call of its own, and a report that says what became of each. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { Profiler } from 'react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../src/app/screens/users/Users';
import { features } from '../../../../src/contract/constants';
import { readAuditLog } from '../../../audit';
import { closeScreen, openScreen } from '../../../screen';
import { addPlayer } from '../../../seed';
import { sql } from '../../../world';
import { interceptRequestsAfter, noNetwork, respondWith } from '../../network';

test.after.each(closeScreen);
type Screen = Awaited<ReturnType<typeof openScreen>>;

const emails = ['a@mail.test', 'b@mail.test', 'c@mail.test', 'pam@mail.test'];
async function open(
  options: Parameters<typeof openScreen>[2] = {},
  instead?: Parameters<typeof interceptRequestsAfter>[1],
  list = <Users tenantId={2} />,
) {
  const line = interceptRequestsAfter(async () => {
    for (const email of emails.slice(0, 3)) await addPlayer(2, { email });
  }, instead);
  const screen = await openScreen(list, 'ann', {
    fetch: line.fetch,
    path: '/?sort=email&order=asc',
    ...options,
  });
  await screen.findByText('Showing 1 to 4 of 4 users');
  return { screen, writes: line.writes };
}
const press = (screen: Screen, name: string) => fireEvent.click(screen.getByRole('button', { name }));
async function select(screen: Screen) {
  fireEvent.click(await screen.findByRole('button', { name: 'Select' }));
  fireEvent.click(screen.getByLabelText('Select a@mail.test'));
  fireEvent.click(screen.getByLabelText('Select c@mail.test'), { shiftKey: true });
  screen.getByText('3 selected');
}
const report = (screen: Screen) => {
  const dialog = screen.getByRole('dialog');
  return [...dialog.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((one) => one.textContent),
  );
};
const tags = async () =>
  (
    await sql<{ email: string; tag: string }[]>`
      select p.email, t.tag from player_tags t join players p on p.id = t.player_id order by 1, 2`
  ).map(({ email, tag }) => `${email} ${tag}`);

test('another search ends the selection, and the list comes to rest', async () => {
  let renders = 0;
  const count = () => {
    if (++renders > 300) throw new Error('The list renders without end');
  };
  const { screen } = await open(
    {},
    undefined,
    <Profiler id="users" onRender={count}>
      <Users tenantId={2} />
    </Profiler>,
  );
  await select(screen);
  const box = screen.getByRole('searchbox') as HTMLInputElement;
  fireEvent.change(box, { target: { value: 'a@mail' } });
  fireEvent.submit(box.form!);
  await screen.findByText('Showing 1 to 1 of 1 users');
  screen.getByText('0 selected');
});

test('several users are tagged in a call for each, with an entry for each', async () => {
  const { screen, writes } = await open();
  await select(screen);
  press(screen, 'Tag…');
  const form = within(screen.getByRole('dialog', { name: 'Tag 3 users' }));
  form.getByText('a@mail.test, b@mail.test, c@mail.test');
  assert.ok((form.getByRole('button', { name: 'Tag' }) as HTMLButtonElement).disabled, 'without a tag');
  fireEvent.change(form.getByLabelText('Tags'), { target: { value: 'vip, november,' } });
  fireEvent.click(form.getByRole('button', { name: 'Tag' }));
  await screen.findByText('3 done');
  assert.equal(
    report(screen),
    emails.slice(0, 3).map((email) => [email, 'Done', '-']),
  );
  assert.equal(
    await tags(),
    emails.slice(0, 3).flatMap((email) => [`${email} november`, `${email} vip`]),
  );
  assert.is(writes().length, 3);
  assert.is(new Set(writes().map(({ headers }) => headers.get('idempotency-key'))).size, 3, 'a key for each');
  assert.is((await readAuditLog()).filter(({ call }) => call === 'addPlayerTags').length, 3);
  press(screen, 'Close');
  press(screen, 'Report');
  screen.getByText('3 done');
});

test('users are deactivated after a question that says how many, and activated again', async () => {
  const { screen } = await open();
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

test('a refusal is told of its row, and does not keep the others', async () => {
  const { screen } = await open({}, ({ path, method }) =>
    method === 'POST' && path.endsWith('/tags') && path.includes(`/${bId}/`)
      ? respondWith({ detail: 'A user has at most 20 tags' }, 409)
      : undefined,
  );
  const bId = (await sql<{ id: number }[]>`select id from players where email = 'b@mail.test'`)[0]!.id;
  await select(screen);
  press(screen, 'Tag…');
  fireEvent.change(screen.getByLabelText('Tags'), { target: { value: 'vip' } });
  press(screen, 'Tag');
  await screen.findByText('1 refused, 2 done');
  assert.equal(report(screen)[0], ['b@mail.test', 'Refused', 'A user has at most 20 tags']);
  assert.not.ok(screen.queryByRole('button', { name: 'Try the rest again' }), 'a refusal stays one');
});

test('without a connection the rest is not reached; tried again, each is done once', async () => {
  let calls = 0,
    isDown = false;
  const online = Object.getOwnPropertyDescriptor(navigator, 'onLine');
  const { screen } = await open({}, ({ path }) => {
    if (!path.endsWith('/tags')) return undefined;
    isDown ||= ++calls === 2;
    if (!isDown) return undefined;
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    return noNetwork();
  });
  try {
    await select(screen);
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    press(screen, 'Tag…');
    fireEvent.change(screen.getByLabelText('Tags'), { target: { value: 'vip' } });
    press(screen, 'Tag');
    await screen.findByText('2 not reached, 1 done');
    assert.equal(await tags(), ['a@mail.test vip']);
    isDown = false;
    calls = 9;
    press(screen, 'Try the rest again');
    await screen.findByText('3 done');
    assert.equal(await tags(), ['a@mail.test vip', 'b@mail.test vip', 'c@mail.test vip']);
    assert.is((await readAuditLog()).filter(({ call }) => call === 'addPlayerTags').length, 3);
  } finally {
    if (online) Object.defineProperty(navigator, 'onLine', online);
    else Reflect.deleteProperty(navigator, 'onLine');
  }
});

test('whoever may not change users selects none, and another server has none of it', async () => {
  const { screen } = await open({ permissions: ['queue'] });
  await screen.findByRole('button', { name: 'Columns' });
  assert.not.ok(screen.queryByRole('button', { name: 'Select' }));
  const tools = ['bulk_work', 'saved_views', 'player_filters'];
  const plain = (await open({ features: features.filter((name) => !tools.includes(name)) })).screen;
  await waitFor(() => assert.ok(plain.getByText('a@mail.test')));
  for (const name of ['Select', 'Filters', 'Views', 'Columns']) assert.not.ok(plain.queryByRole('button', { name }));
});

test('columns are hidden, and the address says so', async () => {
  const { screen } = await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Columns' }));
  fireEvent.click(screen.getByLabelText('Phone'));
  await waitFor(() => assert.match(location.search, 'hide=phone'));
  assert.match(screen.container.querySelector('table')!.className, /no-phone$/);
  press(screen, 'Show all');
  await waitFor(() => assert.is(location.search, '?sort=email&order=asc'));
});

test.run();
