// Rows in batches: all of them, one batch ahead, and an error if their number is not the expected one.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefetchBatches } from './prefetch-batches.ts';

/** Numbers 1..held in batches of a size. */
function source(held: number, size: number) {
  const asked: number[] = [];
  const from = (first: number): number[] =>
    Array.from({ length: Math.max(0, Math.min(size, held - first + 1)) }, (_, index) => first + index);
  const next = async (last: number): Promise<number[]> => {
    asked.push(last);
    return from(last + 1);
  };
  return { first: from(1), next, asked };
}

async function all(batches: AsyncIterable<readonly number[]>): Promise<number[]> {
  const rows: number[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}

test('every row comes once, in order, and no batch is requested for nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 20 }), async (held, size) => {
      const { first, next, asked } = source(held, size);
      assert.deepEqual(
        await all(prefetchBatches({ first, totalCount: held, readNext: next })),
        source(held, held).first,
      );
      assert.equal(asked.length, Math.max(0, Math.ceil(held / size) - 1));
    }),
  );
});

test('[general.33] another number of rows than expected is an error', async () => {
  for (const [held, count] of [
    [10, 11],
    [10, 20],
    [0, 1],
    [10, 9],
  ] as const) {
    const { first, next } = source(held, 5);
    await assert.rejects(
      all(prefetchBatches({ first, totalCount: count, readNext: next })),
      new RegExp(`in place of ${count}`),
    );
  }
});

test('the next batch is read while one is used, and its failure does not matter to a consumer that has stopped', async () => {
  const { first, asked } = source(20, 5);
  const next = async (last: number): Promise<number[]> => {
    asked.push(last);
    throw new Error('storage is gone');
  };
  for await (const rows of prefetchBatches({ first, totalCount: 20, readNext: next })) {
    assert.deepEqual([rows.length, asked], [5, [5]]);
    break;
  }
  await assert.rejects(all(prefetchBatches({ first, totalCount: 20, readNext: next })), /storage is gone/);
});
