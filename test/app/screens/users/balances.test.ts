import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildBalanceForm, noChanges } from '../../../../src/app/screens/users/balances';

test('only what was filled in is sent, as numbers, each with its operation', () => {
  const changes = {
    ...noChanges,
    credit: { amount: ' 12.50 ', operation: 'add' },
    loyalty: { amount: '3', operation: 'remove' },
  } as const;
  assert.equal(buildBalanceForm(changes), {
    form: { credit: 12.5, credit_op: 'add', loyalty: 3, loyalty_op: 'remove' },
  });
  assert.equal(buildBalanceForm(noChanges), { form: {} });
});

test('a number is one however it is typed, and keeps its cents however large or small', () => {
  for (const [amount, sent] of [
    ['.5', 0.5],
    ['5.', 5],
    ['007', 7],
    ['.25', 0.25],
    ['99999999999.99', 99999999999.99],
    ['0.01', 0.01],
  ] as const) {
    const { form } = buildBalanceForm({ ...noChanges, vip: { amount, operation: 'add' } });
    assert.equal(form, { vip: sent, vip_op: 'add' }, amount);
  }
});

test('an amount that cannot be one is named, and nothing is sent', () => {
  const none = 'abc -5 0 0.00 1.234 1e3 1,50 NaN Infinity 0x10 123456789012 . .0 .125 0.';
  for (const amount of none.split(' ')) {
    const [credit, vip] = ['5', amount].map((given) => ({ amount: given, operation: 'add' }) as const);
    assert.equal(buildBalanceForm({ ...noChanges, credit: credit!, vip: vip! }), { bad: 'vip' }, amount);
  }
});

test.run();
