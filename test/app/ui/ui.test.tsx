import { act, cleanup, fireEvent, render, within } from '@testing-library/react';
import { useState } from 'react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SessionProvider } from '../../../src/app/state/session';
import { ToastProvider, toastsReducer, useToast } from '../../../src/app/state/toasts';
import { DateTime } from '../../../src/app/ui/DateTime';
import { Dialog } from '../../../src/app/ui/Dialog';
import { EmailLink } from '../../../src/app/ui/EmailLink';
import { Field } from '../../../src/app/ui/Field';
import { FormDialog } from '../../../src/app/ui/FormDialog';
import { Money } from '../../../src/app/ui/Money';
import { Pagination } from '../../../src/app/ui/Pagination';
import { Rows } from '../../../src/app/ui/Rows';
import { StatusSelect } from '../../../src/app/ui/StatusSelect';
import { TableFrame } from '../../../src/app/ui/TableFrame';
import { attributesOf, isDisabled, optionsOf, textsOf } from '../controls';
import { partsOf } from '../network';

test.after.each(cleanup);
const renderText = (node: React.ReactNode) => {
  const { container } = render(node);
  const text = container.textContent;
  cleanup();
  return text;
};

test('money is USD with two decimals from numbers and text, a dash for anything else', () => {
  for (const [amount, text] of [
    [1234.5, '$1,234.50'],
    ['7', '$7.00'],
    [-3, '-$3.00'],
    [0, '$0.00'],
    [-0, '$0.00'],
    [-1e-13, '$0.00'],
    [-0.004, '$0.00'],
    [-0.01, '-$0.01'],
    [999.999, '$1,000.00'],
    [100, '$100.00'],
    ['-1234567.5', '-$1,234,567.50'],
    [999999999999.99, '$999,999,999,999.99'],
    [null, '-'],
    [undefined, '-'],
    ['', '-'],
    ['abc', '-'],
    [NaN, '-'],
  ] as const)
    assert.is(renderText(<Money amount={amount} />), text);
});
test('signed money is a gain when 0 or more and a loss when negative', () => {
  for (const [amount, name] of [
    [-1e-13, 'gain'],
    [0, 'gain'],
    ['5', 'gain'],
    [-0.01, 'loss'],
  ] as const) {
    assert.ok(render(<Money amount={amount} signed />).container.querySelector(`data.${name}`));
    cleanup();
  }
});
test('a moment is in the locale, exact on hover; a dash for none or nonsense', () => {
  const { container } = render(<DateTime at="2021-11-20T10:00:00Z" />);
  const time = container.querySelector('time');
  assert.is(time?.dateTime, '2021-11-20T10:00:00.000Z');
  assert.match(time?.title ?? '', /2021.*10:00:00.*UTC$/, 'with the second and the zone');
  assert.is(time?.tabIndex, 0, 'and within reach of the keyboard');
  assert.match(time?.textContent ?? '', /2021/);
  const thisYear = renderText(<DateTime at={`${new Date().getFullYear()}-06-20T10:00:00Z`} />) ?? '';
  assert.match(thisYear, /\d:\d\d/, 'the time of day instead of the year that is understood');
  assert.not.match(thisYear, /20\d\d/);
  assert.not.match(renderText(<DateTime at="2026-11-20T10:00:00Z" dateOnly />) ?? '', /:/);
  for (const odd of [null, undefined, '', 'soon']) assert.is(renderText(<DateTime at={odd} />), '-');
});
test("an e-mail leads to the user's search, and none is a dash", () => {
  assert.is(
    render(<EmailLink email="a+b@c.test" playerId={5} />, { wrapper: SessionProvider })
      .getByRole('link')
      .getAttribute('href'),
    '/users?search=a%2Bb%40c.test',
  );
  assert.is(render(<EmailLink email={null} />, { wrapper: SessionProvider }).container.textContent, '-');
});

test('characters of an e-mail that are no plain Latin ones stand out', () => {
  const { container } = render(<EmailLink email="аnn@zoë.test" />, { wrapper: SessionProvider });
  assert.is(container.textContent, 'аnn@zoë.test');
  assert.equal(textsOf(container.querySelectorAll('mark')), ['а', 'ë']);
  cleanup();
  const plain = render(<EmailLink email="o'hara+1@c.test" />, { wrapper: SessionProvider });
  assert.is(plain.container.querySelector('mark'), null);
});

test('a field is named by its label alone; hint and error describe it', () => {
  const screen = render(<Field label="Password" hint="Leave blank to keep current password" error="Too short" />);
  const input = screen.getByLabelText('Password');
  assert.is(input.getAttribute('aria-invalid'), 'true');
  const words = (input.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);
  assert.equal(words, ['Leave blank to keep current password', 'Too short']);
});

test('a status can be changed while pending, whatever its case, and is locked once settled or on its way', () => {
  const chosen: string[] = [];
  const locked = (status: string | null, busy = false) => {
    const screen = render(
      <StatusSelect status={status} label="Status" busy={busy} onChange={(next) => chosen.push(next)} />,
    );
    const select = screen.getByLabelText('Status') as HTMLSelectElement,
      { disabled } = select;
    if (!disabled) for (const value of ['pending', 'success']) fireEvent.change(select, { target: { value } });
    cleanup();
    return disabled;
  };
  for (const status of ['success', 'FAILED', 'refunded', null]) assert.ok(locked(status), String(status));
  assert.equal([locked('pending'), locked('PENDING'), locked('pending', true)], [false, false, true]);
  assert.equal(chosen, ['success', 'success']);
});
test("another server's word for a state stands as it is", () => {
  const { getByLabelText } = render(
    <StatusSelect status="refunded" label="Status" busy={false} onChange={() => undefined} />,
  );
  assert.is((getByLabelText('Status') as HTMLSelectElement).selectedOptions[0]?.textContent, 'refunded');
});

test('the footer tells what is shown and stops at both ends', () => {
  const pages: number[] = [],
    sizes: number[] = [];
  const at = (page: number, total: number) => {
    cleanup();
    return render(
      <Pagination
        page={page}
        pageSize={50}
        total={total}
        onPage={(next) => pages.push(next)}
        onPageSize={(size) => sizes.push(size)}
      />,
    );
  };
  const open = () =>
    ['First', 'Previous', 'Next', 'Last'].filter(
      (name) => !(within(document.body).getByRole('button', { name }) as HTMLButtonElement).disabled,
    );
  at(1, 120).getByText('Showing 1 to 50 of 120 users');
  assert.equal(open(), ['Next', 'Last']);
  const middle = at(2, 120);
  for (const name of ['First', 'Previous', 'Next', 'Last']) fireEvent.click(middle.getByRole('button', { name }));
  assert.equal(pages, [1, 1, 3, 3]);
  at(3, 120).getByText('Showing 101 to 120 of 120 users');
  assert.equal(open(), ['First', 'Previous']);
  at(1, 0).getByText('Showing 0 to 0 of 0 users');
  assert.equal(open(), []);
  const past = at(9, 120);
  past.getByText('Showing 0 to 0 of 120 users');
  fireEvent.click(past.getByRole('button', { name: 'Previous' }));
  assert.is(pages.at(-1), 3);
  assert.equal(optionsOf(past.getByLabelText(/Rows per page/)), ['25', '50', '100', '200']);
  fireEvent.change(past.getByLabelText(/Rows per page/), { target: { value: '200' } });
  assert.equal(sizes, [200]);
});

test('while the total is not known, the footer claims none, and the way back stays open', () => {
  const { container, getByRole } = render(
    <Pagination page={2} pageSize={50} total={undefined} onPage={() => undefined} onPageSize={() => undefined} />,
  );
  assert.not.match(container.textContent ?? '', /Showing| of /);
  assert.match(container.textContent ?? '', /Page 2/);
  assert.equal(
    [isDisabled(getByRole('button', { name: 'First' })), isDisabled(getByRole('button', { name: 'Next' }))],
    [false, true],
  );
});

test('a slow list says that it is still waiting, with or without rows', () => {
  const rows = (data: string[] | undefined) => (
    <table>
      <Rows of={{ data, busy: true, failed: false, slow: true }} span={1}>
        {(name) => (
          <tr key={name}>
            <td>{name}</td>
          </tr>
        )}
      </Rows>
    </table>
  );
  for (const data of [undefined, ['row']]) assert.match(renderText(rows(data)) ?? '', /Still waiting/);
});
test('a wide table scrolls by keyboard in a frame with a name', () => {
  const frame = render(
    <TableFrame label="Users">
      <table />
    </TableFrame>,
  ).getByRole('region', { name: 'Users' });
  assert.is(frame.tabIndex, 0);
});

function Opener({ form = false, disabled = false }) {
  const [isOpen, setOpen] = useState(false);
  const [sent, setSent] = useState(0);
  const toast = useToast();
  const close = () => setOpen(false);
  return (
    <main>
      <button onClick={() => setOpen(true)}>Open</button>
      <output>{sent}</output>
      {isOpen &&
        (form ? (
          <FormDialog
            title="Edit"
            disabled={disabled}
            onClose={close}
            onSubmit={() => {
              setSent(sent + 1);
              toast.error('Refused');
            }}
          >
            <Field label="Name" />
          </FormDialog>
        ) : (
          <Dialog title="About" onClose={close}>
            <button onClick={close}>Close</button>
          </Dialog>
        ))}
    </main>
  );
}
const open = (node: React.ReactNode) => {
  const screen = render(<ToastProvider>{node}</ToastProvider>),
    opener = screen.getByText('Open');
  opener.focus();
  fireEvent.click(opener);
  const submit = () => fireEvent.submit(screen.getByRole('dialog').querySelector('form')!);
  return { screen, opener, submit, sent: () => screen.container.querySelector('output')!.textContent };
};
const clicked = (element: HTMLElement) => act(async () => void fireEvent.click(element));

test('a dialog is modal from the start, and named, and gives the focus back to where it came from', async () => {
  const { prototype } = window.HTMLDialogElement,
    { showModal } = prototype;
  let opened = 0;
  prototype.showModal = function show() {
    opened++;
    showModal.call(this);
  };
  const { screen, opener } = open(<Opener />);
  prototype.showModal = showModal;
  assert.is(opened, 1, 'nothing is typed into the page behind it');
  const dialog = screen.getByRole('dialog', { name: 'About' }) as HTMLDialogElement;
  assert.ok(dialog.open);
  const close = screen.getByText('Close');
  close.focus();
  await clicked(close);
  assert.is(screen.queryByRole('dialog'), null);
  assert.is(document.activeElement, opener);
});
test('a form dialog submits by its button, not while disabled, and Cancel only closes', async () => {
  const { screen, submit, sent } = open(<Opener form />);
  submit();
  assert.is(sent(), '1');
  await clicked(screen.getByText('Cancel'));
  assert.is(screen.queryByRole('dialog'), null);
  cleanup();

  const locked = open(<Opener form disabled />);
  assert.ok(isDisabled(locked.screen.getByText('Save')));
  locked.submit();
  assert.is(locked.sent(), '0');
});
test('a message during a dialog is inside it, to read and to dismiss, and in the page after it', async () => {
  const { screen, submit } = open(<Opener form />);
  submit();
  within(screen.getByRole('dialog')).getByText('Refused');
  await clicked(screen.getByText('Cancel'));
  screen.getByText('Refused');
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  assert.is(screen.queryByText('Refused'), null);
});

test('a success and a further error remove the errors of their action, and no others', () => {
  const toast = (id: number, kind: 'error' | 'success', of: string) =>
    ({ type: 'shown', toast: { id, kind, text: `${kind} ${id} of ${of}`, of } }) as const;
  const errors = [toast(1, 'error', 'a'), toast(2, 'error', 'b'), toast(3, 'error', 'a')].reduce(toastsReducer, []);
  assert.equal(partsOf(errors, 'text'), ['error 2 of b', 'error 3 of a']);
  const after = toastsReducer(errors, toast(4, 'success', 'a'));
  assert.equal(partsOf(after, 'text'), ['error 2 of b', 'success 4 of a']);
});

test('the same words twice stand once; about something else they stand beside the first', () => {
  const shown = (...texts: [text: string, detail?: string][]) =>
    texts
      .map(
        ([text, detail], n) =>
          ({ type: 'shown', toast: { id: n, kind: 'error', text, ...(detail && { detail }) } }) as const,
      )
      .reduce(toastsReducer, []);
  const ids = (toasts: ReturnType<typeof shown>) => toasts.map(({ id }) => id);
  assert.equal(ids(shown(['a', 'x'], ['a', 'y'], ['a', 'x'])), [1, 2]);
  assert.equal(ids(shown(['a'], ['b'], ['a'])), [1, 2]);
  assert.equal(ids(toastsReducer(shown(['a'], ['b']), { type: 'gone', id: 0 })), [1]);
});

function Speaker() {
  const toast = useToast();
  return (
    <>
      <button onClick={() => toast.success('Saved')}>Good</button>
      <button onClick={() => toast.error('Error saving payment method', { ms: 6000 })}>Bad</button>
    </>
  );
}
test('messages hide after 4 seconds, those with a time of their own later, and are announced', async () => {
  const timers: { work: () => void; ms: number | undefined }[] = [],
    real = globalThis.setTimeout;
  globalThis.setTimeout = ((work: () => void, ms?: number) => {
    timers.push({ work, ms });
    return 0;
  }) as unknown as typeof setTimeout;
  try {
    const screen = render(
      <ToastProvider>
        <Speaker />
      </ToastProvider>,
    );
    fireEvent.click(screen.getByText('Good'));
    fireEvent.click(screen.getByText('Bad'));
    for (const [words, role, manner] of [
      ['Saved', 'status', 'polite'],
      ['Error saving payment method', 'alert', 'assertive'],
    ] as const) {
      const region = screen.getByText(words).closest('[role]');
      assert.equal(attributesOf(region, 'role', 'aria-live', 'aria-atomic'), [role, manner, 'false']);
      assert.is(document.querySelectorAll(`[role=${role}]`).length, 1, 'one region, said once');
    }
    const fire = (ms: number) =>
      act(() => {
        for (const timer of timers.filter((one) => one.ms === ms)) timer.work();
      });
    fire(4000);
    assert.is(screen.queryByText('Saved'), null);
    screen.getByText('Error saving payment method');
    fire(6000);
    assert.is(screen.queryByText('Error saving payment method'), null);
  } finally {
    globalThis.setTimeout = real;
  }
});

test.run();
