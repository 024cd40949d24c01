/** The main job in another engine than Chromium's. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PASSWORD, people, startedServer, type Visit } from '../browser/harness';
import { mainJourney } from '../browser/mainJourney';
import { balancesOf, choose, field, heading, rowWith, searchUsers, settled, table } from '../browser/seen';
import { type Driver, missing } from './driver';
import { DrivenPage } from './page';

/** What goes wrong in a page from now on. */
function heed(): void {
  const faults: string[] = (window.faults = []),
    tell = (kind: string, what: unknown) => faults.push(`${kind}: ${String(what)}`);
  addEventListener('error', ({ message, error }) => tell('error', error ?? message));
  addEventListener('unhandledrejection', ({ reason }) => tell('rejection', reason));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    tell('policy', `${violatedDirective} ${blockedURI}`),
  );
  for (const kind of ['error', 'warn'] as const)
    console[kind] = (...all: unknown[]) => tell(kind, all.map(String).join(' '));
}
declare global {
  interface Window {
    faults?: string[];
  }
}

/** The main job, told as the tests of an engine. */
export function testEngine(name: string, start: () => Promise<Driver>): void {
  const test = suite(name);
  let driver: Driver;
  test.before(async () => {
    assert.equal(missing(), [], 'Not installed (Debian: apt-get install)');
    driver = await start();
  });
  test.after(() => driver?.end());

  test('a super admin opens and adds tenants, edits a player, settles a purchase; a deep link shows it', async () => {
    const { url } = await startedServer(),
      page = new DrivenPage(driver).asPage;
    const visit: Visit = {
      page,
      url,
      faults: [],
      close: async () => undefined,
      async goTo(path) {
        await page.goto(url + path.replace(/^\//, ''));
        await page.evaluate(heed);
      },
      async signIn(person) {
        await visit.goTo('/');
        await field(page, 'Email').fill(people[person]);
        await field(page, 'Password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Login' }).click();
        await page.getByRole('button', { name: 'Logout' }).waitFor();
      },
    };
    const faults = () => page.evaluate(() => window.faults);
    const { player } = await mainJourney(visit, name);
    assert.equal(await faults(), []);

    await visit.goTo(`/users?search=${encodeURIComponent(player.email)}`);
    const row = rowWith(table(page, 'Users'), player.email);
    await row.waitFor();
    await settled(page);
    assert.equal(await balancesOf(row), player.balances);
    await choose(page, 'Screens', 'Tenants');
    await heading(page, 'Tenants').waitFor();
    await page.goBack();
    await row.waitFor();
    await searchUsers(page, '');
    await page.getByText(/^Showing 1 to 50 of /).waitFor();
    await page.getByRole('button', { name: 'Logout' }).click();
    await field(page, 'Email').waitFor();
    assert.is(await page.evaluate(() => localStorage.length), 0);
    assert.equal(await faults(), []);
  });

  test.run();
}
