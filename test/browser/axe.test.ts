/** axe-core finds nothing on any screen and any dialog, light and dark, wide and narrow. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { complaints } from './axe';
import { newVisit, type Person, type Visit } from './harness';
import { button, choice, dialog, field, heading, rows, settled, table } from './seen';

const test = suite('axe in a real browser');
type Page = Visit['page'];
/** Where to go, and what to open there. */
interface View { name: string; path: string; open?: (page: Page) => Promise<void> }

const inRow = (list: string, name: string) => async (page: Page) => { await button(rows(table(page, list)).first(), name).click(); };
const press = (name: string | RegExp) => async (page: Page) => { await page.getByRole('button', { name, exact: typeof name === 'string' }).first().click(); };

const superViews: View[] = [
  { name: 'Tenants', path: '/tenants' },
  { name: 'Tenants, purchases of one', path: '/tenants?view=5' },
  { name: 'Edit Tenant', path: '/tenants', open: inRow('Tenants', 'Edit') },
  { name: 'Platforms', path: '/platforms' },
  { name: 'Platform Credentials of a tenant', path: '/platforms', open: press(/^Edit credentials for/) },
  { name: 'Assign to a tenant', path: '/platforms', open: press(/^Assign to/) },
  { name: 'Admins, none chosen', path: '/admins' },
  { name: 'Admins', path: '/admins?tenant=2' },
  { name: 'Create Admin', path: '/admins?tenant=2', open: press('Create Admin') },
  { name: 'Edit Admin', path: '/admins?tenant=2', open: inRow('Admins', 'Edit') },
  { name: 'Purchases', path: '/purchases' },
  { name: 'Redeem', path: '/purchases', open: press('Redeem') },
  { name: 'Details of a transaction', path: '/purchases', open: press('Details') },
  { name: 'Users of all', path: '/users?size=25' },
  { name: 'Deposits', path: '/deposits' },
  { name: 'Redeems of all', path: '/redeems' },
  { name: 'Payment Methods', path: '/payment-methods' },
  { name: 'Add New Payment Method', path: '/payment-methods', open: async (page) => {
    await button(page, 'Add Payment Method').click();
    await choice(dialog(page, 'Add New Payment Method'), 'Payment Platform').selectOption('apex');
  } },
  { name: 'Edit Payment Method', path: '/payment-methods', open: inRow('Payment methods', 'Edit') },
  { name: 'New Players Today', path: '/tenants', open: press(/^New Sign Ups Today: \d/) },
  { name: 'First Purchases Today', path: '/tenants', open: press(/^First Purchase Today: \d/) },
  { name: 'A tenant, its users', path: '/tenant/5/admin?size=25' },
  { name: 'A tenant, its platforms', path: '/tenant/5/admin?tab=platforms' },
];

const adminViews: View[] = [
  { name: 'Users', path: '/?size=25&search=a' },
  { name: 'Users, none found', path: '/users?search=zzzz-nobody' },
  { name: 'Create User', path: '/?size=25', open: press('Create User') },
  { name: 'Edit User', path: '/?size=25', open: inRow('Users', 'Edit') },
  { name: 'Edit Balances', path: '/?size=25', open: inRow('Users', 'Edit Balances') },
  { name: 'Edit Balances, an amount that is none', path: '/?size=25', open: async (page) => {
    await inRow('Users', 'Edit Balances')(page);
    await field(dialog(page, 'Edit Balances'), 'Credit').fill('1.005');
    await button(dialog(page, 'Edit Balances'), 'Save').click();
  } },
  { name: 'Platform Credentials', path: '/?size=25', open: editedCredential },
  { name: 'Transaction History', path: '/?size=25', open: inRow('Users', 'Transaction History') },
  { name: 'Purchases of one', path: '/?tab=purchases' },
  { name: 'Redeems', path: '/?tab=redeems' },
  { name: 'Create Manual Redeem', path: '/?tab=redeems', open: async (page) => {
    await button(page, 'Create Manual Redeem').click();
    await choice(dialog(page, 'Create Manual Redeem'), 'Search User').fill('an');
    await page.getByRole('listbox', { name: 'Users found' }).getByRole('option').first().waitFor();
  } },
  { name: 'Affiliate Tracking', path: '/?tab=affiliate-tracking&affiliate=AFF-1001&range=month', open: async (page) => { await heading(page, 'Total GGR').waitFor(); } },
  { name: 'Affiliate Tracking, free days', path: '/?tab=affiliate-tracking&range=custom' },
  { name: 'Platforms of one', path: '/?tab=platforms' },
  { name: 'Info of an API platform', path: '/?tab=platforms', open: press('Info') },
  { name: 'Add Platform Credentials', path: '/?tab=platforms', open: press('Add') },
  { name: 'Edit Platform Credentials', path: '/?tab=platforms', open: press('Edit') },
];

/** The logins of the first player who has any, one of them being edited. */
async function editedCredential(page: Page): Promise<void> {
  for (const row of await rows(table(page, 'Users')).all()) {
    await button(row, 'Platform Credentials').click();
    const shown = dialog(page, 'Platform Credentials');
    await settled(page);
    if (await button(shown, 'Edit').count()) return button(shown, 'Edit').first().click();
    await button(shown, 'Close').click();
  }
  throw new Error('nobody has a login at a platform');
}

/** As it stands, in the four combinations; only colours differ between light and dark. */
async function inAllCombinations(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      found.push(...(await complaints(page, colorScheme === 'dark')).map((words) => `${name}, ${width} px, ${colorScheme}: ${words}`));
    }
  }
  await page.setViewportSize({ width: 1280, height: 844 });
  return found;
}

/** The first rows of each list are enough to look at: the hundredth is made like them. */
async function withShortLists(page: Page): Promise<void> {
  await page.route(/\/api\/v1\/admin\/(purchases|deposits|redeems|new-players-today|user-management\/users\/)(\?|$)/, async (route) => {
    const response = await route.fetch(), answer: unknown = await response.json();
    const short = Array.isArray(answer) ? answer.slice(0, 6) : { ...Object(answer), users: Object(answer).users.slice(0, 6) };
    await route.fulfill({ response, json: short });
  });
}

async function look(person: Person, views: readonly View[]): Promise<string[]> {
  const visit = await newVisit({ bypassCSP: true, reducedMotion: 'reduce' }), { page } = visit, found: string[] = [];
  try {
    await withShortLists(page);
    await visit.signIn(person);
    for (const { name, path, open } of views) {
      await visit.goTo(path);
      await page.locator('main h2').first().waitFor();
      await settled(page);
      await open?.(page);
      await settled(page);
      found.push(...await inAllCombinations(page, name));
    }
    assert.equal(visit.faults, []);
  } finally {
    await visit.close();
  }
  return found;
}

test("axe finds nothing on a super admin's screens and dialogs", async () => { assert.is((await look('super', superViews)).join('\n'), ''); });
test("axe finds nothing on a tenant admin's screens and dialogs", async () => { assert.is((await look('ann', adminViews)).join('\n'), ''); });

test('axe finds nothing on the login, refused too, on Unauthorized and on the drawer of a phone', async () => {
  const visit = await newVisit({ bypassCSP: true, reducedMotion: 'reduce' }), { page } = visit;
  try {
    await visit.goTo('/');
    const found = await inAllCombinations(page, 'Login');
    await button(page, 'Login').click();
    await page.getByText('Email is required').waitFor();
    found.push(...await inAllCombinations(page, 'Login, nothing typed'));
    await page.getByLabel('Email').fill('oli@acme.test');
    await page.getByLabel('Password').fill('demo-password');
    await button(page, 'Login').click();
    await page.getByText('Not an admin or super admin.').waitFor();
    found.push(...await inAllCombinations(page, 'Login, refused'));
    await page.evaluate(() => {
      localStorage.setItem('token', 'somebody');
      localStorage.setItem('user', JSON.stringify({ role: { name: 'support', is_super_admin: false }, tenant_id: 2 }));
    });
    await page.reload();
    await heading(page, 'Unauthorized').waitFor();
    found.push(...await inAllCombinations(page, 'Unauthorized'));
    await button(page, 'Logout').click();

    await page.setViewportSize({ width: 390, height: 844 });
    await visit.signIn('super');
    await page.getByRole('button', { name: '☰ Menu' }).click();
    await page.getByRole('dialog').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      found.push(...(await complaints(page)).map((words) => `Drawer, ${colorScheme}: ${words}`));
    }
    assert.is(found.join('\n'), '');
  } finally {
    await visit.close();
  }
});

const rulesBroken = async (page: Page, colours = false) => (await complaints(page, colours)).map((words) => words.split(':')[0]).sort();

test('axe sees what is wrong, on the page and in a dialog', async () => {
  const visit = await newVisit({ bypassCSP: true }), { page } = visit;
  try {
    await visit.signIn('super');
    await visit.goTo('/platforms');
    await settled(page);
    const spoil = () => page.evaluate(() => {
      const pale = document.createElement('p'), image = document.createElement('img');
      pale.textContent = 'hardly there';
      pale.style.cssText = 'color: #ccc; background: #fff';
      image.src = 'icon.svg';
      (document.querySelector('dialog[open] article') ?? document.querySelector('main'))?.prepend(pale, image);
    });
    await spoil();
    assert.equal(await rulesBroken(page), ['color-contrast', 'image-alt']);
    assert.equal(await rulesBroken(page, true), ['color-contrast']);
    await page.getByRole('button', { name: /^New Sign Ups Today: \d/ }).click();
    await page.getByRole('dialog').waitFor();
    await settled(page);
    await spoil();
    assert.equal(await rulesBroken(page), ['color-contrast', 'image-alt']);
  } finally {
    await visit.close();
  }
});

test.run();
