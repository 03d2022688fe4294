// Batches of a list of ids: all of them, in order, some ahead, and an error where rows are missing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readAhead } from './read-ahead.ts';

const toRows = (ids: readonly number[]) => ({ ids, count: ids.length });

test('every id is read once, in order and in batches, and no more batches than allowed are read at the same time', async () => {
  const sizes = [fc.nat(60), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5 })] as const;
  await fc.assert(
    fc.asyncProperty(...sizes, async (count, batchSize, batchesAhead) => {
      const ids = Array.from({ length: count }, (_, index) => index * 7);
      const asked: number[] = [];
      const read = async (batch: readonly number[]) => {
        asked.push(batch.length);
        return toRows(batch);
      };
      const used: number[] = [];
      let batches = 0;
      for await (const rows of readAhead(ids, { batchSize, batchesAhead, read })) {
        batches += 1;
        used.push(...rows.ids);
        assert.ok(asked.length < batches + batchesAhead);
      }
      assert.deepEqual(used, ids);
      assert.equal(asked.length, Math.ceil(count / batchSize));
    }),
  );
});

test('[general.33] another number of rows than of ids is an error', async () => {
  for (const missing of [1, -1]) {
    const read = async (ids: readonly number[]) => ({ count: ids.includes(5) ? ids.length - missing : ids.length });
    const used: number[] = [];
    await assert.rejects(async () => {
      for await (const { count } of readAhead([1, 2, 3, 4, 5], { batchSize: 2, batchesAhead: 2, read }))
        used.push(count);
    }, /in place of 1/);
    assert.deepEqual(used, [2, 2]);
  }
});

test('a failed batch is an error for a consumer that goes on, and not for one that has stopped', async () => {
  const read = async (ids: readonly number[]) => {
    if (ids.includes(2)) throw new Error('storage is gone');
    return toRows(ids);
  };
  const options = { batchSize: 1, batchesAhead: 3, read };
  for await (const { ids } of readAhead([1, 2, 3], options)) {
    assert.deepEqual(ids, [1]);
    break;
  }
  await assert.rejects(Array.fromAsync(readAhead([1, 2, 3], options)), /storage is gone/);
});
