/** Which addresses may be called for a tenant: global unicast alone, however the address is written. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isAllowedUrl, isOutside } from '../../../src/server/outgoing/address';

test('what is not global unicast is inside, also where an address leads to it', () => {
  for (const address of [
    ...['127.0.0.1', '10.0.0.1', '100.64.0.1', '169.254.169.254', '168.63.129.16', '192.0.0.8', '224.0.0.1'],
    ...['198.18.0.1', '198.19.255.255', '192.0.2.1', '198.51.100.1', '203.0.113.1', '192.88.99.1', '240.0.0.1'],
    ...['::', '::1', '::8.8.8.8', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'fd00::1', 'ff02::1', '100::1', '5f00::1'],
    ...['2001:db8::1', '3fff::1', '2001::1', '2001:20::1', '2002:808:808::1', '4000::1'],
    ...['::ffff:10.0.0.1', '::ffff:198.18.0.1', '64:ff9b::10.0.0.1', '64:ff9b::c612:1', '64:ff9b:1::8.8.8.8'],
    ...['2001:470::5efe:127.0.0.1', '2001:470:1:1:0:5efe:a00:1', '2001:470:1:1:200:5efe:8.8.8.8'],
  ])
    assert.not.ok(isOutside(address), address);
  for (const address of [
    '1.1.1.1',
    '198.20.0.1',
    '2606:4700::1111',
    '2001:470::1',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])
    assert.ok(isOutside(address), address);
});

test('names of private networks are not stored', () => {
  for (const host of ['db', 'db.corp', 'db.home', 'db.intranet', 'db.private', 'db.svc', 'db.consul.', 'db.internal'])
    assert.not.ok(isAllowedUrl(new URL(`https://${host}/`), false), host);
  assert.ok(isAllowedUrl(new URL('https://hooks.example.com/'), false));
  assert.ok(isAllowedUrl(new URL('https://198.18.0.1/'), true), 'the operator allows the own network');
});

test.run();
