// Fingerprints are stored, so they must never change.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { computeFingerprint } from './hash-chain.ts';

const posting = { bank_id: 1001, posting_id: 1, period: 1, amount_minor: -100, currency: 'DKK' };

test('a fingerprint is the upper 63 bits of SHA-256 over bank, id, period, amount and currency', () => {
  // printf '1001/1/1/-100/DKK' | sha256sum
  assert.equal(computeFingerprint(posting), 0x9c43_65da_8807_193fn / 2n);
  const large = {
    bank_id: 7,
    posting_id: 9_007_199_254_740_991,
    period: 12,
    amount_minor: 2n ** 63n - 1n,
    currency: '',
  };
  assert.equal(computeFingerprint(large), 0x8a88_b48d_17f3_71afn / 2n);
});

test('a fingerprint is the same for a number and for the bigint of its digits', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (amount) => {
      const one = computeFingerprint({ ...posting, amount_minor: amount });
      assert.equal(one, computeFingerprint({ ...posting, amount_minor: BigInt(amount) }));
      assert.ok(one >= 0n && one < 2n ** 63n);
    }),
  );
});

test('a fingerprint changes with each of its parts', () => {
  const others = [
    { bank_id: 1002 },
    { posting_id: 2 },
    { period: 2 },
    { amount_minor: 100 },
    { currency: 'EUR' },
    { currency: '' },
  ];
  const prints = [posting, ...others.map((change) => ({ ...posting, ...change }))].map(computeFingerprint);
  assert.equal(new Set(prints).size, prints.length);
});
