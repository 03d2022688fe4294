// Compares pages of a snapshot with an oracle that cuts them from a list of row numbers.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstRange, rangeAfter, rangeBefore, type SnapshotRange } from './page-cursor.ts';

const rowsOf = ({ offset, count }: SnapshotRange): number[] =>
  Array.from({ length: count }, (_, index) => offset + index);

const anySnapshot = fc.record({ totalCount: fc.nat(300), pageSize: fc.integer({ min: 1, max: 100 }) });
const anyOffset = fc.nat(1999);

test('[status.29] a first page begins at the wanted row, or at the last one where there are fewer', () => {
  fc.assert(
    fc.property(anySnapshot, anyOffset, (size, wanted) => {
      const rows = Array.from({ length: size.totalCount }, (_, index) => index);
      const from = rows.includes(wanted) ? wanted : (rows.at(-1) ?? 0);
      const range = firstRange(wanted, size);
      assert.equal(range.offset, from);
      assert.deepEqual(rowsOf(range), rows.slice(from, from + size.pageSize));
    }),
  );
});

test('[status.30] pages in both directions from any first page contain every row once, in order', () => {
  fc.assert(
    fc.property(anySnapshot, anyOffset, (size, wanted) => {
      const first = firstRange(wanted, size);
      const pages = [first];
      for (let next = rangeAfter(first, size); next !== undefined; next = rangeAfter(next, size)) pages.push(next);
      for (let before = rangeBefore(first, size); before !== undefined; before = rangeBefore(before, size))
        pages.unshift(before);
      assert.deepEqual(
        pages.flatMap(rowsOf),
        Array.from({ length: size.totalCount }, (_, index) => index),
      );
      for (const page of pages) assert.ok(page.count <= size.pageSize);
    }),
  );
});

test('the page after the one before is the page itself', () => {
  fc.assert(
    fc.property(anySnapshot, anyOffset, (size, wanted) => {
      const first = firstRange(wanted, size);
      const before = rangeBefore(first, size);
      assert.equal(before === undefined, first.offset === 0);
      if (before !== undefined) assert.deepEqual(rangeAfter(before, size), first);
    }),
  );
});
