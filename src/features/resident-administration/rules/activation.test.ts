// Checks activation codes, and how long they are valid.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatReadableCode } from '../../../lib/text/readable-code.ts';
import { activationCodeBytes, codeStateOf, expiresAt, findCodeRefusal, type CodeState } from './activation.ts';
import { dayMs } from '../../../lib/time/durations.ts';

test('[residents.24] a code is valid until it is used, or seven days old to the millisecond', () => {
  const createdAt = 9000 * dayMs;
  const table: [age: number, usedAt: number | null, expected: CodeState][] = [
    [0, null, 'pending'],
    [7 * dayMs - 1, null, 'pending'],
    [7 * dayMs, null, 'expired'],
    [8 * dayMs, null, 'expired'],
    [1, createdAt, 'used'],
    [1, createdAt + 1, 'used'],
    [8 * dayMs, createdAt, 'used'],
  ];
  for (const [age, used_at, expected] of table)
    assert.equal(codeStateOf({ created_at: createdAt, used_at }, createdAt + age), expected, String(age));
  assert.equal(codeStateOf(undefined, createdAt), 'none');
  assert.equal(expiresAt({ created_at: createdAt }), createdAt + 7 * dayMs);
});

test('only an active resident can use a code, and of the others the state is the reason', () => {
  assert.equal(findCodeRefusal('active', 'pending'), undefined);
  for (const code of ['none', 'used', 'expired'] as const) assert.equal(findCodeRefusal('active', code), code);
  for (const state of ['disabled', 'deleted'] as const)
    for (const code of ['none', 'used', 'expired', 'pending'] as const)
      assert.equal(findCodeRefusal(state, code), state);
});

test('codes have 80 random bits, five in each of sixteen characters', () => {
  assert.match(formatReadableCode(new Uint8Array(activationCodeBytes)), /^.{4}(?:-.{4}){3}$/);
});
