/** A server of a version that the app does not fit: the app says so, and says it once. */
import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../src/app/App';
import { NEW_VERSION } from '../../../src/app/ui/lazyWithRetry';
import { VERSION, VERSION_HEADER } from '../../../src/contract/version';
import { closeScreen, openScreen, reloadScreen } from '../../screen';
import { fetch, send, tokenOf } from '../../world';
import { opens } from '../controls';

test.after.each(closeScreen);

/** Our server as one of another version; null: one that does not tell it. */
const serverOf = (version: string | null) => async (url: string, init: RequestInit) => {
  const answer = await fetch(url, init),
    headers = new Headers(answer.headers);
  if (version === null) headers.delete(VERSION_HEADER);
  else headers.set(VERSION_HEADER, version);
  return new Response(answer.body, { status: answer.status, headers });
};
const patch = VERSION.replace(/\d+$/, '99');

test('our server tells its version to who is signed in, and to nobody else', async () => {
  await openScreen(<App />, 'ann');
  const ask = async (token?: string) =>
    (await send('GET', '/api/v1/auth/account', { token })).headers.get(VERSION_HEADER);
  assert.is(await ask(await tokenOf('ann')), VERSION);
  assert.is(await ask(), null);
});

test('before another version it is said among the messages, also over a dialog, and can be dismissed', async () => {
  const screen = await openScreen(<App />, 'ann', { fetch: serverOf('9.0.0') });
  const words = await screen.findByText(NEW_VERSION);
  assert.ok(words.closest('[role="status"]'), 'announced without interrupting');
  assert.ok(screen.getByRole('region', { name: 'Messages' }).contains(words));
  const dialog = await opens(await screen.findByRole('button', { name: 'Account' }), 'Account');
  dialog.getByText(NEW_VERSION);
  await dialog.findByText(`Version ${VERSION}, server 9.0.0`);
  fireEvent.click(dialog.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => assert.not.ok(screen.queryByText(NEW_VERSION)));
});

test('after the reload it is not said again for that version, only for a newer one', async () => {
  const { reload } = location;
  let reloads = 0;
  location.reload = () => {
    reloads++;
  };
  try {
    const screen = await openScreen(<App />, 'ann', { fetch: serverOf('9.0.0') });
    await screen.findByText(NEW_VERSION);
    fireEvent.click(screen.getByRole('button', { name: 'Reload the page' }));
    assert.is(reloads, 1);
    const again = await reloadScreen(<App />, serverOf('9.0.0'));
    await again.findByText('pam@mail.test');
    assert.not.ok(again.queryByText(NEW_VERSION));
    await (await reloadScreen(<App />, serverOf('9.1.0'))).findByText(NEW_VERSION);
  } finally {
    location.reload = reload;
  }
});

test('before a version that fits, or none, nothing is said; Account shows both where they differ', async () => {
  for (const [server, words] of [
    [VERSION, `Version ${VERSION}`],
    [patch, `Version ${VERSION}, server ${patch}`],
    [null, `Version ${VERSION}`],
  ] as const) {
    const screen = await openScreen(<App />, 'ann', { fetch: serverOf(server) });
    await screen.findByText('pam@mail.test');
    const dialog = await opens(await screen.findByRole('button', { name: 'Account' }), 'Account');
    await dialog.findByText(words);
    assert.not.ok(screen.queryByText(NEW_VERSION), words);
  }
});

test.run();
