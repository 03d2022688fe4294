// Checks the form of service keys, and which texts are not keys.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretBytes } from '../../../lib/values/checksummed-secret.ts';
import { apiKeyPattern, formatApiKey, parseApiKey } from './api-key.ts';

const anySecret = fc.uint8Array({ minLength: secretBytes, maxLength: secretBytes }).map((bytes) => Buffer.from(bytes));
const anyServiceId = fc.integer({ min: 1, max: 999 });

test('[services.26] a key begins with kt_, and contains the number of its service', () => {
  fc.assert(
    fc.property(anyServiceId, anySecret, (serviceId, secret) => {
      const key = formatApiKey(serviceId, secret);
      assert.match(key, new RegExp(`^${apiKeyPattern}$`));
      assert.ok(key.startsWith('kt_'));
      assert.equal(parseApiKey(key), serviceId);
    }),
  );
});

test('different secrets make different keys, also at the ends of their range', () => {
  const ends = [Buffer.alloc(secretBytes), Buffer.alloc(secretBytes, 255)].map((secret) => formatApiKey(1, secret));
  assert.deepEqual([...new Set(ends.map(({ length }) => length))], ['kt_1_'.length + 49]);
  fc.assert(
    fc.property(anySecret, anySecret, (a, b) => {
      assert.equal(formatApiKey(1, a) === formatApiKey(1, b), a.equals(b));
    }),
  );
});

test('a key with any one character changed is recognised as invalid without a database', () => {
  fc.assert(
    fc.property(
      anyServiceId,
      anySecret,
      fc.nat(),
      fc.constantFrom('0', '9', 'A', 'Z', 'a', 'z', '_', '-'),
      (serviceId, secret, at, other) => {
        const key = formatApiKey(serviceId, secret);
        const place = at % key.length;
        const changed = key.slice(0, place) + other + key.slice(place + 1);
        assert.equal(parseApiKey(changed), changed === key ? serviceId : undefined, changed);
      },
    ),
    { numRuns: 500 },
  );
});

test('any other text is not a key', () => {
  const key = formatApiKey(3, Buffer.alloc(secretBytes, 7));
  for (const text of [
    '',
    'kt_',
    key.slice(1),
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.toUpperCase(),
    `kt_0${key.slice(4)}`,
  ])
    assert.equal(parseApiKey(text), undefined, text);
});
