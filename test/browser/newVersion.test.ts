/** A new server behind an old page: the page says so, and a reload loses nothing that was typed. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { VERSION_HEADER } from '../../src/contract/version';
import { newVisit, type Visit } from './harness';
import { button, dialog, field, rows, searchUsers, settled, table } from './seen';

const NEW_VERSION = 'A new version is ready. What you have typed stays, except passwords.';
let visit: Visit;
test.after.each(() => visit.close());

/** From now on the server answers as another version. */
const upgrade = ({ page }: Visit) =>
  page.route(/\/api\/v1\//, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      headers: { ...answer.headers(), [VERSION_HEADER.toLowerCase()]: '9.0.0' },
    });
  });

test('a dialog keeps what was typed over the reload that is offered, and it is offered once', async () => {
  visit = await newVisit({ reducedMotion: 'reduce' });
  const { page, signIn, faults } = visit;
  await signIn('ann', '/users?search=a&size=25');
  await rows(table(page, 'Users')).first().waitFor();
  await settled(page);
  assert.is(await page.getByText(NEW_VERSION).count(), 0);

  await upgrade(visit);
  await searchUsers(page, 'an');
  await page.getByText(NEW_VERSION).waitFor();
  await settled(page);
  await button(rows(table(page, 'Users')).first(), 'Edit').click();
  const form = dialog(page, 'Edit User');
  await field(form, 'First Name').fill('Typed before');
  await form.getByRole('button', { name: 'Reload the page' }).click();
  await form.waitFor({ state: 'detached' });
  await rows(table(page, 'Users')).first().waitFor();
  assert.match(page.url(), /search=an&/);
  await settled(page);
  await button(rows(table(page, 'Users')).first(), 'Edit').click();
  await dialog(page, 'Edit User').getByText('What you typed before is still here.').waitFor();
  assert.is(await field(dialog(page, 'Edit User'), 'First Name').inputValue(), 'Typed before');
  assert.is(await page.getByText(NEW_VERSION).count(), 0, 'the reload brought no other app');
  assert.equal(faults, []);
});

test('when the files of the old app are gone, the page offers to reload it', async () => {
  visit = await newVisit();
  const { page, signIn, url } = visit;
  await page.route(/\/assets\/screens-/, (route) => route.fulfill({ status: 404, body: 'Not found' }));
  await page.route(url, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(/main-\w+\.js/g, 'main-NEWERONE.js');
    return route.request().resourceType() === 'fetch' ? route.fulfill({ response: answer, body }) : route.fallback();
  });
  await signIn('super');
  await page.getByRole('alert').getByText(NEW_VERSION).waitFor();
  await page.unroute(/\/assets\/screens-/);
  await page.getByRole('alert').getByRole('button', { name: 'Reload the page' }).click();
  await rows(table(page, 'Tenants')).first().waitFor();
});

test.run();
