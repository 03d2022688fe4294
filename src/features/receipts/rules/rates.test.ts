// Checks tax and discount by a rate: a table, and properties over all 64-bit amounts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { computeDiscount, computeContainedTax, findValidRate } from './rates.ts';

const amount = fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n });
const rate = fc.integer({ min: 1, max: 10_000 });

test('[receipts.21] a rate counts from a hundredth of a percent up to 100 percent', () => {
  const table: [number | null, number | null][] = [
    [null, null],
    [0, null],
    [-2500, null],
    [1, 1],
    [2500, 2500],
    [10_000, 10_000],
    [10_001, null],
  ];
  for (const [configured, valid] of table) assert.equal(findValidRate(configured), valid);
});

test('[receipts.21] the tax in a total is rounded to the nearest minor unit, and that of a refund is the same with a minus sign', () => {
  const table: [total: bigint, rate: number, tax: bigint][] = [
    [0n, 2500, 0n],
    [100n, 2500, 20n],
    [99n, 2500, 20n],
    [97n, 2500, 19n],
    [-99n, 2500, -20n],
    [3n, 10_000, 2n],
    [-3n, 10_000, -2n],
    [1n, 10_000, 1n],
    [1n, 1, 0n],
    [2n ** 63n, 2500, 1_844_674_407_370_955_162n],
  ];
  for (const [total, of, tax] of table) assert.equal(computeContainedTax(total, of), tax, `${total} at ${of}`);
  fc.assert(
    fc.property(amount, rate, (total, of) => {
      const tax = computeContainedTax(total, of);
      const parts = 10_000n + BigInt(of);
      const off = tax * parts - total * BigInt(of);
      assert.ok(2n * (off < 0n ? -off : off) <= parts, 'within half a unit');
      assert.equal(computeContainedTax(-total, of), -tax);
    }),
  );
});

test('a discount is rounded down, and none is given on a sum that is not positive', () => {
  const table: [purchases: bigint, rate: number, discount: bigint][] = [
    [0n, 500, 0n],
    [-1000n, 500, 0n],
    [19n, 500, 0n],
    [20n, 500, 1n],
    [39n, 500, 1n],
    [12_345n, 10_000, 12_345n],
  ];
  for (const [purchases, of, discount] of table) assert.equal(computeDiscount(purchases, of), discount);
  fc.assert(
    fc.property(amount, rate, (purchases, of) => {
      const discount = computeDiscount(purchases, of);
      if (purchases <= 0n) assert.equal(discount, 0n);
      else {
        assert.ok(discount * 10_000n <= purchases * BigInt(of));
        assert.ok((discount + 1n) * 10_000n > purchases * BigInt(of));
      }
    }),
  );
});
