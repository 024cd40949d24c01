/** A row is taken by key and by touch, and everybody sees whose it is, on a wide screen and on a phone. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { complaints } from './axe';
import { newVisit, type Visit } from './harness';
import { makeRedeems, rows, settled, table } from './seen';

let wide: Visit, phone: Visit;

test.before(async () => {
  wide = await newVisit({ reducedMotion: 'reduce' });
  phone = await newVisit({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: 'reduce',
    colorScheme: 'dark',
  });
  await wide.signIn('super');
  await phone.signIn('ann');
  await makeRedeems(wide.page, 1);
  await wide.goTo('/redeems?status=pending&tenant=2');
  await phone.goTo('/?tab=redeems&status=pending');
  for (const { page } of [wide, phone]) {
    await rows(table(page, 'Redeems')).first().waitFor();
    await settled(page);
  }
});
test.after(async () => {
  await wide.close();
  await phone.close();
});

const first = ({ page }: Visit) => table(page, 'Redeems').locator('tr[data-id]').first();

test('the key t takes the row; a phone sees whose it is, and takes it over by touch', async () => {
  await wide.page.getByRole('region', { name: 'Redeems', exact: true }).focus();
  await wide.page.keyboard.press('j');
  await wide.page.keyboard.press('t');
  await first(wide).getByText('You, 10 min').waitFor();
  await first(phone)
    .getByText(/^Super, \d+ min$/)
    .waitFor({ timeout: 20_000 });
  assert.equal(await complaints(phone.page), []);
  await first(phone).getByRole('button', { name: 'Take over' }).tap();
  const dialog = phone.page.getByRole('dialog', { name: 'Take it over?' });
  await dialog.getByLabel('Note').fill('at lunch');
  assert.equal(await complaints(phone.page), []);
  await dialog.getByRole('button', { name: 'Take over' }).tap();
  await first(phone).getByText('You, 10 min').waitFor();
  await first(wide)
    .getByText(/^Ann, \d+ min$/)
    .waitFor({ timeout: 20_000 });
  assert.equal(await complaints(wide.page), []);
  const folder = process.env['LOOK'];
  if (folder) {
    await wide.page.screenshot({ path: `${folder}/wide.png` });
    await phone.page.screenshot({ path: `${folder}/phone.png` });
  }
});

test('on a phone nothing is wider than the screen, and the button is large enough for a finger', async () => {
  const { page } = phone;
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  const box = (await first(phone).getByRole('button', { name: 'Give back' }).boundingBox())!;
  assert.ok(box.height >= 24 && box.width >= 24, JSON.stringify(box));
});

test.run();
