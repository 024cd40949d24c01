/** axe-core finds nothing on what everybody and a super admin sees, light, dark and narrow. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { complaints, inAllLooks, look, options, type Rules } from './axe';
import { superAdditions, superViews } from './axeViews';
import { enter, journey, newVisit } from './harness';
import { button, dialog, field, heading, rows, settled, table } from './seen';

journey("axe finds nothing on a super admin's screens and dialogs", () => look('super', superViews));
journey("axe finds nothing on what a super admin's server offers besides", () => look('super', superAdditions));

journey('axe finds nothing on a queue with a row in hand and a decision not sent yet', async () => {
  const { page } = await enter('super', '/redeems?status=pending', options);
  await rows(table(page, 'Redeems')).first().waitFor();
  await settled(page);
  await page.evaluate(() => {
    // there is time to look
    const wait = window.setTimeout;
    Reflect.set(window, 'setTimeout', (run: () => void, ms?: number, ...args: unknown[]) =>
      wait(run, ms === 5000 ? 2 ** 30 : ms, ...args),
    );
  });
  await rows(table(page, 'Redeems')).first().focus();
  await page.keyboard.press('s');
  await page.keyboard.press('f');
  await page.getByText(/: Failed in 5 seconds$/).waitFor();
  const found = await inAllLooks(page, 'Redeems, two decided');
  for (const left of [1, 0]) {
    await button(page, 'Undo').first().click();
    assert.is(await button(page, 'Undo').count(), left);
  }
  assert.is(found.join('\n'), '');
});

journey('axe finds nothing on the dialogs of a login that offers links by email', async () => {
  const { page, goTo } = await newVisit(options);
  // the server of the sample data has no mail server: the page says what that of another would say
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      document.documentElement.dataset['mail'] = '';
    });
  });
  await goTo('/');
  await button(page, 'Forgot your password?').click();
  await dialog(page, 'Forgot your password?').waitFor();
  const found = await inAllLooks(page, 'Forgot your password?');
  await goTo('/purchases#password=made-up');
  await dialog(page, 'Choose a password').waitFor();
  await field(page, 'New password').fill('nine purple lanterns');
  await button(page, 'Save').click();
  await page.getByText('This link was used before or is too old').first().waitFor();
  found.push(...(await inAllLooks(page, 'Choose a password, refused')));
  assert.is(found.join('\n'), '');
});

/** Signed in as the page's own storage says it. */
async function pretend(page: Page, role: string, features: string[]): Promise<void> {
  await page.evaluate(
    ([role, features]) => {
      const user = { role: { name: role, is_super_admin: false }, tenant_id: 2, features };
      localStorage.setItem('token', 'somebody');
      localStorage.setItem('user', JSON.stringify(user));
    },
    [role, features] as const,
  );
  await page.reload();
}
journey('axe finds nothing on the login, refused too, on Unauthorized and on the drawer of a phone', async () => {
  const visit = await newVisit(options),
    { page } = visit;
  await visit.goTo('/');
  const found = await inAllLooks(page, 'Login');
  await button(page, 'Login').click();
  await page.getByText('Email is required').waitFor();
  found.push(...(await inAllLooks(page, 'Login, nothing typed')));
  await field(page, 'Email').fill('oli@acme.test');
  await field(page, 'Password').fill('demo-password');
  await button(page, 'Login').click();
  await page.getByText('Not an admin or super admin.').waitFor();
  found.push(...(await inAllLooks(page, 'Login, refused')));
  const detail = 'Enter the code from your authenticator app, or a recovery code';
  const refusal = { status: 401, json: { detail, code: 'second_factor' } };
  await page.route('**/auth/login/json', (route) => route.fulfill(refusal), { times: 1 });
  await button(page, 'Login').click();
  await field(page, 'Code').waitFor();
  found.push(...(await inAllLooks(page, 'Login, a code asked for')));
  await pretend(page, 'admin', ['logout', 'account', 'two_factor_setup']);
  await heading(page, 'Two-factor sign-in').waitFor();
  found.push(...(await inAllLooks(page, 'Two-factor sign-in to be set up')));
  await pretend(page, 'support', []);
  await heading(page, 'Unauthorized').waitFor();
  found.push(...(await inAllLooks(page, 'Unauthorized')));
  await button(page, 'Logout').click();

  await page.setViewportSize({ width: 390, height: 844 });
  await visit.signIn('super');
  await page.getByRole('button', { name: '☰ Menu' }).click();
  await page.getByRole('dialog').waitFor();
  found.push(...(await complaints(page)).map((words) => `Drawer: ${words}`));
  await page.emulateMedia({ colorScheme: 'dark' });
  found.push(...(await complaints(page, 'colours')).map((words) => `Drawer, dark: ${words}`));
  assert.is(found.join('\n'), '');
});

const rulesBroken = async (page: Page, which?: Rules) =>
  (await complaints(page, which)).map((words) => words.split(':')[0]).sort();

journey('axe sees what is wrong, on the page and in a dialog', async () => {
  const { page } = await enter('super', '/platforms', options);
  const chip = page.getByRole('button', { name: /^New Sign Ups Today: \d/ });
  await chip.waitFor(); // nothing stands before the app does
  await settled(page);
  const spoil = () =>
    page.evaluate(() => {
      const pale = document.createElement('p'),
        image = document.createElement('img');
      pale.textContent = 'hardly there';
      pale.style.cssText = 'color: #ccc; background: #fff';
      image.src = 'icon.svg';
      (document.querySelector('dialog[open] article') ?? document.querySelector('main'))?.prepend(pale, image);
    });
  await spoil();
  assert.equal(await rulesBroken(page), ['color-contrast', 'image-alt']);
  assert.equal(await rulesBroken(page, 'colours'), ['color-contrast']);
  await chip.click();
  await page.getByRole('dialog').waitFor();
  await settled(page);
  await spoil();
  assert.equal(await rulesBroken(page), ['color-contrast', 'image-alt']);
});

test.run();
