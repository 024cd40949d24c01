/** Keys and a wheel that were meant to scroll: what moves money must have been chosen, and an amount typed. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type ForeignServer, startForeignServer } from './foreignServer';
import { newVisit, type Visit } from './harness';
import { button, choice, dialog, field, message, settled, table } from './seen';

let foreign: ForeignServer, visit: Visit;
test.before(async () => {
  foreign = await startForeignServer('dist');
  visit = await newVisit({ url: `${foreign.url}/` });
  await visit.signIn('super');
});
test.after(async () => {
  await visit.close();
  await foreign.stop();
});

const sent = () => foreign.recorded.filter(({ name }) => name === 'changeRedeemStatus').map(({ body }) => body);
async function focusedStatus() {
  await visit.goTo('/redeems');
  await settled(visit.page);
  const select = choice(table(visit.page, 'Redeems'), 'Status of redeem 41, pam@mail.test, $150.00');
  await select.focus();
  return select;
}

test('an arrow, End or a letter only opens the list of a status; left again, nothing has been sent', async () => {
  const { keyboard } = visit.page;
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowUp', 'End', 'PageDown', 's']) {
    const select = await focusedStatus();
    await keyboard.press(key);
    assert.is(await select.inputValue(), 'pending', key);
    await keyboard.press('Escape');
    assert.is(await select.inputValue(), 'pending', key);
    assert.equal(sent(), [], key);
  }
});

test('one chosen in the list with the arrows and Enter is sent', async () => {
  const { keyboard } = visit.page;
  await focusedStatus();
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await message(visit.page, 'Status updated').waitFor();
  assert.equal(sent(), [{ status: 'failed' }]);
  assert.equal(visit.faults, []);
});

for (const [path, opener] of [
  ['/redeems', 'Create Manual Redeem'],
  ['/purchases', 'Redeem'],
] as const) {
  test(`the wheel turned over the amount of ${opener} changes no cent of it`, async () => {
    const { page } = visit;
    await visit.goTo(path);
    await button(page, opener).click();
    const amount = field(dialog(page, opener), 'Amount');
    await amount.fill('150');
    await amount.hover();
    for (const way of [100, -100, -100]) await page.mouse.wheel(0, way);
    await page.evaluate(
      () => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))),
    );
    assert.is(await amount.inputValue(), '150');
    await amount.press('ArrowUp');
    assert.is(await amount.inputValue(), '150.01', 'an arrow still steps by a cent');
  });
}

test.run();
