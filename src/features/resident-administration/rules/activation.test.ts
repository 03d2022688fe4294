// Activation codes, and how long they stand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createActivationCode, expiresAt, isStanding } from './activation.ts';

const dayMs = 86_400_000;

test('[residents.24] a code stands until it is used, or seven days old to the millisecond', () => {
  const createdAt = 9000 * dayMs;
  const table: [age: number, usedAt: number | null, stands: boolean][] = [
    [0, null, true],
    [7 * dayMs - 1, null, true],
    [7 * dayMs, null, false],
    [8 * dayMs, null, false],
    [1, createdAt, false],
    [1, createdAt + 1, false],
  ];
  for (const [age, used_at, stands] of table)
    assert.equal(isStanding({ code: 'x', created_at: createdAt, used_at }, createdAt + age), stands, String(age));
  assert.equal(expiresAt({ created_at: createdAt }), createdAt + 7 * dayMs);
});

test('codes have four groups of four characters that are not taken for one another, and no two are the same', () => {
  const codes = Array.from({ length: 2000 }, createActivationCode);
  assert.equal(new Set(codes).size, codes.length);
  for (const code of codes) assert.match(code, /^[2-9A-HJ-NP-Z]{4}(?:-[2-9A-HJ-NP-Z]{4}){3}$/);
  // Each of the 32 characters comes at every place.
  for (let place = 0; place < 19; place += 1)
    if (place % 5 !== 4) assert.equal(new Set(codes.map((code) => code[place])).size, 32, String(place));
});
