// Addresses of private, local and reserved networks, in all their spellings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress, namesPrivateHost } from './public-addresses.ts';

test('private, local and reserved addresses are not public', () => {
  const addresses = [
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '::ffff:169.254.169.254',
    '::ffff:0:7f00:1',
    '::ffff:0:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001::1',
    '',
    'localhost',
    '127.1',
  ];
  for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
});

test('addresses of the internet are public', () => {
  const addresses = ['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '169.253.0.1', '223.255.255.255'];
  for (const address of [...addresses, '2600::1', '2001:4860:4860::8888', '::ffff:8.8.8.8'])
    assert.equal(isPublicAddress(address), true, address);
});

test('a URL names a private host by its address or as localhost', () => {
  const table: [url: string, isPrivate: boolean][] = [
    ['http://127.0.0.1:8088/', true],
    ['http://[::1]/', true],
    ['http://10.1.2.3/', true],
    ['http://0x7f.1/', true],
    ['http://localhost:2322/', true],
    ['http://photon.localhost/', true],
    ['http://8.8.8.8/', false],
    ['https://nominatim.example/', false],
    ['https://localhost.example/', false],
  ];
  for (const [url, isPrivate] of table) assert.equal(namesPrivateHost(new URL(url)), isPrivate, url);
});
