import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isApiPlatform,
  isOpen,
  isRedeemAmount,
  mayEnter,
  mayEnterTenant,
  netHoldingPercent,
} from '../../src/contract/rules';

const superAdmin = { role: { name: 'super_admin', is_super_admin: true }, tenant_id: 1 };
const admin = { role: { name: 'admin', is_super_admin: false }, tenant_id: 2 };
const other = { role: { name: 'support', is_super_admin: false }, tenant_id: 2 };

test('only super admins and admins may enter', () => {
  assert.ok(mayEnter(superAdmin));
  assert.ok(mayEnter(admin));
  assert.not(mayEnter(other));
  assert.not(mayEnter({ role: { name: 'Admin', is_super_admin: false }, tenant_id: 2 }));
});

test('the super flag counts, not the name of the role', () => {
  assert.ok(mayEnter({ role: { name: 'support', is_super_admin: true }, tenant_id: null }));
  assert.not(mayEnter({ role: { name: 'super_admin', is_super_admin: false }, tenant_id: 1 }));
});

test('a super admin may enter every tenant', () => {
  for (const tenantId of [undefined, null, 1, 2, 99]) assert.ok(mayEnterTenant(superAdmin, tenantId));
});

test('an admin may enter its own tenant, or none requested, and no other', () => {
  for (const tenantId of [undefined, null, 2]) assert.ok(mayEnterTenant(admin, tenantId));
  for (const tenantId of [0, 1, 3]) assert.not(mayEnterTenant(admin, tenantId));
  assert.ok(mayEnterTenant(admin, '2'), "another server's rows may carry ids as text");
  for (const tenantId of ['', '3', '2x', 'two']) assert.not(mayEnterTenant(admin, tenantId));
});

test('another role may enter no tenant, not even its own', () => {
  for (const tenantId of [undefined, null, 2, 3]) assert.not(mayEnterTenant(other, tenantId));
});

test('an admin without a tenant may enter none', () => {
  const homeless = { ...admin, tenant_id: null };
  assert.not(mayEnterTenant(homeless, 2));
  assert.not(mayEnterTenant(homeless, 0));
});

test('only pending is open, however it is written', () => {
  for (const status of ['pending', 'PENDING', 'Pending']) assert.ok(isOpen(status));
  for (const status of ['success', 'failed', 'SUCCESS', '', 'refunded']) assert.not(isOpen(status));
});

test('net holding is GGR over purchases in percent with two decimals', () => {
  assert.is(netHoldingPercent(25, 100), '25.00');
  assert.is(netHoldingPercent(1, 3), '33.33');
  assert.is(netHoldingPercent(-50, 100), '-50.00');
  assert.is(netHoldingPercent(0, 100), '0.00');
});

test('net holding is 0.00 when nothing was purchased', () => {
  assert.is(netHoldingPercent(0, 0), '0.00');
  assert.is(netHoldingPercent(-40, 0), '0.00');
});

test("a player's own redeem lies from 100 to 1000, both included", () => {
  for (const amount of [100, 100.01, 999.99, 1000]) assert.ok(isRedeemAmount(amount));
  for (const amount of [99.99, 1000.01, 0, -100, Number.NaN, Number.POSITIVE_INFINITY])
    assert.not(isRedeemAmount(amount));
});

test('only the value api marks an API platform', () => {
  assert.ok(isApiPlatform('api'));
  for (const type of ['manual', 'API ', '', null, undefined]) assert.not(isApiPlatform(type));
});

test.run();
