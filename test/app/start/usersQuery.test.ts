import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseUsersQuery, usersAddress } from '../../../src/app/start/usersQuery';

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
