import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toUsersAddress, usersQueryReducer } from '../../../../src/app/screens/users/usersQueryReducer';
import { parseUsersQuery, usersAddress } from '../../../../src/app/start/usersQuery';

const first = parseUsersQuery(usersAddress);

test('starts on page 1 with 50 rows, the latest change first', () => {
  assert.equal(first, {
    tenant: '',
    search: '',
    segment: '',
    page: 1,
    pageSize: 50,
    sort: { field: 'updated_at', order: 'desc' },
  });
});

test('a new search or page size starts again at page 1, a new sort does not', () => {
  const third = usersQueryReducer(first, { type: 'paged', page: 3 });
  assert.is(third.page, 3);
  assert.equal(usersQueryReducer(third, { type: 'searched', search: 'pam' }), { ...first, search: 'pam', page: 1 });
  assert.equal(usersQueryReducer(third, { type: 'resized', pageSize: 25 }), { ...first, pageSize: 25, page: 1 });
  assert.is(usersQueryReducer(third, { type: 'sorted', field: 'email' }).page, 3);
});

test('the same column turns the order, another one starts ascending', () => {
  const byEmail = usersQueryReducer(first, { type: 'sorted', field: 'email' });
  assert.equal(byEmail.sort, { field: 'email', order: 'asc' });
  assert.equal(usersQueryReducer(byEmail, { type: 'sorted', field: 'email' }).sort, { field: 'email', order: 'desc' });
  assert.equal(
    usersQueryReducer(usersQueryReducer(byEmail, { type: 'sorted', field: 'email' }), {
      type: 'sorted',
      field: 'credit_balance',
    }).sort,
    { field: 'credit_balance', order: 'asc' },
  );
});

test('goes into the address and comes back out of it the same', () => {
  const query = {
    tenant: '2',
    search: 'a & b',
    segment: 'tag:vip',
    page: 7,
    pageSize: 200,
    sort: { field: 'individual_ggr', order: 'asc' },
  } as const;
  assert.equal(parseUsersQuery(toUsersAddress(query)), query);
  assert.equal(toUsersAddress(first), usersAddress, 'defaults are left out');
});

test('an address that makes no sense falls back to the defaults', () => {
  for (const page of ['0', '-1', '1.5', 'x', '', '99999999999'])
    assert.is(parseUsersQuery({ ...usersAddress, page }).page, 1, page);
  for (const size of ['10', '51', 'all', '-25'])
    assert.is(parseUsersQuery({ ...usersAddress, size }).pageSize, 50, size);
  assert.equal(parseUsersQuery({ ...usersAddress, sort: 'password_hash', order: 'sideways' }).sort, {
    field: 'updated_at',
    order: 'desc',
  });
});

test.run();
