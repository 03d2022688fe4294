// Checks that the cells of an amount do not depend on the amounts before it.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDecimalAmountFormatter } from '../../../lib/values/decimal-amount.ts';
import { createAmountCells } from './export-amount.ts';

const decimal = createDecimalAmountFormatter();
const currencies = fc.constantFrom('', 'DKK', 'ISK', 'KWD');

test('[account.57] the cells of an amount are correct, however many amounts were formatted before', () => {
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
