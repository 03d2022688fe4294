// Checks the form of keys of computers, and which texts are not keys.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretBytes } from '../../../lib/values/checksummed-secret.ts';
import { computerKeyPattern, formatComputerKey, hashComputerSecret, isComputerKey } from './computer-key.ts';

const anySecret = fc
  .uint8Array({ minLength: secretBytes, maxLength: secretBytes })
  .map((bytes) => formatComputerKey(Buffer.from(bytes)));

test('a key begins with ke_, and is recognised', () => {
  fc.assert(
    fc.property(anySecret, (key) => {
      assert.match(key, new RegExp(`^${computerKeyPattern}$`));
      assert.ok(key.startsWith('ke_') && isComputerKey(key));
    }),
  );
});

test('a key with any one character changed is recognised as invalid without a database', () => {
  fc.assert(
    fc.property(anySecret, fc.nat(), fc.constantFrom('0', '9', 'A', 'z', '_', '-'), (key, at, other) => {
      const place = at % key.length;
      const changed = key.slice(0, place) + other + key.slice(place + 1);
      assert.equal(isComputerKey(changed), changed === key, changed);
    }),
  );
  for (const text of ['', 'ke_', ` ${formatComputerKey(Buffer.alloc(32))}`]) assert.equal(isComputerKey(text), false);
});

test('what is stored of a key is its SHA-256', () => {
  assert.equal(hashComputerSecret('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
