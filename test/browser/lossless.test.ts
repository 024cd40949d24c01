/** Nothing typed or shown once is lost: by Escape, by a reload, by the end of the session, by a hasty hand. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, PASSWORD, type Visit } from './harness';
import { button, callByHand, choice, chooseTool, dialog, field, rows, searchUsers, settled, table } from './seen';

const _ENDED = 'Your session has ended. Sign in again to continue where you were.';
let visit: Visit, page: Page;
test.before(async () => {
  visit = await newVisit({ reducedMotion: 'reduce', acceptDownloads: true });
  page = visit.page;
  await visit.signIn('ann');
});
test.after(() => visit.close());

const focused = () => page.evaluate(() => document.activeElement?.textContent);
async function editFirst(): Promise<ReturnType<typeof dialog>> {
  await visit.goTo('/users?search=a&size=25');
  await rows(table(page, 'Users')).first().waitFor();
  await settled(page);
  return reopen();
}
async function reopen() {
  await button(rows(table(page, 'Users')).first(), 'Edit').click();
  await dialog(page, 'Edit User').waitFor();
  return dialog(page, 'Edit User');
}

test('Escape asks as often as it is pressed; Enter keeps, Tab and Enter discard, all by keyboard', async () => {
  const form = await editFirst();
  const before = await field(form, 'First Name').inputValue();
  await field(form, 'First Name').fill('Typed');
  const cancel = await button(form, 'Cancel').boundingBox();
  for (let n = 0; n < 3; n++) {
    await page.keyboard.press('Escape');
    assert.is(await focused(), 'Keep editing');
    const keep = await button(form, 'Keep editing').boundingBox();
    assert.ok(keep && cancel && Math.abs(keep.y - cancel.y) < 2, 'where the buttons were: nothing moves');
    await page.keyboard.press('Escape');
    assert.is(await form.getByText('Discard changes?').count(), 0);
    assert.is(await field(form, 'First Name').inputValue(), 'Typed');
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  assert.is(await field(form, 'First Name').inputValue(), 'Typed', 'Enter keeps');
  await button(form, 'Cancel').click();
  await page.keyboard.press('Tab');
  assert.is(await focused(), 'Discard');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  assert.is(await field(await reopen(), 'First Name').inputValue(), before);
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
});

test('a note survives its drawer, which the Back button closes', async () => {
  await visit.goTo('/users');
  await searchUsers(page, 'a');
  await button(rows(table(page, 'Users')).first(), 'View').click();
  await settled(page);
  await button(page.getByRole('dialog'), 'Notes').click();
  await page.getByRole('textbox', { name: 'New note' }).fill('called twice');
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await button(rows(table(page, 'Users')).first(), 'View').click();
  await settled(page);
  await button(page.getByRole('dialog'), 'Notes').click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('textarea')].some(({ value }) => value === 'called twice'),
  );
  await page.getByRole('textbox', { name: 'New note' }).fill('');
  await button(page.getByRole('dialog'), 'Close').click();
  await button(page.getByRole('dialog'), 'Discard').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a new API key closes on purpose only, and can be downloaded', async () => {
  await chooseTool(page, 'API keys');
  const keys = dialog(page, 'API keys');
  await field(keys, 'Name').fill('Once');
  await field(keys, 'Your password').fill(PASSWORD);
  await button(keys, 'Create API key').click();
  const shown = keys.getByLabel('Key of Once');
  await shown.waitFor();
  const key = await shown.inputValue();
  for (let n = 0; n < 3; n++) {
    await page.keyboard.press('Escape');
    await keys.getByText('This is shown only once. Save it first, and confirm that you have.').waitFor();
    assert.is(await shown.inputValue(), key, 'still there');
  }
  assert.is(await focused(), 'I have saved it');
  const [file] = await Promise.all([page.waitForEvent('download'), button(keys, 'Download').click()]);
  assert.is(file.suggestedFilename(), 'api-key.txt');
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(Buffer.from(chunk));
  assert.is(Buffer.concat(chunks).toString(), `${key}\n`);
  await button(keys, 'I have saved it').click();
  await rows(table(page, 'API keys')).filter({ hasText: 'Once' }).waitFor();
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
});

/** The session of this tab ends on the server, and the app notices. */
async function _endSession(): Promise<void> {
  await callByHand(page, 'POST', '/api/v1/auth/logout');
  await choice(page, 'By status').selectOption('pending');
  await button(page, 'Login').waitFor();
}
async function _enter(email: string): Promise<void> {
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(PASSWORD);
  await button(page, 'Login').click();
  await button(page, 'Logout').waitFor();
}

test.run();
