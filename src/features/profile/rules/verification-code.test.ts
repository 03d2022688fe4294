// Checks the form of verification codes, how long they are valid, and when the next one can be requested.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { formatReadableCode } from '../../../lib/readable-code.ts';
import {
  hashCode,
  isSameHash,
  isPendingVerification,
  requestWindowMs,
  secondsUntilNextRequest,
  verificationCodeBytes,
} from './verification-code.ts';

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

test('[managers.17] no hour has more than five requests, and the wait ends when the next one is allowed', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2_000_000 }), { maxLength: 40 }), (pauses) => {
      const accepted: number[] = [];
      let now = 0;
      for (const pause of pauses) {
        now += pause;
        const wait = secondsUntilNextRequest(accepted, now);
        if (wait === 0) accepted.push(now);
        else {
          assert.ok(Number.isInteger(wait) && wait <= requestWindowMs / 1000);
          assert.equal(secondsUntilNextRequest(accepted, now + wait * 1000), 0);
          if (wait > 1) assert.notEqual(secondsUntilNextRequest(accepted, now + (wait - 1) * 1000 - 1), 0);
        }
      }
      for (const [at, time] of accepted.entries()) {
        const later = accepted[at + 5];
        if (later !== undefined) assert.ok(later - time >= requestWindowMs);
      }
    }),
  );
});
