/** A status by keyboard: what moves money must have been chosen. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startForeignServer, type ForeignServer } from './foreignServer';
import { newVisit, type Visit } from './harness';
import { button, choice, field, message, settled, table } from './seen';

const test = suite('A status, by keyboard');
let foreign: ForeignServer, visit: Visit;
test.before(async () => {
  foreign = await startForeignServer('dist');
  visit = await newVisit({ url: `${foreign.url}/` });
  await visit.goTo('/');
  await field(visit.page, 'Email').fill('sue@platform.test');
  await field(visit.page, 'Password').fill('secret');
  await button(visit.page, 'Login').click();
  await button(visit.page, 'Logout').waitFor();
});
test.after(async () => {
  await visit.close();
  await foreign.stop();
});

const sent = () => foreign.recorded.filter(({ name }) => name === 'changeRedeemStatus').map(({ body }) => body);
async function focusedStatus() {
  await visit.goTo('/redeems');
  await settled(visit.page);
  const select = choice(table(visit.page, 'Redeems'), 'Status of redeem 41');
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

test.run();
