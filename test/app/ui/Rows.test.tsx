import { act, cleanup, render } from '@testing-library/react';
import { memo } from 'react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Rows } from '../../../src/app/ui/Rows';
import { LIST_MAX } from '../../../src/contract/constants';
import { textsOf } from '../controls';
import { partsOf } from '../network';

interface Item {
  id: number;
  name: string;
}
const items = (count: number, from = 1): Item[] =>
  Array.from({ length: count }, (_, at) => ({ id: from + at, name: `item ${from + at}` }));

let drawn: number[] = [];
const Row = memo(({ item }: { item: Item }) => {
  drawn.push(item.id);
  return (
    <tr>
      <td>{item.name}</td>
    </tr>
  );
});
const list = (data: Item[] | undefined, busy = false) => (
  <table>
    <Rows of={{ data, busy, failed: false }} span={1}>
      {(item) => <Row key={item.id} item={item} />}
    </Rows>
  </table>
);
const count = () => document.querySelectorAll('tbody tr').length;
const untilWhole = async (whole: number) => {
  for (let turn = 0; turn < 200 && count() !== whole; turn++)
    await act(() => new Promise((done) => void setTimeout(done, 10)));
  assert.is(count(), whole);
};

test.before.each(() => {
  cleanup(); // what another file's tests have left
  drawn = [];
});
test.after.each(cleanup);

/** More than a window shows. */
const FIRST = 50;

test('a long list shows the rows in view first and all of them soon', async () => {
  render(list(items(200)));
  assert.is(count(), FIRST);
  await untilWhole(200);
  assert.equal(textsOf(document.querySelectorAll('tbody tr')), partsOf(items(200), 'name'));
});

test('another list begins again with the rows in view', async () => {
  const { rerender } = render(list(items(200)));
  await untilWhole(200);
  rerender(list(items(200, 1000)));
  assert.is(count(), FIRST);
  assert.is(document.querySelector('tbody tr')?.textContent, 'item 1000');
  await untilWhole(200);
});

test('a list that is merely refreshed stays whole, also when its first row has left or another is new', async () => {
  const { rerender } = render(list(items(200)));
  await untilWhole(200);
  rerender(list([{ id: 0, name: 'new' }, ...items(200)]));
  assert.is(count(), 201);
  rerender(list(items(199, 2)));
  assert.is(count(), 199);
});

test('nothing is drawn again while a list is on its way', async () => {
  const data = items(60),
    { rerender } = render(list(data));
  await untilWhole(60);
  drawn = [];
  rerender(list(data, true));
  assert.equal(drawn, []);
  assert.is(document.querySelector('tbody')?.getAttribute('aria-busy'), 'true');
});

test('a list that ends at the bound of the server says that there may be more', () => {
  for (const [length, says] of [
    [LIST_MAX - 1, false],
    [LIST_MAX, true],
    [LIST_MAX + 1, false], // another server has no such bound
  ] as const) {
    cleanup();
    render(list(items(length)));
    const note = document.querySelector('tbody tr.note')?.textContent ?? null;
    assert.is(note?.trim() ?? null, says ? 'Only 1,000 rows are shown. There may be more.' : null);
  }
});

test.run();
