// What the settings file of the MQTT bridge may hold, and how a wrong one is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBridgeSettings } from './bridge-settings.ts';

const computer = { computerKid: 'sund-B1001-C7', key: 'ke_secret', service: 'https://api.sund.example' };
const file = { broker: 'mqtts://broker.example:8883', username: 'bridge', password: 'p w', computers: [computer] };
const parse = (change: object = {}) => parseBridgeSettings(JSON.stringify({ ...file, ...change }));

test('a complete file is read', () => {
  const { broker, prefix, username, password, computers } = parse();
  assert.deepEqual(
    [broker.href, prefix, username, password],
    ['mqtts://broker.example:8883', 'portal', 'bridge', 'p w'],
  );
  assert.deepEqual(
    computers.map(({ service, ...each }) => ({ ...each, service: service.href })),
    [{ ...computer, host: undefined, service: 'https://api.sund.example/' }],
  );
});

test('what is wrong is named, and never shown', () => {
  const cases: [change: object, named: RegExp][] = [
    [{ broker: 'https://broker.example' }, /^broker: /],
    [{ broker: 'mqtt://user:secret@broker.example' }, /^broker: /],
    [{ prefix: 'a/b' }, /^prefix: /],
    [{ prefix: '#' }, /^prefix: /],
    [{ computers: [] }, /^computers: /],
    [{ computers: [computer, computer] }, /^computers: expected each computer once/],
    [{ computers: [{ ...computer, key: 'ke secret' }] }, /^computers\.0\.key: /],
    [{ computers: [{ ...computer, service: 'mqtt://x' }] }, /^computers\.0\.service: /],
    [{ computers: [{ ...computer, computerKid: 'a/+' }] }, /^computers\.0\.computerKid: /],
    [{ unknown: 1 }, /unknown/],
    [{ password: 7 }, /^password: /],
  ];
  for (const [change, named] of cases)
    assert.throws(
      () => parse(change),
      (error: Error) => named.test(error.message) && !error.message.includes('secret'),
    );
  assert.throws(() => parseBridgeSettings('{"key":"ke_secret"'), { message: 'the file is not JSON' });
});
