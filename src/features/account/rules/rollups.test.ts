// Checks the totals of partial sums against adding postings one by one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { splitInt64 } from '../../../lib/values/int64.ts';
import { addPartialSums } from './rollups.ts';

const most = 2n ** 63n - 1n;
const partialSumGroup = fc.record({
  currency: fc.constantFrom('DKK', 'EUR', 'SEK', ''),
  isDebit: fc.boolean(),
  amounts: fc.array(fc.bigInt({ min: 0n, max: most }), { maxLength: 5 }),
  fingerprints: fc.array(fc.bigInt({ min: 0n, max: most }), { maxLength: 5 }),
});

test('partial sums add up to exact totals by currency, the unknown currency last, in any order', () => {
  const summed = (values: bigint[]): bigint => values.reduce((sum, each) => sum + each, 0n);
  fc.assert(
    fc.property(fc.array(partialSumGroup), fc.infiniteStream(fc.integer()), (groups, dice) => {
      const signed = groups.map(({ isDebit, amounts, ...rest }) => ({
        ...rest,
        amounts: amounts.map((each) => (isDebit ? -each - 1n : each)),
      }));
      const partialSums = signed.map(({ currency, amounts, fingerprints }) => {
        const halves = (values: bigint[], half: 'high' | 'low'): number =>
          values.map((each) => splitInt64(each)[half]).reduce((sum, each) => sum + each, 0);
        return {
          currency,
          count: amounts.length,
          amount_high: halves(amounts, 'high'),
          amount_low: BigInt(halves(amounts, 'low')),
          fingerprint_high: halves(amounts.length === 0 ? [] : fingerprints, 'high'),
          fingerprint_low: halves(amounts.length === 0 ? [] : fingerprints, 'low'),
        };
      });
      const expected = ['DKK', 'EUR', 'SEK', ''].flatMap((currency) => {
        const amounts = signed.filter((each) => each.currency === currency).flatMap((each) => each.amounts);
        const [debits, credits] = [amounts.filter((each) => each < 0n), amounts.filter((each) => each >= 0n)];
        return amounts.length === 0
          ? []
          : [{ currency, count: amounts.length, debitMinor: summed(debits), creditMinor: summed(credits) }];
      });
      const prints = summed(
        signed.filter(({ amounts }) => amounts.length > 0).flatMap(({ fingerprints }) => fingerprints),
      );
      const shuffled = partialSums
        .map((partialSum) => ({ partialSum, key: dice.next().value }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ partialSum }) => partialSum);
      const result = addPartialSums(shuffled);
      assert.deepEqual(result, {
        count: expected.reduce((sum, { count }) => sum + count, 0),
        totals: expected,
        fingerprint: prints % 2n ** 64n,
      });
    }),
  );
});
