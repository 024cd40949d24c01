/** How the page begins: the form before the app, its policy, deep links, colours, and a new version behind an old page. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { VERSION_HEADER } from '../../src/contract/version';
import { enter, journey, newVisit, PASSWORD, people, type Visit } from './harness';
import { button, dialog, field, rows, searchUsers, settled, table } from './seen';

/** The app arrives when `release` is called. */
async function held({ page, url }: Visit): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/(main|chunk)-/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto(url, { waitUntil: 'commit' });
  return () => release();
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

journey('the sample data name their accounts; at Lucky Harbor something waits for the second person', async () => {
  const { page, url } = await newVisit();
  await page.goto(url);
  await page.getByLabel('Sample data').selectOption('hana@harbor.test');
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByText('Tenant Admin Panel').waitFor();
  await page.goto(`${url}?tab=redeems`);
  await page.getByText('1 of 2, by finn', { exact: false }).waitFor();
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

journey('the strict policy of the page holds on every screen, and the console stays empty [ASVS 3.4.3]', async () => {
  const { page } = await enter('super');
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
    await page.evaluate((to) => history.pushState(null, '', to), path);
    await page.getByRole('main').getByRole('heading').first().waitFor();
    await settled(page);
  }
  const policy = await page.evaluate(async () =>
    (await fetch(document.baseURI)).headers.get('Content-Security-Policy'),
  );
  assert.match(policy ?? '', /require-trusted-types-for 'script'/);
  assert.not.match(policy ?? '', /unsafe/);
});

journey('a deep link and a reload show the same screen, going back too', async () => {
  const { page } = await enter('super', '/users?search=zzzz-nobody');
  await page.getByText('No users found.').waitFor();
  await page.reload();
  await page.getByText('No users found.').waitFor();
  await page.getByRole('link', { name: 'Redeems' }).click();
  await page.getByRole('heading', { name: 'Redeems' }).waitFor();
  await page.goBack();
  await page.getByText('No users found.').waitFor();
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

const NEW_VERSION = 'A new version is ready. What you have typed stays, except passwords.';
journey(
  'before a server of another version a dialog keeps what was typed over the reload that is offered',
  async () => {
    const { page } = await enter('ann', '/users?search=a&size=25', { reducedMotion: 'reduce' });
    await settled(page);
    assert.is(await page.getByText(NEW_VERSION).count(), 0);
    await page.route(/\/api\/v1\//, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), [VERSION_HEADER.toLowerCase()]: '9.0.0' } });
    });
    await searchUsers(page, 'an');
    await page.getByText(NEW_VERSION).waitFor();
    await settled(page);
    const edit = button(rows(table(page, 'Users')).first(), 'Edit'),
      form = dialog(page, 'Edit User');
    await edit.click();
    await field(form, 'First Name').fill('Typed before');
    await form.getByRole('button', { name: 'Reload the page' }).click();
    await form.waitFor({ state: 'detached' });
    await rows(table(page, 'Users')).first().waitFor();
    await settled(page);
    await edit.click();
    await form.getByText('What you typed before is still here.').waitFor();
    assert.is(await field(form, 'First Name').inputValue(), 'Typed before');
    assert.is(await page.getByText(NEW_VERSION).count(), 0, 'the reload brought no other app');
  },
);

test.run();
