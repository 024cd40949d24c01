/** Each call of the specification times each failure of a connection or server, in a browser with another server. */
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CallName, type CallSpec, calls } from '../../src/contract/calls';
import { type FaultRow, faultRows } from './faultRows';
import { type Fault, type ForeignServer, faults, startForeignServer } from './foreignServer';
import { newVisit, type Visit } from './harness';
import { message, saying, settled } from './seen';

const test = suite('Each call, each fault, in a real browser');

/** What went wrong, by row. Each row has a browser profile and a server of its own; a few run at a time. */
const AT_ONCE = 3;
const outcomes = new Map<FaultRow, string>();
test.before(async () => {
  const queue = [...faultRows];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const foreign = await startForeignServer('dist');
      for (let row = queue.shift(); row; row = queue.shift())
        outcomes.set(row, await tried(row, foreign).catch(String));
      await foreign.stop();
    }),
  );
});

const specified = (Object.entries(calls) as [CallName, CallSpec][])
  .filter(([, call]) => !call.feature)
  .map(([name]) => name);
test('every call of the specification has its row', () => {
  assert.equal(
    specified.filter((name) => !faultRows.some(({ call }) => call === name)),
    [],
  );
});

const isRead = ({ call }: FaultRow) => calls[call].method === 'GET';
const isLogin = ({ call }: FaultRow) => call === 'login' || call === 'loginToTenant';
const wordsFor = ({ says }: FaultRow, fault: Fault) => (typeof says === 'function' ? says(fault) : says);
/** These end what the row has opened, so they come last and start afresh. */
const ends = (row: FaultRow, fault: Fault) =>
  fault === 'hanging' || (fault === '401' && !isLogin(row)) || (fault === 'empty 200' && !isRead(row) && !isLogin(row));

/** What has been typed or chosen and not sent yet. */
const typed = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
        'dialog[open] :is(input, select), form :is(input, select)',
      ),
    ].map(({ value }) => value),
  );

interface Trial {
  visit: Visit;
  row: FaultRow;
  foreign: ForeignServer;
}

async function enter({ visit, row, foreign }: Trial): Promise<void> {
  foreign.fail(row.call, null);
  await visit.goTo(row.path);
  await visit.page
    .locator(row.who === 'nobody' ? 'main form' : 'main h2')
    .first()
    .waitFor();
  await settled(visit.page);
  await row.open?.(visit.page);
  await settled(visit.page);
}

/** Leaves the screen and comes back. */
async function again({ page }: Visit, { path, who }: FaultRow): Promise<void> {
  const away = who === 'ann' ? '/?tab=deposits' : path === '/deposits' ? '/redeems' : '/deposits';
  const go = (to: string) => page.evaluate((to) => history.pushState(null, '', to), to);
  await go(away);
  await page
    .getByRole('heading', { name: away === '/redeems' ? 'Redeems' : 'Deposits (Platform Only)', exact: true })
    .waitFor();
  await go(path);
}

async function fails({ visit, row, foreign }: Trial, fault: Fault): Promise<void> {
  const { page } = visit,
    before = await typed(page),
    made = foreign.recorded.length,
    words = wordsFor(row, fault);
  const isMade = () => foreign.recorded.slice(made).some(({ name }) => name === row.call);
  const act = () => row.act?.(page) ?? again(visit, row);
  foreign.fail(row.call, fault);
  await act();

  if (fault === 'hanging') {
    for (let waited = 0; !isMade() && waited < 5000; waited += 20) await page.waitForTimeout(20);
    await page.clock.fastForward(8_500);
    await page.getByText('Still waiting for the server…').first().waitFor({ state: 'attached' });
  } else if (fault === '401' && !isLogin(row)) {
    await page.getByRole('button', { name: 'Login' }).waitFor();
    assert.equal(await page.evaluate(() => [location.pathname, localStorage.length]), ['/', 0]);
  } else if (row.done && fault === 'empty 200') {
    await saying(page, row.done);
  } else if (words === null) {
    for (let waited = 0; !visit.faults.length && waited < 5000; waited += 20) await page.waitForTimeout(20);
    assert.match(visit.faults.join(), 'ApiError', 'it is logged');
    assert.is((await message(page, '').count()) + (await page.locator('.toast').count()), 0, 'and no message');
  } else if (row.at) {
    await row
      .at(page)
      .getByText(words)
      .or(row.at(page).filter({ hasText: words }))
      .first()
      .waitFor();
  } else {
    await saying(page, words);
  }

  assert.ok(isMade(), 'the call was made');
  if (!ends(row, fault) && (!isRead(row) || row.open))
    assert.equal(await typed(page), before, 'what was typed is still there');
  const shown = await page.locator('body').innerText();
  assert.ok((await page.locator('main').isVisible()) && shown.length > 20, 'no white screen');
  assert.not.match(shown, /undefined|\bNaN\b|Invalid Date|\[object|Something went wrong/);
  const isLogged = row.says === null || row.call === 'getDashboardMetrics';
  assert.equal(
    visit.faults.splice(0).filter((words) => !(isLogged && /ApiError/.test(words))),
    [],
    'nothing unhandled in the console',
  );
}

/** Well again, so that the next failure is not taken for this one. */
async function mend({ visit: { page }, row, foreign }: Trial): Promise<void> {
  foreign.fail(row.call, null);
  if (row.call !== 'getDashboardMetrics') return;
  await row.act?.(page);
  await page.getByText('Failed to load metrics').waitFor({ state: 'detached' });
}

/** Everything that can go wrong with a row's call, one after another; '' when the app shows each as it should. */
async function tried(row: FaultRow, foreign: ForeignServer): Promise<string> {
  const visit = await newVisit({ url: `${foreign.url}/`, reducedMotion: 'reduce' }),
    { page } = visit,
    wrong: string[] = [];
  page.on('dialog', (asking) => void asking.accept());
  page.setDefaultTimeout(10_000);
  await page.clock.install();
  if (row.who !== 'nobody') {
    await page.addInitScript((isSuper) => {
      localStorage.setItem('token', 'token-of-somebody');
      localStorage.setItem(
        'user',
        JSON.stringify({
          role: { name: isSuper ? 'super_admin' : 'admin', is_super_admin: isSuper },
          tenant_id: isSuper ? 1 : 2,
        }),
      );
    }, row.who === 'sue');
  }
  const at = { visit, row, foreign };
  try {
    await enter(at);
    for (const fault of [...faults].sort((a, b) => Number(ends(row, a)) - Number(ends(row, b)))) {
      try {
        await fails(at, fault);
        if (ends(row, fault)) await enter(at);
        else await mend(at);
      } catch (error) {
        wrong.push(`${fault}: ${String(error).split('\n').slice(0, 3).join(' ')}`);
        visit.faults.length = 0;
        await enter(at);
      }
    }
  } finally {
    await visit.close();
  }
  return wrong.join('\n');
}

for (const row of faultRows) {
  test(`${row.call} fails in every way on ${row.path}, and the app says so`, () => {
    assert.is(outcomes.get(row), '');
  });
}

test.run();
