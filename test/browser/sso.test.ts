/** Single sign-on as a company has it: set up, in from a filtered address, out here and there; on a phone too. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CLIENT, startProvider } from '../identityProviders';
import { freePort } from '../openPort';
import type { Running } from '../server/running';
import { complaints } from './axe';
import { demoData, enter, journey, newVisit, PASSWORD, people, phone, startDemo } from './harness';
import { button, chooseTool, dialog, field, fits, message } from './seen';

const PLACE = '?search=a&size=25';

let server: Running, provider: Awaited<ReturnType<typeof startProvider>>;
const data = demoData();
let start: () => Promise<Running>;
test.before(async () => {
  const port = await freePort(),
    url = `http://127.0.0.1:${port}`;
  provider = await startProvider([`${url}/sso/2`], [`${url}/`]);
  provider.people.now = 'mona';
  provider.people.known = { mona: { email: people.mona, email_verified: true } };
  start = () => startDemo(data, { PORT: String(port), APP_URL: url, NOTIFY_PRIVATE_ADDRESSES: 'true' });
  server = await start();
});
test.after(async () => {
  await server.end('SIGTERM');
});

/** From the login at an address, by the button below it. */
async function comeIn(page: Page): Promise<void> {
  await field(page, 'Email').fill(people.mona);
  await button(page, 'Single sign-on').click();
  await page.locator('.who').or(button(page, 'Logout')).first().waitFor();
}

journey('a manager sets it up', async () => {
  for (const options of [{}, phone]) {
    const { page } = await enter('mona', '/', { ...options, url: server.url });
    await chooseTool(page, 'Team');
    await button(page, 'Single sign-on').click();
    const form = dialog(page, 'Single sign-on');
    await field(form, 'Issuer').fill(provider.issuer);
    await field(form, 'Client ID').fill(CLIENT.client_id);
    await field(form, 'Client secret').fill(CLIENT.client_secret);
    assert.equal(await complaints(page), []);
    await field(form, 'Your password').fill(PASSWORD);
    await button(form, 'Save').click();
    await message(page, 'Single sign-on saved').waitFor();
  }
});

journey('a colleague comes in from a filtered address, is there again, and is out here and there', async () => {
  await server.end('SIGTERM'); // a server looks every minute whether some tenant has it
  server = await start();
  for (const options of [{}, phone]) {
    const visit = await newVisit({ ...options, url: server.url }),
      { page } = visit,
      asked = provider.people.asked;
    await visit.goTo(PLACE);
    await button(page, 'Single sign-on').waitFor();
    assert.equal(await complaints(page), []);
    assert.ok(await fits(page));
    await comeIn(page);
    assert.is(page.url(), `${server.url}${PLACE}`);
    assert.is(provider.people.asked, asked + 1);
    await chooseTool(page, 'Logout');
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await button(page, 'Login').waitFor();
    assert.is(page.url(), server.url);
    await comeIn(page);
    assert.is(provider.people.asked, asked + 2, 'the provider had forgotten the browser');
  }
});

test.run();
