// The form of service keys: what makes one recognisable, and what is none.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiKeyPattern, createApiKey, parseApiKey } from './api-key.ts';

const anySecret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const anyServiceId = fc.integer({ min: 1, max: 999 });

test('[services.26] a key begins with kt_, and names its service again', () => {
  fc.assert(
    fc.property(anyServiceId, anySecret, (serviceId, secret) => {
      const key = createApiKey(serviceId, secret);
      assert.match(key, new RegExp(`^${apiKeyPattern}$`));
      assert.ok(key.startsWith('kt_'));
      assert.equal(parseApiKey(key), serviceId);
    }),
  );
});

test('different secrets make different keys, also at the ends of their range', () => {
  const ends = [Buffer.alloc(32), Buffer.alloc(32, 255)].map((secret) => createApiKey(1, secret));
  assert.deepEqual([...new Set(ends.map(({ length }) => length))], ['kt_1_'.length + 49]);
  fc.assert(
    fc.property(anySecret, anySecret, (a, b) => {
      assert.equal(createApiKey(1, a) === createApiKey(1, b), a.equals(b));
    }),
  );
  assert.notEqual(createApiKey(1), createApiKey(1));
});

test('a key with any one character changed is known to be none, without asking anybody', () => {
  fc.assert(
    fc.property(
      anyServiceId,
      anySecret,
      fc.nat(),
      fc.constantFrom('0', '9', 'A', 'Z', 'a', 'z', '_', '-'),
      (serviceId, secret, at, other) => {
        const key = createApiKey(serviceId, secret);
        const place = at % key.length;
        const changed = key.slice(0, place) + other + key.slice(place + 1);
        assert.equal(parseApiKey(changed), changed === key ? serviceId : undefined, changed);
      },
    ),
    { numRuns: 500 },
  );
});

test('whatever else is no key', () => {
  const key = createApiKey(3);
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
