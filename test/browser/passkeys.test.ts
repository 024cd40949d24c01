/**
 * Passkeys in Chromium with an authenticator of its own: added, used alone and in place of a code, removed; and the
 * second factor whose code it takes the place of.
 */
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../openPort';
import type { Running } from '../server/running';
import { complaints } from './axe';
import { closeVisits, demoData, journey, newVisit, PASSWORD, people, phone, startDemo, type Visit } from './harness';
import { box, button, chooseTool, dialog, field, fits, hasFocus, message, rows, table } from './seen';

let server: Running,
  visit: Visit,
  codes: string[] = [];
test.before(async () => {
  const port = String(await freePort());
  const url = `http://localhost:${port}/`;
  server = await startDemo(demoData(), { PORT: port, APP_URL: url });
  // Chromium keeps an authenticator for the page; the policy would keep axe from looking.
  visit = await newVisit({ url, viewport: phone.viewport, bypassCSP: true });
  const cdp = await visit.page.context().newCDPSession(visit.page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
});
test.after(async () => {
  await closeVisits();
  await server.end('SIGTERM');
});

const enter = async (page: Page) => {
  await field(page, 'Email').fill(people.ann);
  await field(page, 'Password').fill(PASSWORD);
  await button(page, 'Login').click();
};
const signOut = async (page: Page) => {
  await chooseTool(page, 'Logout');
  await button(page, 'Login').waitFor();
};
const isIn = async (page: Page) => {
  await page.locator('.who').waitFor();
  assert.is(await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').email), people.ann);
};
const openAccount = async (page: Page) => {
  await chooseTool(page, 'Account');
  return dialog(page, 'Account').getByRole('region', { name: 'Passkeys', exact: true });
};
/** The sign-in page says that there are passkeys, at the latest ten seconds after the first. */
async function findLogin({ page, goTo }: Visit): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    await goTo('/');
    await button(page, 'Login').waitFor();
    if ((await page.locator('html[data-passkeys]').count()) > 0) return;
    await page.waitForTimeout(500);
  }
  throw new Error('the login offers no passkey');
}
const looksWell = async (page: Page, what: string) => {
  assert.ok(await fits(page), `${what} sticks out`);
  assert.equal(await complaints(page), [], what);
};

journey('it is added under Account, on a phone, with the password', async () => {
  const { page } = visit;
  await visit.goTo('/');
  assert.is(await button(page, 'Use a passkey').count(), 0, 'nobody has one yet');
  await enter(page);
  const passkeys = await openAccount(page);
  await button(passkeys, 'Add passkey').click();
  const add = dialog(page, 'Add passkey');
  await looksWell(page, 'Add passkey');
  await field(add, 'Name').fill('Phone');
  await field(add, 'Your password').fill(PASSWORD);
  await button(add, 'Add').click();
  await message(page, 'Passkey added').waitFor();
  await rows(table(page, 'Your passkeys')).filter({ hasText: 'Phone' }).waitFor();
  await looksWell(page, 'Account');
  await button(dialog(page, 'Account'), 'Close').click();
  await signOut(page);
});

journey('one press signs in alone', async () => {
  const { page } = visit;
  await findLogin(visit);
  await button(page, 'Use a passkey').waitFor();
  await looksWell(page, 'the login');
  await button(page, 'Use a passkey').click();
  await isIn(page);
});

journey('where a code is asked for, it takes its place', async () => {
  const { page } = visit;
  await openAccount(page);
  const factor = dialog(page, 'Account').getByRole('region', { name: 'Two-factor sign-in', exact: true });
  await field(factor, 'Password').fill(PASSWORD);
  await button(factor, 'Set up').click();
  const picture = await box(factor.getByRole('img', { name: 'QR code for the authenticator app' }));
  assert.ok(picture.width >= 180 && picture.width === picture.height, JSON.stringify(picture));
  assert.ok(await hasFocus(field(factor, 'Code')), 'the code is typed next');
  const link = page.getByRole('link', { name: 'open the app on this device' });
  const secret = new URL((await link.getAttribute('href')) ?? '').searchParams.get('secret') ?? '';
  await field(factor, 'Code').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await button(factor, 'Turn on').click();
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  codes = await list.getByRole('listitem').allInnerTexts();
  await button(factor, 'I have saved them').click();
  await button(dialog(page, 'Account'), 'Close').click();
  await signOut(page);
  await findLogin(visit);
  await enter(page);
  await field(page, 'Code').waitFor();
  assert.ok(await hasFocus(field(page, 'Code')));
  assert.is(await field(page, 'Password').inputValue(), PASSWORD, 'what was typed is kept');
  await button(page, 'Use a passkey').click();
  await isIn(page);
  await signOut(page);
});

journey('at an address that is not the app’s the browser refuses it, and says so', async () => {
  const { page } = visit;
  await page.goto(server.url.replace('localhost', '127.0.0.1'));
  await button(page, 'Use a passkey').click();
  await page.getByText('Passkeys do not work at this address of the app.').waitFor();
  await findLogin(visit);
  await button(page, 'Use a passkey').click();
  await isIn(page);
});

journey('it is removed with password and code', async () => {
  const { page } = visit;
  const passkeys = await openAccount(page);
  await button(passkeys, 'Remove').click();
  const remove = dialog(page, 'Remove this passkey?');
  await field(remove, 'Your password').fill(PASSWORD);
  await field(remove, 'Code').fill(codes[0] ?? '');
  await looksWell(page, 'Remove this passkey?');
  await button(remove, 'Remove').click();
  await message(page, 'Passkey removed').waitFor();
  await page.getByText('No passkeys yet').waitFor();
});

test.run();
