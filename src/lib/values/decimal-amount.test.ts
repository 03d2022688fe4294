// Amounts in major units, exact whatever their size.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDecimalAmountFormatter, toJsonDecimal } from './decimal-amount.ts';

const decimal = createDecimalAmountFormatter();

test('[account.57] an amount has as many decimals as its currency, and none is spelled without a currency', () => {
  for (const [minor, currency, text] of [
    [-1230, 'DKK', '-12.30'],
    [5, 'DKK', '0.05'],
    [-5n, 'EUR', '-0.05'],
    [0, 'SEK', '0.00'],
    [100, 'GBP', '1.00'],
    [-250, 'ISK', '-250'],
    [1234, 'KWD', '1.234'],
    [2n ** 63n - 1n, 'DKK', '92233720368547758.07'],
    [-(2n ** 63n), 'NOK', '-92233720368547758.08'],
    [7, '', ''],
    [7, 'ZZZ', '0.07'],
  ] as const)
    assert.equal(decimal(minor, currency), text);
});

test('[account.57] the digits of an amount are those of its minor units', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (minor) => {
      const text = decimal(minor, 'DKK');
      assert.match(text, /^-?(?:0|[1-9]\d*)\.\d\d$/);
      assert.equal(BigInt(text.replace('.', '')), minor);
    }),
  );
});

test('[public.08] JSON has every digit of an amount', () => {
  for (const [amount, decimals, json] of [
    [1230, 2, '12.30'],
    [-5n, 2, '-0.05'],
    [2n ** 64n + 7n, 2, '184467440737095516.23'],
    [7, 0, '7'],
  ] as const)
    assert.equal(JSON.stringify([toJsonDecimal(amount, decimals)]), `[${json}]`);
});
