/** A second factor from the first scan to its end, as somebody with a phone does it. */
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CODE_ASKED, CODE_WRONG } from '../../src/server/auth/twoFactor';
import { newVisit, PASSWORD, type Visit } from './harness';
import { button, chooseTool, dialog, field, message, rows, table } from './seen';

const AMOS = 'amos@acme.test',
  PAZ = 'paz@pacific.test';
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
const secretIn = async (page: Page) =>
  new URL(
    (await page.getByRole('link', { name: 'open the app on this device' }).getAttribute('href')) ?? '',
  ).searchParams.get('secret') ?? '';
async function recoveryCodes(page: Page): Promise<string[]> {
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  return list.getByRole('listitem').allInnerTexts();
}

let visit: Visit,
  secret = '',
  codes: string[] = [];
test.before(async () => {
  visit = await newVisit({ reducedMotion: 'reduce' });
});
test.after(() => visit.close());

async function enter(page: Page, email: string): Promise<void> {
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
}
const signOut = async (page: Page) => {
  await chooseTool(page, 'Logout');
  await button(page, 'Login').waitFor();
};

test('it is scanned, confirmed with a code, and gives recovery codes', async () => {
  const { page } = visit;
  await visit.goTo('/');
  await enter(page, AMOS);
  await chooseTool(page, 'Account');
  const factor = dialog(page, 'Account').getByRole('region', { name: 'Two-factor sign-in', exact: true });
  await field(factor, 'Password').fill(PASSWORD);
  await button(factor, 'Set up').click();
  const picture = await factor.getByRole('img', { name: 'QR code for the authenticator app' }).boundingBox();
  assert.ok(picture && picture.width >= 180 && picture.width === picture.height, JSON.stringify(picture));
  assert.ok(
    await field(factor, 'Code').evaluate((element) => element === document.activeElement),
    'the code is typed next',
  );
  secret = await secretIn(page);
  await page.keyboard.type(codeOf(secret));
  await page.keyboard.press('Enter');
  await message(page, 'Two-factor sign-in is on').waitFor();
  codes = await recoveryCodes(page);
  assert.is(codes.length, 10);
  await button(factor, 'I have saved them').click();
  await factor.getByText('Recovery codes left: 10.').waitFor();
  await button(dialog(page, 'Account'), 'Close').click();
  await signOut(page);
});

test('the next sign-in asks for a code, keeps what was typed, and takes each code once', async () => {
  const { page } = visit;
  await enter(page, AMOS);
  await page.getByText(CODE_ASKED).waitFor();
  const code = field(page, 'Code');
  assert.ok(await code.evaluate((element) => element === document.activeElement));
  assert.equal([await field(page, 'Email').inputValue(), await field(page, 'Password').inputValue()], [AMOS, PASSWORD]);
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await page.getByText(CODE_WRONG).waitFor();
  await page.waitForFunction(
    () =>
      document.activeElement instanceof HTMLInputElement &&
      document.activeElement.name === 'code' &&
      document.activeElement.value === '',
  );
  await page.keyboard.type(codes[0] ?? '');
  await page.keyboard.press('Enter');
  await button(page, 'Logout').waitFor();
  await signOut(page);
  await enter(page, AMOS);
  await field(page, 'Code').fill(codes[0] ?? '');
  await page.keyboard.press('Enter');
  await page.getByText(CODE_WRONG).waitFor();
  await page.waitForFunction(
    () =>
      document.activeElement instanceof HTMLInputElement &&
      document.activeElement.name === 'code' &&
      document.activeElement.value === '',
  );
  await page.keyboard.type(codes[3] ?? '');
  await page.keyboard.press('Enter');
  await button(page, 'Logout').waitFor();
});

test('a tenant that requires it leads its admins to set it up, on a phone too, and nowhere else', async () => {
  const { page } = visit,
    admin = await newVisit();
  const tenant = async (isRequired: boolean) => {
    await admin.goTo('/tenants');
    const row = rows(table(admin.page, 'Tenants')).filter({ hasText: 'Pacific' });
    await button(row, 'Edit').click();
    await field(dialog(admin.page, 'Edit Tenant'), 'Require two-factor sign-in').setChecked(isRequired);
    await button(dialog(admin.page, 'Edit Tenant'), 'Save').click();
    await message(admin.page, 'Tenant updated successfully').waitFor();
  };
  try {
    await admin.signIn('super');
    await tenant(true);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => localStorage.clear());
    await visit.goTo('/');
    await enter(page, PAZ);
    await page.getByText('Two-factor sign-in is required for your account. Set it up to continue.').waitFor();
    await page.reload();
    await field(page, 'Password').fill(PASSWORD);
    await button(page, 'Set up').click();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
    await field(page, 'Code').fill(codeOf(await secretIn(page)));
    await button(page, 'Turn on').click();
    assert.is((await recoveryCodes(page)).length, 10);
    await button(page, 'Continue').click();
    await page.getByRole('heading', { name: 'Tenant Admin Panel' }).waitFor();

    await tenant(false);
    await admin.goTo('/admins');
    await admin.page.getByLabel('Select Tenant').selectOption({ label: 'Pacific Reels' });
    await button(rows(table(admin.page, 'Admins')).filter({ hasText: PAZ }), 'Reset two-factor').click();
    await button(dialog(admin.page, 'Reset two-factor sign-in for this admin?'), 'Reset').click();
    await message(admin.page, 'Two-factor sign-in reset').waitFor();
    await page.reload();
    await button(page, 'Login').waitFor();
  } finally {
    await admin.close();
  }
});

test('all of it under the strict policy, with nothing in the console', () => {
  assert.equal(visit.faults, []);
});

test.run();
