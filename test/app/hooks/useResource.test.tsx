import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError } from '../../../src/app/api/client';
import { useAction } from '../../../src/app/hooks/useAction';
import { detailOr, type ErrorMessage } from '../../../src/app/hooks/useErrorToast';
import { changeQueryParams, parseQueryParams, useQueryParams } from '../../../src/app/hooks/useQueryParams';
import { useResource } from '../../../src/app/hooks/useResource';
import { FilterRow } from '../../../src/app/parts/queue/FilterRow';
import { queueAddress } from '../../../src/app/parts/queue/filters';
import { SearchBox } from '../../../src/app/screens/users/Users';
import { SessionProvider } from '../../../src/app/state/session';
import { ToastProvider } from '../../../src/app/state/toasts';
import { Rows } from '../../../src/app/ui/Rows';
import { heard } from '../console';

test.before(() => localStorage.clear()); // nobody is signed in, whoever was in a file before
test.after.each(() => {
  cleanup();
  history.replaceState(null, '', '/');
});

/** Promises settled by hand, in any order, with the signals they were asked with. */
function byHand<T>({ endsWithSignal = false } = {}) {
  const asked: {
    settle: (value: T) => Promise<void>;
    fail: (error: unknown) => Promise<void>;
    signal: AbortSignal | undefined;
  }[] = [];
  const ask = (signal?: AbortSignal) =>
    new Promise<T>((resolve, reject) => {
      if (endsWithSignal) signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      asked.push({
        signal,
        settle: (value) => act(async () => resolve(value)),
        fail: (error) => act(async () => reject(error)),
      });
    });
  const at = (index: number) => {
    const one = asked[index];
    if (!one) throw new Error(`load ${index} was never asked for`);
    return one;
  };
  return { asked, ask, at };
}

type Load = ((signal: AbortSignal) => Promise<string[]>) | null;
function List({ load, of, failed = 'Failed to fetch' }: { load: Load; of: string; failed?: ErrorMessage }) {
  const names = useResource(load, [of], failed);
  return (
    <>
      <button onClick={() => void names.reload()}>Reload</button>
      <p>{names.busy ? 'busy' : 'still'}</p>
      <table>
        <Rows of={names} span={1} empty="None yet.">
          {(name) => (
            <tr key={name}>
              <td>{name}</td>
            </tr>
          )}
        </Rows>
      </table>
    </>
  );
}
const inApp = (node: React.ReactNode) => (
  <ToastProvider>
    <SessionProvider>{node}</SessionProvider>
  </ToastProvider>
);
const show = (node: React.ReactNode) => render(inApp(node));

test('the newest question wins, whatever the order of the answers, and older ones are aborted', async () => {
  const { asked, ask, at } = byHand<string[]>();
  const { rerender } = show(<List load={ask} of="a" />);
  rerender(inApp(<List load={ask} of="b" />));
  assert.is(asked.length, 2);
  assert.ok(at(0).signal?.aborted);
  await at(1).settle(['new']);
  await at(0).settle(['old']);
  screen.getByText('new');
  assert.is(screen.queryByText('old'), null);
  screen.getByText('still');
});

test('a failed answer that nobody waits for any more says nothing', async () => {
  const { ask, at } = byHand<string[]>();
  const { rerender } = show(<List load={ask} of="a" />);
  rerender(inApp(<List load={ask} of="b" />));
  await at(0).fail(new ApiError(500));
  assert.is(screen.queryByText('Failed to fetch'), null);
});

test('the old rows stay while a reload is on its way, and when it fails', async () => {
  const { ask, at } = byHand<string[]>();
  show(<List load={ask} of="a" />);
  await at(0).settle(['row']);
  fireEvent.click(screen.getByText('Reload'));
  screen.getByText('row');
  screen.getByText('busy');
  await at(1).fail(new ApiError(500));
  screen.getByText('row');
  screen.getByText('Could not be refreshed.');
  screen.getByText('Failed to fetch');
});

test('a failed list is not an empty one, and Retry loads it', async () => {
  const { ask, at } = byHand<string[]>();
  show(<List load={ask} of="a" />);
  await at(0).fail(new ApiError(500));
  screen.getByText('Could not be loaded.');
  assert.is(screen.queryByText('None yet.'), null);
  fireEvent.click(screen.getByText('Retry'));
  await at(1).settle(['row']);
  screen.getByText('row');
  assert.is(screen.queryByText('Could not be loaded.'), null);
});

test('a lost line says so and is tried again when it is back', async () => {
  const { asked, ask, at } = byHand<string[]>();
  show(<List load={ask} of="a" />);
  await at(0).fail(new ApiError(0));
  screen.getByText('The server cannot be reached.');
  await act(async () => void dispatchEvent(new Event('online')));
  await at(1).settle(['row']);
  screen.getByText('row');
  await act(async () => void dispatchEvent(new Event('online')));
  assert.is(asked.length, 2, 'nothing was lost, nothing is asked');
});

test('nothing is asked while something must be picked first', async () => {
  const { asked, ask } = byHand<string[]>();
  const { rerender } = show(<List load={null} of="a" />);
  screen.getByText('None yet.');
  assert.is(asked.length, 0);
  rerender(inApp(<List load={ask} of="a" />));
  assert.is(asked.length, 1);
});

test('an ended session is not a failure to be told, and a null failure is only logged', async () => {
  const { ask, at } = byHand<string[]>();
  show(<List load={ask} of="a" />);
  await at(0).fail(new ApiError(401));
  assert.is(screen.queryByText('Failed to fetch'), null);

  const quiet = byHand<string[]>();
  cleanup();
  show(<List load={quiet.ask} of="a" failed={null} />);
  const logged = await heard('error', () => quiet.at(0).fail(new ApiError(500)));
  assert.is(logged.length, 1);
});

function Act({ call, onDone }: { call: (input: number) => Promise<unknown>; onDone?: () => unknown }) {
  const save = useAction(call, { done: 'Saved', failed: 'Failed to save', ...(onDone && { onDone }) });
  const [worked, setWorked] = useState('');
  return (
    <button aria-busy={save.busy} onClick={async () => setWorked(String(await save.run(1)))}>
      Save {worked}
    </button>
  );
}

test('a double click sends once, and busy lasts until the reload has landed', async () => {
  const call = byHand<object>(),
    reload = byHand<object>();
  show(<Act call={() => call.ask()} onDone={() => reload.ask()} />);
  const button = screen.getByRole('button', { name: 'Save' });
  await act(async () => {
    fireEvent.click(button);
    fireEvent.click(button);
  });
  assert.is(call.asked.length, 1);
  await call.at(0).settle({});
  screen.getByText('Saved');
  assert.is(button.getAttribute('aria-busy'), 'true');
  await reload.at(0).settle({});
  assert.is(button.getAttribute('aria-busy'), 'false');
  assert.is(button.textContent, 'Save true');
});

/** Two rows of a list, decided one after the other. */
function TwoRows({ load }: { load: (signal: AbortSignal) => Promise<string[]> }) {
  const names = useResource(load, [], 'Failed to fetch');
  const change = { done: 'Saved', failed: 'Failed to save', onDone: names.reload };
  const rows = [useAction(() => Promise.resolve(), change), useAction(() => Promise.resolve(), change)];
  return rows.map(({ run, busy }, n) => (
    <button key={String(n)} aria-busy={busy} onClick={() => void run(undefined)}>
      Row
    </button>
  ));
}
test('a row stays busy until the list arrives, also when a change of another row requests it again', async () => {
  const { ask, at } = byHand<string[]>({ endsWithSignal: true });
  show(<TwoRows load={ask} />);
  await at(0).settle([]);
  const rows = screen.getAllByRole('button', { name: 'Row' });
  for (const row of rows) await act(async () => void fireEvent.click(row));
  assert.ok(at(1).signal?.aborted);
  const busy = () => rows.map((row) => row.getAttribute('aria-busy'));
  assert.equal(busy(), ['true', 'true'], 'the list still shows what was before either change');
  await at(2).settle([]);
  assert.equal(busy(), ['false', 'false']);
});

for (const [status, reloads] of [
  [404, 1],
  [409, 1],
  [500, 0],
  [0, 0],
  [403, 0],
] as const) {
  test(`a ${status} on an action ${reloads ? 'reloads: the screen was stale' : 'does not reload'}`, async () => {
    let count = 0;
    show(<Act call={() => Promise.reject(new ApiError(status))} onDone={() => count++} />);
    await act(async () => void fireEvent.click(screen.getByRole('button')));
    await screen.findByText('Failed to save');
    assert.is(count, reloads);
    assert.is(screen.getByRole('button', { name: /Save/ }).textContent, 'Save false');
  });
}

test("the server's detail is shown where it is asked for, else the words", async () => {
  const words = detailOr('Words');
  assert.is(words(new ApiError(400, 'Detail')), 'Detail');
  assert.is(words(new ApiError(400)), 'Words');
  assert.is(words(new ApiError(422, 'body.payout_address: must not be empty')), 'Payout address: must not be empty');
  assert.is(words(new ApiError(422, 'Nobody.known: no')), 'Nobody.known: no');
  assert.is(words(new TypeError('x')), 'Words');
});

function Where() {
  const [{ search, page }, set] = useQueryParams({ search: '', page: '1' });
  return (
    <>
      <output>
        {search}/{page}
      </output>
      <button
        onClick={() => {
          set({ search: 'é' });
          set({ page: '2' });
        }}
      >
        Both
      </button>
      <button onClick={() => set({ page: '1' })}>First</button>
    </>
  );
}
test('the address is the state: defaults stay out of it, other names stay in it, changes add up', async () => {
  history.replaceState(null, '', '/users?tab=x');
  render(<Where />);
  assert.is(screen.getByRole('status').textContent, '/1');
  await act(async () => void fireEvent.click(screen.getByText('Both')));
  assert.is(screen.getByRole('status').textContent, 'é/2');
  assert.is(location.search, '?tab=x&search=%C3%A9&page=2');
  await act(async () => void fireEvent.click(screen.getByText('First')));
  assert.is(location.pathname + location.search, '/users?tab=x&search=%C3%A9');
});
test('an address falls back to the defaults', () => {
  assert.equal(parseQueryParams('?page=3', { page: '1', sort: 'name' }), { page: '3', sort: 'name' });
  assert.is(changeQueryParams('?a=1', { a: '0' }, { a: '0' }), '');
});

/** A field that goes into the address as `text`, and back. */
const searches: [name: string, Field: () => React.ReactNode][] = [
  [
    'the search for players',
    () => {
      const [{ text }, set] = useQueryParams({ text: '' });
      return <SearchBox search={text} onSearch={(text) => set({ text }, { replace: true })} />;
    },
  ],
  [
    'the search of a list',
    () => {
      const [address, set] = useQueryParams(queueAddress);
      return (
        <FilterRow list="redeems" address={address} methods={[]} onChange={(patch) => set(patch, { replace: true })} />
      );
    },
  ],
];
for (const [name, Field] of searches) {
  test(`${name}: a letter typed in the moment the address takes what was typed before is not lost`, async () => {
    show(<Field />);
    const box = screen.getByRole<HTMLInputElement>('searchbox');
    const replaceState = history.replaceState.bind(history);
    history.replaceState = (...to) => {
      history.replaceState = replaceState;
      replaceState(...to);
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), 'value')?.set?.call(box, 'pam');
      box.dispatchEvent(new Event('input', { bubbles: true }));
    };
    fireEvent.change(box, { target: { value: 'pa' } });
    await waitFor(() => assert.is(location.search, '?text=pam'));
    assert.is(box.value, 'pam');
    act(() => replaceState(null, '', '/?text=ben')); // an address changed by other means is followed
    assert.is(box.value, 'ben');
    act(() => replaceState(null, '', '/?text=pam'));
    assert.is(box.value, 'pam');
  });
}

test.run();
