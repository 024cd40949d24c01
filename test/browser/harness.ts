/** A real Chromium in front of the built server with its sample world; the runner starts both once and closes them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type Browser, type BrowserContextOptions, type Cookie, chromium, type Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { whenDone } from '../closing';
import { type Running, run } from '../server/running';

export const PASSWORD = 'demo-password';
export const people = {
  super: 'super@demo.test',
  ann: 'ann@acme.test',
  ben: 'ben@bravo.test',
  oli: 'oli@acme.test',
  fay: 'fay@acme.test',
  mona: 'mona@acme.test',
} as const;
export type Person = keyof typeof people;

/** Where Chromium is: CHROMIUM_PATH, or the first of the known names on the PATH. */
export function chromiumPath(): string | undefined {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return existsSync(given) ? given : undefined;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  // The headless shell has no windows of its own to draw, so it takes a part of the processor time.
  return ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find(existsSync);
}

/** Where its data are if not in a folder (test/citus.mjs). */
const databaseUrl = process.env['DEMO_DATABASE_URL'];
const chosen: Record<string, string> = databaseUrl
  ? { DATABASE_URL: databaseUrl, SECRET_KEY: '5a'.repeat(32), ALLOW_UNSAFE_DATABASE: 'true' }
  : {};

/** Starts the built server with --demo on these data, with room for more settings. */
export async function startDemo(dataDir: string, env: Record<string, string> = {}): Promise<Running> {
  const entry = resolve('build/server/main.mjs');
  const running = await run({ dataDir, args: ['--demo'], entry, env: { LOG_LEVEL: 'error', ...chosen, ...env } });
  if (!running.url) throw new Error(`The server did not start: ${running.stderr()}`);
  return running;
}

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'browser-'));
  whenDone(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
/** Writes the sample data, which take fifteen seconds of processor time: once a run, by the runner. */
export async function writeDemoData(dataDir: string): Promise<void> {
  const running = await startDemo(dataDir);
  await running.end('SIGTERM');
}
/** A folder of its own with the sample data. */
export function demoData(): string {
  const dataDir = join(temporaryFolder(), 'data');
  const written = process.env['DEMO_DATA'];
  // With its owners: the database runs as another user.
  if (written && !databaseUrl) execFileSync('cp', ['-a', written, dataDir]);
  return dataDir;
}

let server: Promise<Running> | undefined;
/** The server in front of which most of the tests of a process stand. */
export const startedServer = (): Promise<Running> =>
  (server ??= (async () => {
    const running = await startDemo(demoData());
    whenDone(async () => {
      await running.end('SIGTERM');
    });
    return running;
  })());

let browser: Promise<Browser> | undefined;
export const startedBrowser = (): Promise<Browser> =>
  (browser ??= (async () => {
    const executablePath = chromiumPath();
    if (!executablePath) throw new Error('No Chromium found: install it, or set CHROMIUM_PATH to one.');
    const started = await chromium.launch({
      executablePath,
      // Nothing of the browser's own may be on the line.
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    whenDone(() => started.close());
    return started;
  })());

export interface Visit {
  page: Page;
  /** The app's address, with the closing slash. */
  url: string;
  /** What the page threw, said in the console as an error, or was kept from doing by its policy. */
  faults: string[];
  /** Opens an address of the app, signed in or not. */
  goTo(path: string): Promise<void>;
  /** At an address of the app, by default the first screen; on a page that is open already, by its form. */
  signIn(person: Person, path?: string): Promise<void>;
  close(): Promise<void>;
}

/** What the form has left in a profile: whoever signs in again, at the same place, is signed in by it. */
const signedIn = new Map<string, { items: [key: string, value: string][]; cookies: Cookie[] }>();

export type VisitOptions = BrowserContextOptions & { url?: string };
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const open = new Set<Visit>();
export async function closeVisits(): Promise<void> {
  for (const visit of open) await visit.close();
}
/** A test in which nothing may go wrong in any page that is open. Visits that it begins end with it. */
export const journey = (name: string, run: () => Promise<unknown>): void =>
  test(name, async () => {
    const before = new Set(open);
    try {
      await run();
      assert.equal(
        [...open].flatMap(({ faults }) => faults.splice(0)),
        [],
      );
    } finally {
      for (const visit of open) if (!before.has(visit) && visit !== last?.visit) await visit.close();
    }
  });
/** A visit of somebody who has signed in. */
export async function enter(person: Person, path = '/', options: VisitOptions = {}): Promise<Visit> {
  const visit = await newVisit(options);
  await visit.signIn(person, path);
  return visit;
}

/**
 * A fresh browser profile, without moving pictures; `url` is another place where the app is served, by default the
 * server's own.
 */
export async function newVisit(options: VisitOptions = {}): Promise<Visit> {
  const { url = (await startedServer()).url, ...context } = options;
  const profile = await (await startedBrowser()).newContext({
    ...{ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' },
    ...context,
  });
  const page = await profile.newPage(),
    faults: string[] = [];
  page.setDefaultTimeout(30_000);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // Chromium itself reports every refused call as an error; refusals are what some tests are about.
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/logout')) signedIn.clear();
  });
  const goTo = async (path: string) => {
    await page.goto(url + path.replace(/^\//, ''));
  };
  const visit: Visit = {
    page,
    url,
    faults,
    goTo,
    async signIn(person, path = '/') {
      const who = `${person} ${url}`,
        state = signedIn.get(who),
        isFresh = page.url() === 'about:blank';
      // On a phone Logout is in the menu.
      const inside = page.getByRole('button', { name: 'Logout' }).or(page.locator('.who')).first();
      if (isFresh && state) {
        // A page of the same place, without the app.
        await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: '' }), { times: 1 });
        await goTo('/');
        await page.evaluate((all) => {
          for (const [key, value] of all) localStorage.setItem(key, value);
        }, state.items);
        await profile.addCookies(state.cookies);
      }
      if (isFresh) await goTo(path);
      if (!isFresh || !state) {
        await page.getByLabel('Email').fill(people[person]);
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Login' }).click();
        await inside.waitFor();
        const items = await page.evaluate(() => Object.entries(localStorage));
        signedIn.set(who, { items, cookies: await profile.cookies() });
      }
      await inside.waitFor();
    },
    close: () => {
      open.delete(visit);
      return profile.close();
    },
  };
  open.add(visit);
  return visit;
}

let last: { visit: Visit; asked: string } | undefined;
/**
 * A screen as this person sees it, once its heading and its lists are there. Who looks in the same way again stays
 * signed in, so a file that uses it closes what is open at its end.
 */
export async function see(person: Person, path: string, options: VisitOptions = {}): Promise<Page> {
  const asked = JSON.stringify([person, options]);
  if (last && open.has(last.visit) && last.asked === asked) await last.visit.goTo(path);
  else {
    await last?.visit.close();
    last = { visit: await enter(person, path, options), asked };
  }
  const { page } = last.visit;
  await page.locator('main h2').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
  return page;
}
