/** Two rows of a list decided one after the other, faster than the list comes. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useAction } from '../../../src/app/hooks/useAction';
import { useResource } from '../../../src/app/hooks/useResource';
import { SessionProvider } from '../../../src/app/state/session';
import { ToastProvider } from '../../../src/app/state/toasts';

test.after.each(() => cleanup());

function TwoRows({ load }: { load: (signal: AbortSignal) => Promise<string[]> }) {
  const names = useResource(load, [], 'Failed to fetch');
  const change = { done: 'Saved', failed: 'Failed to save', onDone: names.reload };
  const rows = {
    'Row 0': useAction(() => Promise.resolve(), change),
    'Row 1': useAction(() => Promise.resolve(), change),
  };
  return (
    <>
      {Object.entries(rows).map(([name, { run, busy }]) => (
        <button key={name} aria-busy={busy} onClick={() => void run(undefined)}>
          {name}
        </button>
      ))}
    </>
  );
}

test('a row stays busy until the list arrives, also when a change of another row requests it again', async () => {
  const asked: { settle: (rows: string[]) => Promise<void>; signal: AbortSignal }[] = [];
  const load = (signal: AbortSignal) =>
    new Promise<string[]>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      asked.push({ signal, settle: (rows) => act(async () => resolve(rows)) });
    });
  render(
    <ToastProvider>
      <SessionProvider>
        <TwoRows load={load} />
      </SessionProvider>
    </ToastProvider>,
  );
  await asked[0]?.settle([]);
  const press = (name: string) =>
    act(async () => {
      fireEvent.click(screen.getByText(name));
    });
  const busy = () => screen.getAllByRole('button', { name: /^Row/ }).map((button) => button.getAttribute('aria-busy'));
  await press('Row 0');
  await press('Row 1');
  assert.ok(asked[1]?.signal.aborted);
  assert.equal(busy(), ['true', 'true'], 'the list still shows what was before either change');
  await asked[2]?.settle([]);
  assert.equal(busy(), ['false', 'false']);
});

test.run();
