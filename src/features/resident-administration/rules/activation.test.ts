// Checks activation codes, and how long they are valid.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatReadableCode } from '../../../lib/readable-code.ts';
import { activationCodeBytes, expiresAt, isPendingActivation } from './activation.ts';
import { dayMs } from '../../../lib/durations.ts';

test('[residents.24] a code is valid until it is used, or seven days old to the millisecond', () => {
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
    assert.equal(
      isPendingActivation({ code: 'x', created_at: createdAt, used_at }, createdAt + age),
      stands,
      String(age),
    );
  assert.equal(expiresAt({ created_at: createdAt }), createdAt + 7 * dayMs);
});

test('codes have 80 random bits, five in each of sixteen characters', () => {
  assert.match(formatReadableCode(new Uint8Array(activationCodeBytes)), /^.{4}(?:-.{4}){3}$/);
});
