/** One page in one real browser: how much it fetches, how long it takes on a slow line with a slow processor. */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { BLANK, type Host, type Sent } from './host';
import { conditions, probeSource } from './probe';

export interface Candidate {
  name: string;
  host: Host;
  /** What a signed-in person has in local storage. */
  storage: Record<string, string>;
}

/** 400 ms to an answer's first byte, 400 kbit/s each way, processor 4 times slower. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const CPU_SLOWER = 4;
const EVENT_STEP = 16; // an event below Event Timing's threshold is given its threshold
const PATIENCE_MS = 60_000;
const QUIET_MS = 1000;

const sleep = (ms: number) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

/** Signs in through the page's own form and returns what it left in local storage. */
export async function signIn(
  browser: Browser,
  host: Host,
  email: string,
  password: string,
): Promise<Record<string, string>> {
  const tab = await openTab(await browser.newContext(), conditions.login);
  await tab.page.goto(`${host.url}/login`);
  await reached(tab);
  await tab.page.fill('input[type=email]', email);
  await tab.page.fill('input[type=password]', password);
  await tab.page.press('input[type=password]', 'Enter');
  await until(tab, `localStorage.getItem('token') !== null`);
  await host.quiet(QUIET_MS);
  const storage = await evaluate<Record<string, string>>(tab, 'Object.fromEntries(Object.entries(localStorage))');
  await tab.page.context().close();
  return storage;
}

/**
 * What a first visit fetches, on a fast connection: to the login until no request is open, to the 50 users of a person
 * who is signed in what was requested before they were there.
 */
export async function weigh(browser: Browser, { host, storage }: Candidate, what: 'login' | 'users') {
  const context = await browser.newContext();
  const tab = await openTab(context, what === 'login' ? conditions.login : conditions.rows(50));
  await tab.page.goto(host.url + BLANK);
  if (what === 'users') await fillStorage(tab, storage);
  host.forget();
  await tab.page.goto(`${host.url}/${what}`);
  await reached(tab);
  const stoodAt = await evaluate<number>(tab, 'performance.timeOrigin + probe.at');
  await host.quiet(QUIET_MS);
  const all = host.sent(),
    sent = all.filter(({ isPrefetch, at }) => !isPrefetch && (what === 'login' || at <= stoodAt));
  await context.close();
  /** `furtherBytes` were requested ahead, or after the condition was met. */
  return { bytes: total(sent), requests: sent.length, furtherBytes: total(all) - total(sent), sent };
}
export type Weight = Awaited<ReturnType<typeof weigh>>;
const total = (sent: readonly Sent[]) => sent.reduce((sum, { bytes }) => sum + bytes, 0);

/** One round of everything that takes time. */
export async function time(browser: Browser, candidate: Candidate) {
  const login = await timeLogin(browser, candidate);
  const context = await browser.newContext();
  const first = await openTab(context, conditions.rows(50));
  await first.page.goto(candidate.host.url + BLANK);
  await fillStorage(first, candidate.storage);
  await slowDown(first);
  await first.page.goto(`${candidate.host.url}/users`, { waitUntil: 'commit' });
  const users = await reached(first);
  await sleep(2000);
  const usersBlocked = await evaluate<number>(first, 'probe.blocked');
  const interactions = await interact(first);
  await first.page.close();

  const second = await openTab(context, conditions.rows(50));
  await slowDown(second);
  await second.page.goto(`${candidate.host.url}/users`, { waitUntil: 'commit' });
  const usersWarm = await reached(second);
  const paintWarm = await firstPaint(second);
  await context.close();
  return { login, users, usersBlocked, usersWarm, paintWarm, ...interactions };
}
export type Times = Awaited<ReturnType<typeof time>>;

/** Until the form is painted; then types into it at once and sees that nothing of that is lost. */
async function timeLogin(browser: Browser, { name, host }: Candidate): Promise<number> {
  const context = await browser.newContext();
  const tab = await openTab(context, conditions.login);
  await tab.page.goto(host.url + BLANK);
  await slowDown(tab);
  await tab.page.goto(`${host.url}/login`, { waitUntil: 'commit' });
  const at = await reached(tab);
  await click(tab, `document.querySelector('input[type=email]')`);
  await type(tab, 'someone@', 50);
  await until(tab, `document.readyState === 'complete'`);
  for (let before = -1, now = 0; now !== before; await sleep(2500))
    [before, now] = [now, await evaluate<number>(tab, `performance.getEntriesByType('resource').length`)];
  const kept = await evaluate<string>(tab, `document.querySelector('input[type=email]').value`);
  if (kept !== 'someone@')
    throw new Error(`${name}: 'someone@' was typed into the login as soon as it stood, '${kept}' is left of it`);
  await context.close();
  return at;
}

/** On 200 users: sort, open a dialog, type into the search. */
async function interact(tab: Tab) {
  await wait(tab, conditions.rows(200));
  await tab.page.selectOption('select:has(option:text-is("200"))', '200');
  await reached(tab);
  await sleep(1000);

  const before = await evaluate<string[]>(
    tab,
    `[...document.querySelectorAll('tbody tr')].map((row) => row.textContent)`,
  );
  await wait(tab, conditions.rows(200, before), conditions.rowsInView(before));
  await click(
    tab,
    `[...document.querySelectorAll('th button')].find((button) => button.textContent.trim().startsWith('Email'))`,
  );
  const sortedAt = await reached(tab),
    inViewAt = await evaluate<number>(tab, 'probe.partAt'),
    clickedAt = await evaluate<number>(tab, 'probe.clickedAt');
  const answeredAt = await evaluate<number>(
    tab,
    `Math.max(...performance.getEntriesByType('resource')
      .filter((one) => one.name.includes('/user-management/users'))
      .map((one) => one.responseEnd))`,
  );
  if (!(answeredAt > clickedAt)) throw new Error('the sort asked the server for nothing');
  await sleep(500);
  const sortClick = await slowestEvent(tab, clickedAt - 500);

  await wait(tab, conditions.dialog);
  await click(
    tab,
    `[...document.querySelectorAll('tbody tr:nth-child(3) button')]
      .find((button) => button.textContent.trim() === 'Edit')`,
  );
  const openAt = await reached(tab),
    editAt = await evaluate<number>(tab, 'probe.clickedAt');
  const fetching = await evaluate<number>(
    tab,
    `(() => {
      const during = performance.getEntriesByType('resource').filter((one) => one.startTime >= ${editAt});
      if (!during.length) return 0;
      const startedAt = Math.min(...during.map((one) => one.startTime));
      return Math.max(...during.map((one) => one.responseEnd)) - startedAt;
    })()`,
  );
  await tab.page.keyboard.press('Escape');
  await sleep(500);

  await click(tab, `document.querySelector('input[type=search]')`);
  await sleep(500);
  const typedFrom = await evaluate<number>(tab, 'performance.now()');
  await type(tab, 'maria', 150);
  await sleep(1500);
  return {
    sortWhole: sortedAt - clickedAt,
    sortClick,
    sortRows: inViewAt - answeredAt,
    sortAll: sortedAt - answeredAt,
    dialog: openAt - editAt - fetching,
    typing: await slowestEvent(tab, typedFrom),
  };
}

const slowestEvent = (tab: Tab, since: number) =>
  evaluate<number>(
    tab,
    `Math.max(${EVENT_STEP}, ...probe.events
      .filter((event) => event.startTime >= ${since})
      .map((event) => event.duration))`,
  );

interface Tab {
  page: Page;
  cdp: CDPSession;
}

async function openTab(context: BrowserContext, condition: string): Promise<Tab> {
  const page = await context.newPage();
  await page.addInitScript(probeSource(condition));
  return { page, cdp: await context.newCDPSession(page) };
}

async function slowDown({ cdp }: Tab): Promise<void> {
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', SLOW);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER });
}

const fillStorage = (tab: Tab, storage: Record<string, string>) =>
  evaluate(tab, `Object.assign(localStorage, ${JSON.stringify(storage)}), 0`);

/** Straight through the protocol: unlike the page's own eval, it is not subject to the Content-Security-Policy. */
async function evaluate<T>({ cdp }: Tab, expression: string): Promise<T> {
  const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', { expression, returnByValue: true });
  if (exceptionDetails)
    throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
  return result.value;
}

const wait = (tab: Tab, condition: string, part = condition) =>
  evaluate(tab, `probe.wait(() => ${condition}, () => ${part}), 0`);

async function until(tab: Tab, condition: string): Promise<void> {
  for (const from = Date.now(); !(await evaluate<boolean>(tab, `Boolean(${condition})`)); await sleep(100)) {
    if (Date.now() - from > PATIENCE_MS)
      throw new Error(
        `never came true: ${condition}\n${await evaluate<string>(tab, 'document.body.innerText.slice(0, 500)')}`,
      );
  }
}

/** When what the tab waits for had been painted. */
async function reached(tab: Tab): Promise<number> {
  await until(tab, 'window.probe?.at > 0');
  return Math.max(await evaluate<number>(tab, 'probe.at'), await firstPaint(tab));
}

async function firstPaint(tab: Tab): Promise<number> {
  await until(tab, `performance.getEntriesByName('first-contentful-paint').length`);
  return evaluate<number>(tab, `performance.getEntriesByName('first-contentful-paint')[0].startTime`);
}

async function click(tab: Tab, element: string): Promise<void> {
  const [x, y] = await evaluate<[number, number]>(
    tab,
    `(() => {
      const element = ${element};
      element.scrollIntoView({ block: 'center', inline: 'center' });
      const box = element.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    })()`,
  );
  await sleep(300);
  for (const kind of ['mouseMoved', 'mousePressed', 'mouseReleased'] as const) {
    await tab.cdp.send('Input.dispatchMouseEvent', {
      type: kind,
      x,
      y,
      ...(kind === 'mouseMoved' ? {} : { button: 'left', clickCount: 1 }),
    });
  }
}

async function type(tab: Tab, text: string, everyMs: number): Promise<void> {
  for (const key of text) {
    await tab.cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key });
    await tab.cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key });
    await sleep(everyMs);
  }
}
