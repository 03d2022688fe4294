// The cells of amounts, whatever came before.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDecimalAmountFormatter } from '../../../lib/decimal-amount.ts';
import { createAmountCells } from './export-amount.ts';

const decimal = createDecimalAmountFormatter();
const currencies = fc.constantFrom('', 'DKK', 'ISK', 'KWD');

test('[account.57] cells of an amount are its own, however many came before', () => {
  const amountCells = createAmountCells((text) => `${text}!`);
  const amounts = fc.tuple(fc.oneof(fc.integer(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), currencies);
  fc.assert(
    fc.property(fc.array(amounts, { maxLength: 50 }), (some) => {
      for (const [minor, currency] of [...some, ...some])
        assert.deepEqual(amountCells(minor, currency).cells, [
          minor,
          `${decimal(minor, currency)}!`,
          currency === '' ? null : currency,
        ]);
    }),
    { numRuns: 500 },
  );
});
