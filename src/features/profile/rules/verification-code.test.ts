// Checks the form of verification codes and how long they are valid.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { formatReadableCode } from '../../../lib/text/readable-code.ts';
import { hashCode, isSameHash, isPendingVerification, verificationCodeBytes } from './verification-code.ts';

const code = formatReadableCode(randomBytes(verificationCodeBytes));
const owner = { tenant: 'sund', managerId: 1001, verificationId: 7 };

test('codes have 60 random bits, five in each of twelve characters', () => {
  assert.equal(code.length, 'XXXX-XXXX-XXXX'.length);
  assert.equal(verificationCodeBytes * 5, 60);
});

test('a code is the same however it is typed', () => {
  for (const typed of [code.toLowerCase(), ` ${code} `, code.replaceAll('-', ''), code.replaceAll('-', ' . ')]) {
    assert.ok(isSameHash(hashCode(typed, owner), hashCode(code, owner)));
  }
});

test('the hash of a code depends on its tenant, manager and request', () => {
  const others = [{ tenant: 'fjord' }, { managerId: 1002 }, { verificationId: 8 }];
  for (const other of others) assert.ok(!isSameHash(hashCode(code, owner), hashCode(code, { ...owner, ...other })));
  assert.equal(isSameHash('', hashCode(code, owner)), false);
});

test('[managers.16] a code is valid for 15 minutes less a millisecond', () => {
  const requested_at = 1_000_000;
  const lives = (now: number, code_hash: string | null = 'x') =>
    isPendingVerification({ code_hash, requested_at }, now);
  assert.deepEqual(
    [lives(requested_at), lives(requested_at + 899_999), lives(requested_at + 900_000)],
    [true, true, false],
  );
  assert.equal(lives(requested_at, null), false);
});
