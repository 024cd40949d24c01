/** A tenant admin's day in a real browser: a new player, manual redeems, and the figures beside them. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { closeVisits, enter, journey, type Visit } from './harness';
import {
  balancesOf,
  button,
  cell,
  cents,
  choice,
  choose,
  dialog,
  field,
  rowWith,
  saying,
  searchUsers,
  sendNow,
  settled,
  table,
} from './seen';

const player = 'journey.player@mail.test',
  AFFILIATE = 'JOURNEY-1';
let visit: Visit;

test.before(async () => {
  visit = await enter('ann');
});
test.after(closeVisits);

const metric = async (name: string): Promise<number> =>
  cents(
    await visit.page
      .getByRole('region', { name: "Today's Metrics" })
      .locator('dl > div', { has: visit.page.getByText(name, { exact: true }) })
      .locator('dd')
      .innerText(),
  );
const playerRow = () => rowWith(table(visit.page, 'Users'), player);
async function creditOf(email: string): Promise<number> {
  await choose(visit.page, 'Tenant', 'Users');
  await searchUsers(visit.page, email);
  return (await balancesOf(rowWith(table(visit.page, 'Users'), email))).credit;
}
async function addCredit(email: string, amount: string): Promise<void> {
  await button(rowWith(table(visit.page, 'Users'), email), 'Edit Balances').click();
  await field(dialog(visit.page, 'Edit Balances'), 'Credit').fill(amount);
  await button(dialog(visit.page, 'Edit Balances'), 'Save').click();
  await saying(visit.page, 'Balances updated');
  await settled(visit.page);
}

journey('a player is created, counted as signed up today, and given credit', async () => {
  const { page } = visit;
  const chip = page.getByRole('button', { name: /^New Sign Ups Today: \d/ });
  await chip.waitFor();
  const count = async () => Number(/\d+/.exec(await chip.innerText())?.[0]);
  const before = await count();

  await choose(page, 'Tenant', 'Users');
  await button(page, 'Create User').click();
  const form = dialog(page, 'Create User');
  await field(form, 'Email').fill(player);
  await field(form, 'Password').fill('a-long-enough-password');
  await field(form, 'First Name').fill('Jörg <b>');
  await field(form, 'Last Name').fill('Journey');
  await field(form, 'Affiliate ID').fill(AFFILIATE);
  await button(form, 'Save').click();
  await saying(page, 'User created');
  await searchUsers(page, 'örg journ');
  assert.is(await cell(playerRow(), 'Name'), 'Jörg <b> Journey');
  await addCredit(player, '300');
  assert.is((await balancesOf(playerRow())).credit, 30_000);

  await page.reload();
  await chip.waitFor();
  assert.is(await count(), before + 1);
  await chip.click();
  const list = dialog(page, 'New Players Today');
  const row = rowWith(list.getByRole('table'), player);
  assert.is(await cell(row, 'Affiliate ID'), AFFILIATE);
  assert.is(await cell(row, 'Phone'), 'N/A');
  await button(list, 'Close').click();
});

async function redeemByHand(amount: string): Promise<void> {
  const { page } = visit;
  await choose(page, 'Tenant', 'Redeems');
  await button(page, 'Create Manual Redeem').click();
  const form = dialog(page, 'Create Manual Redeem');
  await choice(form, 'Search User').pressSequentially('journey.pl');
  const option = form.getByRole('option', { name: player });
  assert.match(await option.innerText(), 'Journey');
  await option.click();
  await choice(form, 'Platform').selectOption('vblink');
  await field(form, 'Amount').fill(amount);
  await choice(form, 'Payout Method').selectOption('PayPal');
  await field(form, 'Payout Address').fill('pay@journey.test');
  await button(form, 'Create').click();
  await saying(page, 'Manual redeem created successfully');
  await form.waitFor({ state: 'detached' });
}
async function decide(amount: string, status: string): Promise<void> {
  const { page } = visit;
  const row = rowWith(table(page, 'Redeems'), player, amount);
  await row.getByRole('combobox').selectOption(status);
  await sendNow(page);
  await saying(page, 'Status updated');
  await settled(page);
  assert.is(await row.getByRole('combobox').isDisabled(), true);
}

journey(
  'a manual redeem holds the money, returns it on failure and pays it on success, seen in the metrics',
  async () => {
    await redeemByHand('120.55');
    assert.is(await creditOf(player), 30_000 - 12_055);
    await choose(visit.page, 'Tenant', 'Redeems');
    await decide('$120.55', 'failed');
    assert.is(await creditOf(player), 30_000);

    await visit.page.reload();
    const before = {
      redeems: await metric('Total Redeems'),
      ggr: await metric('Total GGR'),
      month: await metric('MTD Redeems'),
    };
    await redeemByHand('50.25');
    await decide('$50.25', 'success');
    assert.is(await creditOf(player), 30_000 - 5_025);
    await visit.page.reload();
    assert.equal(
      { redeems: await metric('Total Redeems'), ggr: await metric('Total GGR'), month: await metric('MTD Redeems') },
      { redeems: before.redeems + 5_025, ggr: before.ggr - 5_025, month: before.month + 5_025 },
    );
    assert.is(cents(await cell(playerRow(), 'Individual GGR')), -5_025);
  },
);

test.run();
