// Checks that keys are hashed one at a time, and that keys of an address with many wrong ones wait longer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PasswordHasher } from '../../passwords/process/password-hasher.ts';
import { createKeyVerifier } from './key-verifier.ts';

const right = 'right';

/** A hasher that computes nothing, and ends each hash when the test calls `end`. */
function createHasher() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const verify: PasswordHasher['verify'] = (key) => {
    begun.push(key);
    return new Promise((resolve) => ends.push(() => resolve(key.startsWith(right))));
  };
  return { begun, end: () => ends.shift()?.(), passwordHasher: { verify } };
}

const settle = () => new Promise(setImmediate);
const ofFlood = { tenant: 'sund', phc: 'hash', address: '192.0.2.1' };
const ofOther = { ...ofFlood, address: '192.0.2.2' };

test('wrong keys are hashed one at a time, and beyond the limit only one comes before a right key of another address', async () => {
  const { begun, end, passwordHasher } = createHasher();
  const verify = createKeyVerifier(passwordHasher);
  const wrong = Array.from({ length: 30 }, (_, index) => verify({ ...ofFlood, key: `wrong ${index}` }));
  for (let index = 0; index < 10; index += 1) {
    await settle();
    assert.equal(begun.length, index + 1);
    end();
  }
  await settle();
  const fitting = verify({ ...ofOther, key: right });
  for (let index = 0; index < 3; index += 1) {
    end();
    await settle();
  }
  // Ten wrong keys are within the limit. Two of the first twelve were beyond it, and `wrong 12` is the next of these.
  assert.deepEqual(begun.slice(10), ['wrong 8', 'wrong 9', 'wrong 12', right]);
  end();
  assert.equal(await fitting, true);
  const late = verify({ ...ofFlood, key: `${right}, too` });
  for (let index = 0; index < 30; index += 1) {
    end();
    await settle();
  }
  assert.equal(await late, true, 'a right key of the same address is checked in its turn');
  assert.deepEqual([...new Set(await Promise.all(wrong))], [false]);
});

test('a known key does not wait', async () => {
  const { end, passwordHasher } = createHasher();
  const verify = createKeyVerifier(passwordHasher);
  const first = verify({ ...ofFlood, key: right });
  await settle();
  end();
  assert.equal(await first, true);
  for (let index = 0; index < 20; index += 1) void verify({ ...ofFlood, key: `wrong ${index}` });
  assert.equal(await verify({ ...ofFlood, key: right }), true);
});
