/** How the page begins: the form before the app, its policy, colours. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newGate } from '../server/gate';
import { enter, journey, newVisit, PASSWORD, people, type Visit } from './harness';

/** The app arrives when `release` is called. */
async function held({ page, url }: Visit): Promise<() => void> {
  const gate = newGate();
  await page.route(/\/assets\/(main|chunk)-/, async (route) => {
    await gate.opened;
    await route.continue();
  });
  await page.goto(url, { waitUntil: 'commit' });
  return gate.open;
}

journey('the login form is usable before any script has loaded, and keeps what was typed', async () => {
  const visit = await newVisit(),
    { page } = visit;
  const release = await held(visit);
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

journey('pressing Login before the app has arrived signs in once it has', async () => {
  const visit = await newVisit(),
    { page } = visit;
  const release = await held(visit);
  await page.getByLabel('Email').fill(people.ann);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  assert.not.match(page.url(), 'password');
  release();
  await page.getByText('Tenant Admin Panel').waitFor();
  assert.not.match(page.url(), 'password');
});

// Whatever it refuses is an error in the console, which fails every journey: light.test.ts goes to each screen.
journey('the policy of the page is strict [ASVS 3.4.3]', async () => {
  const { page, goTo } = await newVisit();
  await goTo('/');
  const policy = await page.evaluate(async () =>
    (await fetch(document.baseURI)).headers.get('Content-Security-Policy'),
  );
  assert.match(policy ?? '', /require-trusted-types-for 'script'/);
  assert.not.match(policy ?? '', /unsafe/);
});

journey('the chosen colours are there before anything is painted', async () => {
  const { page } = await enter('super', '/', { colorScheme: 'light' });
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

test.run();
