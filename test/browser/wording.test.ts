/** It reads like one hand wrote it: names of platforms, states, days, numbers and words are the same everywhere. */
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { manualRedeemPlatforms } from '../../src/contract/constants';
import { newVisit, type Person, type Visit } from './harness';
import { button, chooseTool, dialog, rows, settled, table } from './seen';

const test = suite('One hand, in a real browser');
const visits: Visit[] = [];
test.after(async () => {
  for (const visit of visits) await visit.close();
});
async function signedIn(person: Person): Promise<Visit> {
  const visit = await newVisit({ reducedMotion: 'reduce' });
  visits.push(visit);
  await visit.signIn(person);
  return visit;
}

/** Every word that a person can read, attributes with words too; values of fields and options are not read. */
const words = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [
      document.body.innerText,
      ...[...document.querySelectorAll('[title], [aria-label], [placeholder]')].flatMap((element) =>
        ['title', 'aria-label', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
      ),
    ].join('\n'),
  );

/** What the specification does not ask for and nobody should read. */
const odd: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`\\b(${manualRedeemPlatforms.filter((name) => /_|\d|^[a-z]+[a-z]$/.test(name)).join('|')})\\b`),
    'the name of a platform as programs have it',
  ],
  [/\be-mails?\b/i, "'e-mail' beside 'email'"],
  [/\b20\d\d-\d\d-\d\d\b/, 'a day as programs have it'],
  [
    /\bNothing was done\b|\bmean nothing here\b|\bhow they begin\b|\bI have kept\b|\bThis one\b|\bRejects\b/,
    'odd English',
  ],
  [/\b\d{5,} (transactions|users|redeems|purchases)\b/, 'a number without separators'],
];

test('no screen speaks as a program does', async () => {
  const found: string[] = [];
  const look = async (visit: Visit, path: string) => {
    await visit.goTo(path);
    await visit.page.locator('main h2').first().waitFor();
    await settled(visit.page);
    const text = await words(visit.page);
    for (const [pattern, what] of odd) {
      const hit = pattern.exec(text)?.[0];
      if (hit) found.push(`${path}: ${what}: ${hit}`);
    }
  };
  const sue = await signedIn('super');
  for (const path of ['/tenants', '/platforms', '/platforms?show=matrix', '/admins?tenant=2', '/purchases', '/users'])
    await look(sue, path);
  for (const path of ['/deposits', '/redeems?from=2026-01-01&to=2099-01-01&platform=juwa777', '/payment-methods'])
    await look(sue, path);
  const ann = await signedIn('ann');
  for (const tab of ['', 'redeems', 'affiliate-tracking', 'platforms']) await look(ann, tab ? `/?tab=${tab}` : '/');
  assert.equal(found, []);
});

test('a platform is called the same in the list, in its filter and in the details of a redeem', async () => {
  const visit = await signedIn('ann'),
    { page } = visit;
  await visit.goTo('/?tab=redeems&platform=juwa777');
  await rows(table(page, 'Redeems')).first().waitFor();
  await settled(page);
  const row = rows(table(page, 'Redeems')).first();
  assert.is(await row.locator('td.platform').innerText(), 'Juwa 777');
  await page.getByRole('button', { name: 'Platform: Juwa 777' }).waitFor();
  assert.is(await page.getByLabel('By platform').locator('option:checked').innerText(), 'Juwa 777');
  await button(row, 'Details').click();
  const line = page.getByRole('dialog').getByRole('row').filter({ hasText: 'Platform' });
  assert.is(await line.getByRole('cell').innerText(), 'Juwa 777');
});

/** In the page: a redeem of the player with the largest balance. */
async function requestRedeem(): Promise<void> {
  const headers = { Authorization: `Bearer ${localStorage.getItem('token')}`, 'Content-Type': 'application/json' };
  const list = 'user-management/users?sort_by=credit_balance&sort_order=desc';
  const { users } = await (await fetch(`/api/v1/admin/${list}`, { headers })).json();
  const body = {
    user_email: users[0].email,
    amount: '100',
    platform: 'yolo',
    payout_method: 'PayPal',
    payout_address: 'young@pay.test',
  };
  const answer = await fetch('/api/v1/admin/redeems/manual', { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}

test('a row is late only after hours, and the screen says after how many', async () => {
  const visit = await signedIn('ann'),
    { page } = visit;
  await page.evaluate(requestRedeem); // at some hours the sample data has none that is young
  await visit.goTo('/?tab=redeems&status=pending');
  await rows(table(page, 'Redeems')).nth(3).waitFor();
  const ages = await table(page, 'Redeems').locator('.age').allInnerTexts();
  assert.ok(
    ages.some((age) => age.startsWith('Waiting')),
    'not everything is late',
  );
  assert.equal(
    ages.filter((age) => /^Late: ([0-3] h|\d+ min)$/.test(age)),
    [],
  );
  await page.getByText('Late: has waited for 4 hours. Overdue: for 24 hours.').waitFor();
});

test("the player's own Redeem is no main button, and says whose account it is", async () => {
  const ann = await signedIn('ann');
  await ann.goTo('/?tab=purchases');
  await button(ann.page, 'Redeem').click();
  await dialog(ann.page, 'Redeem')
    .getByText(/^From the player account with your own email\./)
    .waitFor();
  const sue = await signedIn('super');
  await sue.goTo('/purchases');
  assert.match((await button(sue.page, 'Redeem').getAttribute('class')) ?? '', /\bsecondary\b/);
  await button(sue.page, 'Redeem').click();
  await dialog(sue.page, 'Redeem')
    .getByText(/^A super admin has no player account/)
    .waitFor();
});

test('the tools of the account menu are in sentence case', async () => {
  const visit = await signedIn('ann');
  await chooseTool(visit.page, 'API keys');
  await dialog(visit.page, 'API keys').waitFor();
});

test.run();
