// How codes for people look, and that no random bit of a character is lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatReadableCode } from './readable-code.ts';

test('a code has groups of four characters', () => {
  assert.equal(formatReadableCode(new Uint8Array(4)), '2222');
  assert.equal(formatReadableCode(Uint8Array.of(0, 7, 8, 31, 32, 255)), '29AZ-2Z');
});

test('each of 32 characters that look different comes equally often', () => {
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    const character = formatReadableCode(Uint8Array.of(byte));
    assert.match(character, /^[2-9A-HJ-NP-Z]$/);
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  assert.equal(counts.size, 32);
  assert.deepEqual([...new Set(counts.values())], [8]);
});
