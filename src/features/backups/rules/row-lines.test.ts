// Rows as lines: every value that an engine stores comes back as it was.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRowLine, parseRowLine, type StoredValue } from './row-lines.ts';

/** As the engines give them: a bigint only where a number is not exact. */
const anyInteger = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
const anyValue: fc.Arbitrary<StoredValue> = fc.oneof(
  fc.constant(null),
  anyInteger,
  fc.maxSafeInteger(),
  fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n, -(2n ** 53n)),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('{"int64":"9007199254740993"}', '\u0000', '\u2028\n'),
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
);

test('a row is the same after it was written and read, and is one line', () => {
  fc.assert(
    fc.property(fc.array(anyValue), (row) => {
      const line = formatRowLine(row);
      assert.equal(line.includes('\n'), false);
      const columns = row.map((_, index) => `column${index}`);
      // A negative zero is an integer like the other.
      assert.deepEqual(
        parseRowLine(line, columns),
        row.map((value) => (value === 0 ? 0 : value)),
      );
    }),
  );
});

test('an integer has one form, whether an engine gives it as a number or as a bigint', () => {
  assert.equal(formatRowLine([5n, 5, -(2n ** 53n)]), '[5,5,{"int64":"-9007199254740992"}]');
});

test('what no backup holds is refused', () => {
  for (const value of ['1.5', '9007199254740993', 'true', '[]', '{}', '{"int64":"5"}', '{"int64":"x"}', '{"base64":1}'])
    assert.throws(() => parseRowLine(`[${value}]`, ['amount']), /the value of amount is not one of a backup/, value);
  assert.throws(() => formatRowLine([1.5]), TypeError);
});
