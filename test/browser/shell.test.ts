/** How the page begins: the form before the app, its policy, deep links, colours, and a phone's menu. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, PASSWORD, people, type Visit } from './harness';

let visit: Visit | undefined;
async function start(options: Parameters<typeof newVisit>[0] = {}): Promise<Visit> {
  await visit?.close();
  return (visit = await newVisit(options));
}
test.after(() => visit?.close());

test('the login form is usable before any script has loaded, and keeps what was typed', async () => {
  const { page, url } = await start();
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/(main|chunk)-/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByLabel('Email').fill(people.super);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Password').focus();
  const input = await page.getByLabel('Password').elementHandle();
  release();
  await page.waitForLoadState('networkidle');
  assert.is(await page.getByLabel('Email').inputValue(), people.super);
  assert.ok(
    await input?.evaluate((element) => element.isConnected && document.activeElement === element),
    'taken over, not drawn again',
  );
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('button', { name: 'Logout' }).waitFor();
});

test('the sample data name their accounts; at Lucky Harbor something waits for the second person', async () => {
  const { page, url, faults } = await start();
  await page.goto(url);
  await page.getByLabel('Sample data').selectOption('hana@harbor.test');
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByText('Tenant Admin Panel').waitFor();
  await page.goto(`${url}?tab=redeems`);
  await page.getByText('1 of 2, by finn', { exact: false }).waitFor();
  assert.equal(faults, []);
});

test('pressing Login before the app has arrived signs in once it has', async () => {
  const { page, url, faults } = await start();
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/(main|chunk)-/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByLabel('Email').fill(people.ann);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  assert.not.match(page.url(), 'password');
  release();
  await page.getByText('Tenant Admin Panel').waitFor();
  assert.not.match(page.url(), 'password');
  assert.equal(faults, []);
});

test('the strict policy of the page holds on every screen, and the console stays empty [ASVS 3.4.3]', async () => {
  const { page, faults, goTo, signIn } = await start();
  await signIn('super');
  for (const path of [
    '/tenants',
    '/platforms',
    '/admins',
    '/purchases',
    '/users',
    '/deposits',
    '/redeems',
    '/payment-methods',
    '/tenant/2/admin?tab=affiliate-tracking',
    '/tenant/2/admin?tab=platforms',
  ]) {
    await goTo(path);
    await page.getByRole('main').getByRole('heading').first().waitFor();
    await page.waitForLoadState('networkidle');
  }
  assert.equal(faults, []);
  const policy = await page.evaluate(async () =>
    (await fetch(document.baseURI)).headers.get('Content-Security-Policy'),
  );
  assert.match(policy ?? '', /require-trusted-types-for 'script'/);
  assert.not.match(policy ?? '', /unsafe/);
});

test('a deep link and a reload show the same screen, going back too', async () => {
  const { page, signIn } = await start();
  await signIn('super', '/users?search=zzzz-nobody');
  await page.getByText('No users found.').waitFor();
  await page.reload();
  await page.getByText('No users found.').waitFor();
  await page.getByRole('link', { name: 'Redeems' }).click();
  await page.getByRole('heading', { name: 'Redeems' }).waitFor();
  await page.goBack();
  await page.getByText('No users found.').waitFor();
});

test('the chosen colours are there before anything is painted', async () => {
  const { page, signIn } = await start({ colorScheme: 'light' });
  await signIn('super');
  await page.getByRole('button', { name: 'super@demo.test' }).click();
  await page.getByLabel('Colour mode').selectOption('dark');
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await background();
  await page.route(/\/assets\/(main|chunk|App)-/, () => undefined); // the app never arrives
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(
    () => document.documentElement.dataset['theme'] === 'dark' && document.styleSheets.length > 0,
  );
  assert.is(await background(), dark);
  assert.is(await page.getByRole('button', { name: 'Login' }).isVisible(), false);
});

test('on a phone the menu is a drawer; nothing of the page scrolls sideways', async () => {
  const { page, goTo, signIn } = await start({ viewport: { width: 390, height: 844 } });
  await signIn('super');
  for (const path of ['/tenants', '/users', '/purchases', '/platforms', '/tenant/2/admin']) {
    await goTo(path);
    await page.waitForLoadState('networkidle');
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
      `${path} is wider than the phone`,
    );
  }
  await goTo('/tenants');
  const button = page.getByRole('button', { name: '☰ Menu' });
  await button.click();
  await page.getByRole('dialog').getByRole('link', { name: 'Users' }).click();
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  assert.is(await page.getByRole('dialog').count(), 0);
});

test.run();
