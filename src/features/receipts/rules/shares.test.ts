// Sums of histories, put together from parts.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinInt64, splitInt64 } from '../../../lib/int64.ts';
import { balancesOf, mergeShares, type HistoryShare } from './shares.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const posting = fc.record({
  of_period: fc.constantFrom(0, 1, 2),
  currency: fc.constantFrom('', 'DKK', 'EUR'),
  kind: fc.constantFrom(1, 4),
  is_credit: fc.constantFrom(0, 1),
  is_seen: fc.constantFrom(0, 1),
  amount: int64,
  fingerprint: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  text_bytes: fc.nat(500),
  latest: fc.integer(),
});
type Posting = typeof posting extends fc.Arbitrary<infer T> ? T : never;

const shareOf = ({ amount, fingerprint, ...rest }: Posting): HistoryShare => {
  const [amounts, fingerprints] = [splitInt64(amount), splitInt64(fingerprint)];
  return {
    ...rest,
    count: 1,
    amount_high: amounts.high,
    amount_low: amounts.low,
    fingerprint_high: fingerprints.high,
    fingerprint_low: fingerprints.low,
  };
};

/** Sums by group, written without halves. */
function summed(postings: readonly Posting[]) {
  const groups = Map.groupBy(postings, ({ of_period, currency, kind, is_credit, is_seen }) =>
    JSON.stringify([of_period, currency, kind, is_credit, is_seen]),
  );
  return new Map(
    [...groups].map(([key, group]) => [
      key,
      {
        count: group.length,
        amount: group.reduce((sum, { amount }) => sum + amount, 0n),
        fingerprint: group.reduce((sum, { fingerprint }) => sum + fingerprint, 0n),
        bytes: group.reduce((sum, { text_bytes }) => sum + text_bytes, 0),
        latest: Math.max(...group.map(({ latest }) => latest)),
      },
    ]),
  );
}

test('sums of parts, put together in any number of steps, are the sums of the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.array(posting, { maxLength: 12 }), { maxLength: 5 }), (batches) => {
      const merged = batches.reduce<readonly HistoryShare[]>(
        (known, batch) => mergeShares(known, mergeShares([], batch.map(shareOf))),
        [],
      );
      const found = merged.map((share) => [
        JSON.stringify([share.of_period, share.currency, share.kind, share.is_credit, share.is_seen]),
        {
          count: share.count,
          amount: joinInt64(share.amount_high, share.amount_low),
          fingerprint: joinInt64(share.fingerprint_high, share.fingerprint_low),
          bytes: share.text_bytes,
          latest: share.latest,
        },
      ]);
      assert.deepEqual(new Map(found as [string, unknown][]), summed(batches.flat()));
      assert.equal(found.length, summed(batches.flat()).size);
      for (const [currency, balance] of balancesOf(merged))
        assert.equal(
          balance,
          batches.flat().reduce((sum, each) => sum + (each.currency === currency ? each.amount : 0n), 0n),
        );
    }),
  );
});
