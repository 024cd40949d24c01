/** A balance edit whose answer is lost, on the real server: the app finds out what became of it, and it counts once. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError, type SendOptions } from '../../../src/app/api/client';
import { callUntilKnown, newKey, UNKNOWN } from '../../../src/app/api/repeat';
import { createApi } from '../../createApi';
import { fetch, pam, reset, sql, tokenOf } from '../../world';
import { noNetwork, respondWith } from '../network';

/** What becomes of one request: it does not arrive, its answer is lost, or something answers in the server's place. */
type Fate = 'arrives' | 'is lost before' | 'is lost after' | Response;
let token = '';
test.before.each(async () => {
  await reset();
  token = await tokenOf('ann');
});

/** The balance edit with these fates of its requests, one after the other, then of the last one. */
async function adjust(fates: readonly Fate[], { credit = '5', tries = 4 } = {}) {
  const keys: (string | null)[] = [];
  let repeats = 0;
  const api = createApi({
    token: () => token,
    fetch: async (url, init) => {
      keys.push(new Headers(init.headers).get('Idempotency-Key'));
      const fate = fates[Math.min(keys.length, fates.length) - 1]!;
      if (fate instanceof Response) return fate.clone();
      if (fate === 'is lost before') return noNetwork();
      const response = await fetch(url, init);
      return fate === 'arrives' ? response : noNetwork();
    },
  });
  const edit = (options: SendOptions) =>
    api.adjustBalances({ id: pam.id, body: { credit, credit_op: Number(credit) > 5 ? 'remove' : 'add' } }, options);
  const outcome = await callUntilKnown(edit, {
    idempotencyKey: newKey(),
    onRepeat: () => repeats++,
    pauses: Array.from({ length: tries }, () => 1),
  }).then(
    () => 'done',
    (error: unknown) => {
      assert.instance(error, ApiError);
      return error as ApiError;
    },
  );
  const [wallet] = await sql`select credit_balance as credit from wallets where player_id = ${pam.id}`;
  assert.is(new Set(keys).size, 1, 'one key for all tries');
  assert.ok(keys[0]);
  return { outcome, credit: Number(wallet!['credit']), sent: keys.length, repeats };
}
const html = (status: number) => respondWith('<html>gateway</html>', status);
const words = ({ outcome }: { outcome: ApiError | string }) =>
  typeof outcome === 'string' ? outcome : [outcome.status, outcome.code, outcome.detail];

test('an edit whose answer is lost is sent again, is done, and counts once', async () => {
  for (const fates of [
    ['is lost after', 'arrives'],
    ['is lost before', 'is lost after', 'is lost after', 'arrives'],
    [html(502), 'is lost after', html(504), 'arrives'],
    [html(200), 'arrives'],
    [respondWith({ detail: 'x', code: 'unknown_outcome' }, 500), 'arrives'],
  ] satisfies Fate[][]) {
    await reset();
    token = await tokenOf('ann');
    const { length: sent } = fates;
    assert.equal(await adjust(fates), { outcome: 'done', credit: 355, sent, repeats: sent - 1 });
  }
});

test('a refusal after a lost answer is the answer', async () => {
  const result = await adjust(['is lost after', 'arrives'], { credit: '9999' });
  assert.equal(words(result), [400, 'refused', 'Insufficient credit balance: $350.00 available']);
  assert.is(result.credit, 350);
});

test('when no answer ever comes nobody knows, and the app says so', async () => {
  for (const [fate, credit] of [
    ['is lost after', 355],
    ['is lost before', 350],
    [html(502), 350],
  ] as const) {
    await reset();
    token = await tokenOf('ann');
    const result = await adjust([fate]);
    assert.equal([...words(result).slice(1), result.sent, result.credit], ['unknown_outcome', UNKNOWN, 5, credit]);
  }
});

test('what the server says it did not do was not done, unless an earlier answer was lost', async () => {
  const unavailable = respondWith({ detail: 'The database is too busy', code: 'unavailable' }, 503);
  assert.equal(words(await adjust([unavailable])), [503, 'unavailable', 'The database is too busy']);
  assert.is((await adjust([unavailable, 'arrives'])).outcome, 'done');
  const internal = await adjust([respondWith({ detail: 'Internal server error', code: 'internal' }, 500)]);
  assert.equal([words(internal), internal.sent], [[500, 'internal', 'Internal server error'], 1]);
  const later = await adjust(['is lost after', unavailable]);
  assert.is(words(later)[1], 'unknown_outcome');
  const ended = await adjust(['is lost after', respondWith({ detail: 'Not signed in', code: 'not_signed_in' }, 401)]);
  assert.equal([...words(ended).slice(0, 2), ended.sent], [401, 'unknown_outcome', 2]);
});

test('a browser without a connection has sent nothing, so it is known that nothing was done', async () => {
  const { onLine } = navigator;
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  const result = await adjust(['is lost before']);
  Object.defineProperty(navigator, 'onLine', { value: onLine, configurable: true });
  assert.equal([...words(result).slice(0, 2), result.sent], [0, undefined, 1]);
});

test('a call that may happen twice has no key and is made once', async () => {
  let sent = 0;
  const api = createApi({
    fetch: (_, init) => {
      sent++;
      assert.not.ok(new Headers(init.headers).has('Idempotency-Key'));
      return noNetwork();
    },
  });
  const call = (options: SendOptions) => api.updateTenant({ id: 2, body: { name: 'Acme' } }, options);
  const error = await callUntilKnown(call, { idempotencyKey: newKey(), onRepeat: () => assert.unreachable() }).catch(
    (thrown: unknown) => thrown,
  );
  assert.equal([(error as ApiError).status, (error as ApiError).code, sent], [0, undefined, 1]);
});

test('nothing is repeated once somebody else is signed in, or nobody: it would be theirs', async () => {
  let sent = 0,
    isTheirs = true;
  const call = () => {
    sent++;
    return Promise.reject(new ApiError(0, undefined, { hasKey: true }));
  };
  const onRepeat = () => {
    isTheirs = false; // in the pause
  };
  const options = { idempotencyKey: newKey(), onRepeat, mayRepeat: () => isTheirs, pauses: [1, 1] };
  const error = await callUntilKnown(call, options).catch((thrown: unknown) => thrown);
  assert.equal([(error as ApiError).detail, sent], [UNKNOWN, 1]);
});

test.run();
