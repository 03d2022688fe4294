// The key by which limits count a client's address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { rateLimitKeyOfAddress } from './client-address.ts';

test('an address is counted as it is, and an IPv4-mapped IPv6 address as the IPv4 address', () => {
  const keys: [address: string, key: string][] = [
    ['127.0.0.1', '127.0.0.1'],
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['2001:db8::', '2001:db8:0:0'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:0:1::1', '2001:db8:0:1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['1:2:3:4:5:6:7::', '1:2:3:4'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['fe80::a:b:c:d%1', 'fe80:0:0:0'],
  ];
  for (const [address, key] of keys) assert.equal(rateLimitKeyOfAddress(address), key, address);
});

test('IPv6 addresses are one client exactly where their first 64 bits are the same', () => {
  // Zeros and small numbers make the shortened spellings likely.
  const group = fc.oneof(fc.constant(0), fc.nat({ max: 2 }), fc.nat({ max: 0xffff }));
  const half = fc.array(group, { minLength: 4, maxLength: 4 });
  const spelled = (groups: readonly number[]): string =>
    new URL(`http://[${groups.map((each) => each.toString(16)).join(':')}]/`).hostname.slice(1, -1);
  fc.assert(
    fc.property(half, half, half, half, (network, other, host, otherHost) => {
      const key = rateLimitKeyOfAddress(spelled([...network, ...host]));
      assert.equal(rateLimitKeyOfAddress(spelled([...network, ...otherHost])), key);
      assert.equal(rateLimitKeyOfAddress(spelled([...other, ...host])) === key, network.join() === other.join());
    }),
  );
});
