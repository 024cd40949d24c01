/**
 * Each call beyond the specification's, times an error page, a refused connection and one that hangs: the screen stays,
 * the app says so, and goes on when the connection works again.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CallName, type CallSpec, calls } from '../../src/contract/calls';
import { type AdditionRow, additionRows } from './additionFaultRows';
import { newVisit, type Visit } from './harness';
import { button, message, saying, settled } from './seen';

const test = suite('Calls beyond the specification, each fault, in a real browser');
const faults = ['500 html', 'refused', 'hanging'] as const;
type Fault = (typeof faults)[number];

let visit: Visit,
  broken: { call: CallName; fault: Fault } | null = null,
  made = 0;
test.before(async () => {
  visit = await newVisit({ reducedMotion: 'reduce' });
  const { page } = visit;
  page.setDefaultTimeout(10_000);
  await page.clock.install();
  await visit.signIn('super');
  await page.route('**/api/**', async (route) => {
    const request = route.request();
    const isBroken =
      broken &&
      request.method() === calls[broken.call].method &&
      new RegExp(`^${calls[broken.call].path.replace(/\{\w+\}/g, '[\\w-]+')}$`).test(new URL(request.url()).pathname);
    if (!broken || !isBroken) return route.continue();
    made++;
    if (broken.fault === 'refused') return route.abort('connectionrefused');
    if (broken.fault === '500 html')
      return route.fulfill({
        status: 500,
        contentType: 'text/html',
        body: '<html><body><h1>Internal Server Error</h1></body></html>',
      });
  });
});
test.after(async () => {
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  await visit.close();
});

async function enter({ path, open }: AdditionRow): Promise<void> {
  broken = null;
  await visit.goTo(path);
  await visit.page.locator('main h2').first().waitFor();
  await settled(visit.page);
  await open?.(visit.page);
  await settled(visit.page);
}

async function until(is: () => boolean): Promise<void> {
  for (let waited = 0; !is() && waited < 10_000; waited += 20) await visit.page.waitForTimeout(20);
}

async function fails(row: AdditionRow, fault: Fault): Promise<void> {
  const { page } = visit,
    { call, act, says, stays, mended } = row,
    isRead = calls[call].method === 'GET';
  made = 0;
  broken = { call, fault };
  await act(page);
  await until(() => made > 0);
  assert.ok(made > 0, 'the call was made');

  if (fault === 'hanging') {
    const waiting = page.getByText('Still waiting for the server…').first();
    // The call that is awaited may be a later one than the first: on a busy machine a dialog begins late.
    for (let tries = 0; tries < (says === null ? 1 : 20) && !(await waiting.count()); tries++) {
      await page.clock.fastForward(8_500);
      await page.waitForTimeout(200);
    }
    if (says !== null) await waiting.waitFor({ state: 'attached' });
  } else if (says === null) {
    await until(() => visit.faults.length > 0);
    assert.match(visit.faults.splice(0).join(), 'ApiError', 'it is logged');
    assert.is(await page.locator('.toast').count(), 0, 'and no message');
  } else {
    // A call with a key is repeated before the app gives up.
    const { isOnce }: CallSpec = calls[call];
    for (let waited = 0; isOnce && waited < 10 && !(await message(page, says).count()); waited++) {
      await page.clock.fastForward(5_000);
      await page.waitForTimeout(200);
    }
    if (isOnce) assert.ok(made > 1, 'it was repeated');
    await saying(page, says);
  }

  await stays(page).waitFor();
  assert.ok(await page.locator('main').isVisible(), 'no white screen');
  assert.not.match(
    await page.locator('body').innerText(),
    /undefined|\bNaN\b|Invalid Date|\[object|Something went wrong|Internal Server Error/,
  );
  if (!isRead && !row.isBare && call !== 'changeRedeemStatus')
    assert.match(
      await stays(page).inputValue(),
      /(^|\\)Not to be lost$/,
      'what was typed, or the file that was chosen, is still there',
    );
  if (call === 'changeRedeemStatus' && fault !== 'hanging') {
    await page.getByText(/: Failed(, sending…| in 5 seconds)$/).waitFor({ state: 'detached' });
    assert.equal(
      [await stays(page).inputValue(), await stays(page).isEnabled()],
      ['pending', true],
      'it can be decided anew',
    );
  }
  broken = null;
  if (mended && fault !== 'hanging') {
    const place = (await page.getByRole('dialog').count()) ? page.getByRole('dialog') : page.locator('main');
    await button(place, 'Retry').first().click();
    await mended(page).waitFor();
    assert.is(await button(place, 'Retry').count(), 0);
  }
  assert.equal(visit.faults.splice(0), [], 'nothing unhandled in the console');
}

for (const row of additionRows) {
  test(`${row.call} fails on ${row.path.split('?')[0]}, and the screen stays`, async () => {
    await enter(row);
    for (const fault of faults) await fails(row, fault);
    assert.is(await message(visit.page, '').count(), 0);
  });
}

test.run();
