// Compares the movements after an instant with a sum over all postings.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryPosting } from './receipt-grouping.ts';
import { createSumMovementsAfter } from './movements-after.ts';

const some = fc.record({
  recorded_at: fc.integer({ min: -5, max: 20 }),
  currency: fc.constantFrom('', 'DKK', 'EUR'),
  amount_minor: fc.oneof(fc.integer(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
});

test('[receipts.31] postings recorded after an instant are summed exactly, by currency, without those of that very instant', () => {
  fc.assert(
    fc.property(fc.array(some, { maxLength: 30 }), fc.integer({ min: -7, max: 22 }), (all, instant) => {
      const later = createSumMovementsAfter(
        all.toSorted((a, b) => b.recorded_at - a.recorded_at) as unknown as HistoryPosting[],
      );
      for (const currency of ['', 'DKK', 'EUR', 'SEK']) {
        const wanted = all
          .filter((each) => each.currency === currency && each.recorded_at > instant)
          .reduce((sum, { amount_minor }) => sum + BigInt(amount_minor), 0n);
        assert.equal(later(currency, instant), wanted);
      }
    }),
  );
});
