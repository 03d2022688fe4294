// The address of a client, directly connected or behind trusted proxies, and the key by which limits count it.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseAddressRanges } from '../../setting-parsers.ts';
import { createClientIpFinder, rateLimitKeyOfAddress } from './client-address.ts';
import { createTrustedProxies } from './trusted-proxies.ts';

const proxy = '10.0.0.1';
const findClientIp = createClientIpFinder(
  createTrustedProxies(parseAddressRanges('10.0.0.0/8, fd00::/8, 2001:db8::5')),
);

const clientOf = (peer: string, forwardedFor?: string, forwarded?: string): string =>
  findClientIp({
    socket: { remoteAddress: peer },
    headers: {
      ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
      ...(forwarded === undefined ? {} : { forwarded }),
    },
  } as unknown as IncomingMessage);

test('the client is the rightmost address of X-Forwarded-For that is not a trusted proxy', () => {
  const cases: [forwardedFor: string, client: string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7,10.2.3.4', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7, 10.2.3.4,fd00::1', '203.0.113.7'],
    ['  203.0.113.7\t', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['2001:DB8:0::7', '2001:db8::7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
    ['::ffff:cb00:7107', '::ffff:203.0.113.7'],
    // Requests of the proxies themselves.
    ['10.2.3.4', '10.2.3.4'],
    ['10.2.3.4, ::ffff:10.9.9.9', '10.2.3.4'],
    // Without an address, the proxy that named none counts as the client.
    ['', proxy],
    [',', proxy],
    ['203.0.113.7,', proxy],
    ['203.0.113.7, unknown', proxy],
    ['203.0.113.7, _hidden, 10.2.3.4', '10.2.3.4'],
    ['203.0.113.7, 1.2.3', proxy],
    ['203.0.113.7, 0x7f.1', proxy],
    ['203.0.113.7, fe80::1%eth0', proxy],
    ['"203.0.113.7"', proxy],
    ['203.0.113.256', proxy],
  ];
  for (const [forwardedFor, client] of cases) {
    assert.equal(clientOf(proxy, forwardedFor), client, forwardedFor);
    assert.equal(clientOf('192.0.2.1', forwardedFor), '192.0.2.1', `not from a trusted proxy: ${forwardedFor}`);
  }
});

test('Forwarded names the client as RFC 7239 says', () => {
  const cases: [forwarded: string, client: string][] = [
    ['for=203.0.113.7', '203.0.113.7'],
    ['FOR=203.0.113.7;proto=https;by=10.0.0.1', '203.0.113.7'],
    ['for=198.51.100.1, for=203.0.113.7;host=api.sund.localhost, for=10.2.3.4', '203.0.113.7'],
    ['for="203.0.113.7:4711"', '203.0.113.7'],
    ['For="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
    ['for="[2001:db8:cafe::17]:_port"', '2001:db8:cafe::17'],
    ['proto=http;for="[2001:db8:cafe::17]"', '2001:db8:cafe::17'],
    ['for=203.0.113.7, for=unknown', proxy],
    ['for=203.0.113.7, for=_gazonk', proxy],
    ['for=203.0.113.7, for=_SEVKISEK, for=10.2.3.4', '10.2.3.4'],
    ['for=203.0.113.7, proto=https', proxy],
    ['for=203.0.113.7, for=', proxy],
    ['for=203.0.113.7, for="', proxy],
    ['203.0.113.7', proxy],
    ['', proxy],
  ];
  for (const [forwarded, client] of cases) {
    assert.equal(clientOf(proxy, undefined, forwarded), client, forwarded);
    assert.equal(clientOf('192.0.2.1', undefined, forwarded), '192.0.2.1', `not from a trusted proxy: ${forwarded}`);
  }
});

test('where both fields name a client, they must agree', () => {
  assert.equal(clientOf(proxy, '203.0.113.7', 'for=203.0.113.7'), '203.0.113.7');
  assert.equal(clientOf(proxy, '203.0.113.7', 'for=203.0.113.8'), proxy);
  assert.equal(clientOf(proxy, 'unknown', 'for=203.0.113.8'), proxy);
  assert.equal(clientOf(proxy, '203.0.113.7', ''), proxy);
});

test('proxies may connect by IPv6, and by IPv4 mapped into it', () => {
  for (const peer of ['::ffff:10.0.0.1', 'fd12::1', '2001:db8::5', 'fd12::1%eth0'])
    assert.equal(clientOf(peer, '203.0.113.7'), '203.0.113.7', peer);
  for (const peer of ['::ffff:11.0.0.1', 'fe80::1', '2001:db8::6', '::1'])
    assert.equal(clientOf(peer, '203.0.113.7'), peer);
});

test('without trusted proxies the fields are ignored', () => {
  const find = createClientIpFinder(createTrustedProxies([]));
  const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
  const request = (remoteAddress?: string) => ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;
  assert.equal(find(request(proxy)), proxy);
  assert.equal(find(request()), '', 'the connection is gone');
});

test('a client cannot pass for another one, whatever it writes into the fields', () => {
  const sent = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom('203.0.113.9', '10.2.3.4', 'for=', 'for="', '"', ',', ';', '=', '\\', 'x', ' ', '[', ']'))
      .map((parts) => parts.join('')),
  );
  const client = '198.51.100.7';
  fc.assert(
    fc.property(sent, sent, fc.constantFrom(`for=${client}`, `for="${client}:80";host="x"`), (one, other, element) => {
      assert.equal(clientOf(proxy, `${one}, ${client}`), client);
      // If the client breaks a field, the proxy's address counts, which gains the client nothing.
      assert.ok([client, proxy].includes(clientOf(proxy, undefined, `${one}, ${element}`)));
      assert.ok([client, proxy].includes(clientOf(proxy, `${one}, ${client}`, other)));
      assert.ok([client, proxy].includes(clientOf(proxy, other, `${one}, ${element}`)));
    }),
  );
});

test('an address is counted unchanged, and an IPv4-mapped IPv6 address as the IPv4 address', () => {
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

test('IPv6 addresses are one client exactly if their first 64 bits are the same', () => {
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
