// Checks the roll-ups of residents against plain arithmetic.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinInt64 } from '../../../lib/values/int64.ts';
import { residentRollupUpsertColumns, computeResidentRollups } from './resident-rollups.ts';
import { codePoint } from '../../../../test/support/code-point.ts';

const posting = fc.record({
  bank_id: fc.constant(1001),
  user_id: fc.constantFrom(0, 1000, 1001, 1002),
  period: fc.constantFrom(1, 2),
  currency: fc.constantFrom('', 'DKK'),
  kind: fc.constantFrom(1, 4),
  amount_minor: fc.oneof(
    fc.constantFrom(-1n, 0n, 1n),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.integer(),
  ),
  fingerprint: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  text: fc.string({ unit: codePoint }),
  recorded_at: fc.integer(),
});

test('there is one row for each resident, period, currency, kind and sign, and it is the sum of its postings', () => {
  fc.assert(
    fc.property(fc.array(posting, { maxLength: 60 }), (postings) => {
      const owned = postings.filter(({ user_id }) => user_id > 1000);
      const groups = Map.groupBy(owned, (each) =>
        [each.bank_id, each.user_id, each.period, each.currency, each.kind, each.amount_minor > 0 ? 1 : 0].join('/'),
      );
      const rows = computeResidentRollups(postings);
      const found = rows.map((row) => [
        residentRollupUpsertColumns.key.map((column) => row[column]).join('/'),
        {
          count: row.count,
          amount: joinInt64(row.amount_high, row.amount_low),
          fingerprint: joinInt64(row.fingerprint_high, row.fingerprint_low),
          bytes: row.text_bytes,
          times: [row.earliest, row.latest],
        },
      ]);
      const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
      const expected = [...groups].map(([key, group]) => [
        key,
        {
          count: group.length,
          amount: sum(group.map(({ amount_minor }) => BigInt(amount_minor))),
          fingerprint: sum(group.map(({ fingerprint }) => fingerprint)),
          bytes: new TextEncoder().encode(group.map(({ text }) => text).join('')).length,
          times: [
            Math.min(...group.map((each) => each.recorded_at)),
            Math.max(...group.map((each) => each.recorded_at)),
          ],
        },
      ]);
      assert.equal(found.length, expected.length);
      assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected));
    }),
  );
});
