// Checks refunds against tables and by properties.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int64Max } from '../../../lib/values/int64.ts';
import { calculateCancellationPosting, calculateRefund, calculateRestorationPosting } from './refund.ts';

const terms = (refundPercent: number | null, cancelFeeMinor: bigint | null = null) => ({
  refundPercent,
  cancelFeeMinor,
});

test('[bookings.15] a refund is a share of the price, rounded half up, less the fee, and at least zero', () => {
  for (const [price, percent, fee, refund] of [
    [1000n, 100, null, 1000n],
    [1000n, null, null, 1000n],
    [1000n, 50, null, 500n],
    [1n, 50, null, 1n],
    [1n, 49, null, 0n],
    [3n, 50, null, 2n],
    [999n, 33, null, 330n],
    [1000n, 100, 250n, 750n],
    [1000n, 50, 500n, 0n],
    [1000n, 50, 501n, 0n],
    [1000n, 0, null, 0n],
    [0n, 100, null, 0n],
    [int64Max, 100, null, int64Max],
  ] as const)
    assert.equal(calculateRefund(price, terms(percent, fee)), refund, `${price} ${percent} ${fee}`);
});

test('[bookings.15] without a charge nothing is refunded, and without a refund nothing is taken back', () => {
  assert.equal(calculateCancellationPosting(1000n, terms(100), undefined), undefined);
  const charge = (amount_minor: number, vat_minor: number | null = null) => ({ amount_minor, vat_minor });
  assert.equal(calculateCancellationPosting(1000n, terms(0), charge(-1000)), undefined);
  assert.equal(calculateCancellationPosting(1000n, terms(100), charge(0, 0)), undefined);
  assert.equal(calculateCancellationPosting(1000n, terms(100), charge(5, 1)), undefined);
  assert.equal(calculateRestorationPosting(undefined), undefined);
});

test('[bookings.15] a refund and its VAT are between zero and the charge, and a restoration posts exactly the opposite', () => {
  const price = fc.bigInt({ min: 1n, max: int64Max });
  fc.assert(
    fc.property(
      price,
      price,
      fc.nat(100),
      fc.option(price),
      fc.nat(10_000),
      (priceMinor, charged, percent, fee, share) => {
        const vat = -((charged * BigInt(share)) / 10_000n);
        const charge = { amount_minor: -charged, vat_minor: vat };
        const refund = calculateCancellationPosting(priceMinor, terms(percent, fee), charge);
        if (refund === undefined) return;
        assert.ok(refund.amountMinor > 0n && refund.amountMinor <= priceMinor && refund.amountMinor <= charged);
        const { amountMinor, vatMinor } = refund;
        assert.ok(vatMinor !== null && vatMinor >= 0n && vatMinor <= -vat);
        assert.deepEqual(calculateRestorationPosting({ amount_minor: amountMinor, vat_minor: vatMinor }), {
          amountMinor: -amountMinor,
          vatMinor: -vatMinor,
        });
      },
    ),
  );
});
