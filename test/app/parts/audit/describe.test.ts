import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { describeCall, describeChanges, describeObject } from '../../../../src/app/parts/audit/describe';
import { calls } from '../../../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../../../src/contract/calls';

test('every write of the contract is told in the past tense, without a word of code', () => {
  for (const [call, { method, isRead }] of Object.entries(calls) as [CallName, CallSpec][]) {
    if ((isRead || method === 'GET') && !call.startsWith('export') && call !== 'getPersonalData') continue;
    const words = describeCall({ call, after: null });
    assert.match(words, /^([A-Z][a-z]+ed|Set|Reset|Switched o(n|ff))\b/, `${call}: ${words}`);
    assert.not.match(words, /[a-z][A-Z]|_/, call);
  }
});

test('a sign-in, a failed one and a sign-out are told apart', () => {
  for (const [call, signed_in, words] of [
    ['login', true, 'Signed in'],
    ['loginToTenant', true, 'Signed in to tenant'],
    ['finishPasskey', true, 'Signed in'],
    ['finishSso', true, 'Signed in'],
    ['beginPasskey', false, 'Failed to sign in'],
    ['login', false, 'Failed to sign in'],
    ['logout', false, 'Signed out'],
  ] as const)
    assert.is(describeCall({ call, after: { signed_in } }), words);
  assert.equal(describeChanges({ before: null, after: { signed_in: false, why: 'Wrong' } }), [['Why', 'Wrong']]);
});

test('fields have names and values that a person reads: money, yes and no, lists, and what is missing', () => {
  assert.equal(
    describeChanges({
      before: { credit_balance: '350.00', is_active: true, tags: [], first_name: null },
      after: { credit_balance: 1355, is_active: false, tags: ['vip', 'new'], first_name: 'Pam' },
    }),
    [
      ['Credit balance', '$350.00 → $1,355.00'],
      ['Is active', 'yes → no'],
      ['Tags', 'none → vip, new'],
      ['First name', 'none → Pam'],
    ],
  );
  assert.equal(describeChanges({ before: { name: 'x', rights: { to_read: true } }, after: null }), [
    ['Name', 'x (deleted)'],
    ['Rights', 'to read yes (deleted)'],
  ]);
});

test('of something new it is not said that it waits; of an export it is', () => {
  const entry = { before: null, after: { amount: '15.00', status: 'pending', note: null } };
  assert.equal(describeChanges({ ...entry, kind: 'return' }), [['Amount', '$15.00']]);
  assert.equal(describeChanges({ before: null, after: { status: 'pending' }, kind: 'export' }), [
    ['Status', 'Pending'],
  ]);
  assert.equal(describeChanges({ before: { status: 'success' }, after: { status: 'pending' } }), [
    ['Status', 'Success → Pending'],
  ]);
});

test('an object has its kind and id', () => {
  assert.is(describeObject({ kind: 'payment method', object_id: '2' }), 'Payment method 2');
  assert.is(describeObject({ kind: 'sign-in', object_id: '1' }), '');
});

test.run();
