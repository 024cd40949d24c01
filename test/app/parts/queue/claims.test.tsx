/** Who has which row, as the queue shows it, and when rows are late as the tenant says. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CLAIM_MINUTES } from '../../../../src/contract/constants';
import { ann, sue } from '../../../callers';
import { closeScreen, type Screen } from '../../../screen';
import { fund, redeem } from '../../../seed';
import { pam, people, sql } from '../../../world';
import { fill, opens, sees } from '../../controls';
import { sentTo } from '../../network';
import { first, openQueue, row } from './redeemQueue';

test.after.each(closeScreen);

const holderOf = async (id: number) =>
  (await sql<{ admin_id: number }[]>`select admin_id from row_claims where money_id = ${id}`)[0]?.admin_id;
const button = (screen: Screen, id: number, name: string) => within(row(screen, id)).getByRole('button', { name });

test('a row is taken and given back by its button or the key t, and says for how long it is whose', async () => {
  const screen = await openQueue();
  fireEvent.click(button(screen, first, 'Take'));
  await within(row(screen, first)).findByText(`You, ${CLAIM_MINUTES} min`);
  assert.is(await holderOf(first), people.ann.id);
  fireEvent.click(button(screen, first, 'Give back'));
  await waitFor(() => assert.ok(button(screen, first, 'Take')));
  assert.is(await holderOf(first), undefined);

  row(screen, first).focus();
  const press = () => fireEvent.keyDown(row(screen, first), { key: 't' });
  press();
  await within(row(screen, first)).findByText(/^You, /);
  press();
  await waitFor(() => assert.not.ok(within(row(screen, first)).queryByText(/^You, /)));
});

test('a row of somebody else names them; it is taken over with a reason, and not without', async () => {
  const screen = await openQueue();
  await sue.claimRow({ body: { id: first } });
  fireEvent.click(button(screen, first, 'Take'));
  await sees(screen, 'Failed to take it', `${people.sue.email} has taken this`);
  await within(row(screen, first)).findByText(`Sue, ${CLAIM_MINUTES} min`);
  const dialog = await opens(button(screen, first, 'Take over'), 'Take it over?');
  dialog.getByText(`pia@mail.test, $60.00: ${people.sue.email} has it.`);
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Take over' });
  assert.ok(submit.disabled);
  fireEvent.change(dialog.getByLabelText('Note'), { target: { value: 'Sue is at lunch' } });
  assert.not.ok(submit.disabled);
  fireEvent.click(submit);
  await within(row(screen, first)).findByText(/^You, /);
  assert.is(await holderOf(first), people.ann.id);
});

test('where the tenant wants it, the first key on a row takes it; moving on does not', async () => {
  const screen = await openQueue({ before: () => sql`update tenants set key_takes = true where id = 2` });
  await within(row(screen, first)).findByRole('button', { name: 'Take' });
  row(screen, first).focus();
  await waitFor(async () => {
    fireEvent.keyDown(row(screen, first), { key: 'c', ctrlKey: true });
    fireEvent.keyDown(row(screen, first), { key: 'x' });
    assert.is(await holderOf(first), people.ann.id);
  });
  fireEvent.keyDown(row(screen, first), { key: 'k' });
  assert.is(await holderOf(pam.redeem), undefined);
});

test('an owner sets after how many minutes rows are late', async () => {
  const screen = await openQueue();
  await screen.findByText('Late: has waited for 4 hours. Overdue: for 24 hours.');
  const dialog = await opens(await screen.findByRole('button', { name: 'Queue settings' }), 'Queue settings');
  fill(dialog, { 'Redeems late (min)': '45', 'Redeems overdue (min)': '180' });
  fireEvent.click(dialog.getByLabelText('The first key on a row takes it'));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Late: has waited for 45 minutes. Overdue: for 3 hours.');
  const late_minutes = [{ list: 'redeems', late: 45, overdue: 180 }];
  assert.equal(await ann.getQueueSettings({}), { late_minutes, key_takes: true });
  await waitFor(() => assert.is(row(screen, first).querySelector('.age')?.textContent, 'Late: 2 h'));
});

/** What the browser was asked to play and to show. */
function browser(permission: 'granted' | 'denied') {
  const done: string[] = [];
  class Audio {
    currentTime = 0;
    destination = {};
    createGain = () => ({ gain: { value: 1 }, connect: () => undefined });
    createOscillator = () => ({
      connect: (to: unknown) => to,
      start: () => void done.push('sound'),
      stop: () => undefined,
    });
  }
  class Notice {
    static requestPermission = async () => permission;
    constructor(words: string) {
      done.push(words);
    }
  }
  Object.assign(globalThis, { AudioContext: Audio, Notification: Notice });
  Object.assign(window, { Notification: Notice });
  return done;
}
const tellBy = (screen: Screen, value: string) =>
  fireEvent.change(screen.getByRole('combobox', { name: 'New rows' }), { target: { value } });
const comesIn = async (screen: Screen) => {
  await fund(pam, 'credit', '100');
  await redeem(pam, '10');
  fireEvent.click(button(screen, first, 'Take'));
  await screen.findByRole('button', { name: '1 new – show' });
};

test('what comes in is announced by the same poll, and quietly at first', async () => {
  const done = browser('granted');
  const screen = await openQueue();
  await comesIn(screen);
  assert.equal(done, []);
});

test('who wants it hears and sees that rows came in, and keeps the choice', async () => {
  const done = browser('granted');
  const screen = await openQueue();
  tellBy(screen, 'notice');
  await waitFor(() => assert.is(localStorage.getItem('new_rows_signal'), 'notice'));
  await comesIn(screen);
  assert.equal(done, ['sound', 'redeems: 1 new']);
});

test('a browser that allows no notices says so, and a sound is left', async () => {
  const done = browser('denied');
  const screen = await openQueue();
  tellBy(screen, 'notice');
  await screen.findByText('This browser does not allow desktop notices here');
  assert.is((screen.getByRole('combobox', { name: 'New rows' }) as HTMLSelectElement).value, 'sound');
  await comesIn(screen);
  assert.equal(done, ['sound']);
});

test('without the feature there is nothing to take', async () => {
  const screen = await openQueue({ lacks: ['claims'] });
  assert.is(screen.queryByRole('button', { name: 'Take' }), null);
  assert.equal(sentTo(screen, '/list-watch'), []);
});

test.run();
