// 64-bit integers: their exact JSON, and the halves into which SQL splits them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  int64Max,
  int64Min,
  isInt64,
  joinInt64,
  toJsonInt64,
  mayNeedExactNumbers,
  parseExactJson,
  parseJsonDecimal,
  parseJsonInt64,
  splitInt64,
} from './int64.ts';

const int64 = fc.oneof(
  fc.bigInt({ min: int64Min, max: int64Max }),
  fc.constantFrom(int64Min, int64Min + 1n, int64Max, 0n, -1n, 1n, 2n ** 32n, -(2n ** 32n), 2n ** 53n, -(2n ** 53n)),
  fc.bigInt({ min: -(2n ** 33n), max: 2n ** 33n }),
);

test('the bounds of a 64-bit integer are those of two’s complement', () => {
  assert.equal(int64Min, -9_223_372_036_854_775_808n);
  assert.equal(int64Max, 9_223_372_036_854_775_807n);
  for (const inside of [int64Min, -1n, 0n, int64Max]) assert.ok(isInt64(inside), String(inside));
  for (const outside of [int64Min - 1n, int64Max + 1n, 10n ** 30n]) assert.ok(!isInt64(outside), String(outside));
});

test('every integer stands in JSON with all its digits, whichever way storage delivered it', () => {
  fc.assert(
    fc.property(int64, (value) => {
      assert.equal(JSON.stringify(toJsonInt64(value)), value.toString());
      if (Number.isSafeInteger(Number(value)))
        assert.equal(JSON.stringify(toJsonInt64(Number(value))), value.toString());
    }),
  );
  // Sums pass 64 bits, and keep their digits.
  assert.equal(JSON.stringify({ sum: toJsonInt64(int64Min * 3n) }), '{"sum":-27670116110564327424}');
});

test('an integer that a number holds exactly is a plain number in JSON', () => {
  assert.equal(toJsonInt64(9_007_199_254_740_991n), 9_007_199_254_740_991);
  assert.equal(toJsonInt64(-5n), -5);
  assert.notEqual(typeof toJsonInt64(9_007_199_254_740_992n), 'number');
});

test('halves are cut at 2^32 towards zero, and joined they are the integer again', () => {
  fc.assert(
    fc.property(int64, (value) => {
      const { high, low } = splitInt64(value);
      assert.equal(joinInt64(high, low), value);
      assert.ok(Number.isSafeInteger(high) && Number.isSafeInteger(low));
      assert.ok(Math.abs(low) < 2 ** 32 && Math.abs(high) <= 2 ** 31);
      // Neither half has the other sign.
      assert.ok(value < 0n ? high <= 0 && low <= 0 : high >= 0 && low >= 0);
    }),
  );
  assert.deepEqual(splitInt64(-(2n ** 32n) - 1n), { high: -1, low: -1 });
  assert.deepEqual(splitInt64(-1), { high: 0, low: -1 });
});

test('halves added up one by one join to the exact sum, far beyond 64 bits', () => {
  fc.assert(
    fc.property(fc.array(int64, { maxLength: 300 }), (values) => {
      let [high, low] = [0, 0];
      for (const half of values.map(splitInt64)) {
        high += half.high;
        low += half.low;
      }
      const sum = values.reduce((total, value) => total + value, 0n);
      assert.equal(joinInt64(high, low), sum);
      assert.equal(joinInt64(BigInt(high), BigInt(low)), sum);
    }),
  );
});

test('an integer of JSON is read with all its digits, wherever it stands', () => {
  fc.assert(
    fc.property(int64, (value) => {
      const text = `{"a":[${value}],"b":"${value}"}`;
      const { a, b } = parseExactJson(text) as { a: unknown[]; b: unknown };
      assert.equal(parseJsonInt64(a[0]), value);
      assert.equal(b, String(value));
      assert.equal(JSON.stringify({ a, b }), text);
      if (!Number.isSafeInteger(Number(value))) assert.ok(mayNeedExactNumbers(text));
    }),
  );
});

test('a value that is no 64-bit integer, or is not spelled as one, is not read as one', () => {
  for (const text of [
    '9223372036854775808',
    '-9223372036854775809',
    '1e19',
    '10e18',
    '1.5',
    '1e999',
    '1.00000000000000000001',
  ])
    assert.equal(parseJsonInt64(parseExactJson(text)), undefined, text);
  for (const value of ['1', '9007199254740993', null, true, {}, [], { rawJSON: '1' }, undefined])
    assert.equal(parseJsonInt64(value), undefined, JSON.stringify(value));
  assert.equal(parseJsonInt64(parseExactJson('1e3')), 1000n);
  assert.equal(parseExactJson('1e3'), 1000);
  assert.equal(parseJsonInt64(parseExactJson('1e18')), 10n ** 18n);
  assert.equal(parseJsonInt64(parseExactJson('-0')), 0n);
  for (const text of ['9007199254740993.0', '9007199254740993e0', '90071992547409930e-1', '9007199254740993E+00'])
    assert.equal(parseJsonInt64(parseExactJson(text)), 9_007_199_254_740_993n, text);
});

test('a decimal of JSON is judged by its spelling, however many digits it has', () => {
  const read = (text: string, decimals: number) => parseJsonDecimal(parseExactJson(text), decimals);
  assert.equal(read('0.1', 1), 1n);
  assert.equal(read('-2.50', 1), -25n);
  assert.equal(read('1.5e1', 0), 15n);
  assert.equal(read('60.00000000000000000000', 0), 60n);
  for (const text of ['60.00000000000000000001', '249.99999999999999999', '1.0000000000000001e-999999999', '1e999'])
    assert.equal(read(text, 1), undefined, text);
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      fc.integer({ min: 0, max: 20 }),
      (units, decimals) => {
        const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
        const cut = digits.length - decimals;
        const text = `${units < 0n ? '-' : ''}${digits.slice(0, cut)}${decimals === 0 ? '' : '.'}${digits.slice(cut)}`;
        assert.equal(read(text, decimals), units);
      },
    ),
  );
});
