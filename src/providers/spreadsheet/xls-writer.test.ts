// Spreadsheets from their thread: complete or not at all, and one at a time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readXls } from '../../../test/support/spreadsheets.ts';
import { Problem } from '../../lib/problem.ts';
import { createXlsWriter, type XlsRow, type WriteXls } from './xls-writer.ts';

const sheet = { name: 'Account', columns: ['at', 'text'] };

async function* batches(count: number, rows = 3): AsyncGenerator<XlsRow[]> {
  for (let batch = 0; batch < count; batch += 1)
    yield Array.from({ length: rows }, (_, row) => [batch * rows + row, `row ${batch * rows + row}`]);
}

const make = async (xls: WriteXls, from: AsyncIterable<readonly XlsRow[]>): Promise<Buffer> =>
  Buffer.concat(await xls(sheet, from));

const numbers = (file: Buffer): unknown[] =>
  readXls(file)
    .rows.slice(1)
    .map(([cell]) => cell?.value);

test('[account.57] a spreadsheet holds the rows of all batches in their order', async () => {
  const xls = createXlsWriter();
  assert.deepEqual(numbers(await make(xls, batches(0))), []);
  assert.deepEqual(
    numbers(await make(xls, batches(40))),
    Array.from({ length: 120 }, (_, index) => index),
  );
});

test('[general.33] an error in the rows is the error of the spreadsheet, and the next one is written', async () => {
  const xls = createXlsWriter();
  const failure = new Error('storage is gone');
  const failing = async function* () {
    yield* batches(3);
    throw failure;
  };
  await assert.rejects(make(xls, failing()), failure);
  assert.equal(numbers(await make(xls, batches(2))).length, 6);
});

test('[general.33] rows that no sheet can hold are an error, and the next spreadsheet is written', async () => {
  const xls = createXlsWriter();
  await assert.rejects(make(xls, batches(7, 10_000)), /at most 65536 rows/);
  assert.equal(numbers(await make(xls, batches(2))).length, 6);
});

test('one spreadsheet is written at a time; a request that waits too long is told to retry later', async () => {
  const xls = createXlsWriter(300);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const slow = async function* () {
    await held;
    yield* batches(1);
  };
  const first = make(xls, slow());
  let started = false;
  const watched = async function* () {
    started = true;
    yield* batches(1);
  };
  await assert.rejects(
    make(xls, watched()),
    (error) => error instanceof Problem && error.code === 'storage-busy' && error.retryAfterSeconds !== undefined,
  );
  assert.ok(!started);
  const next = make(xls, watched());
  letGo();
  assert.equal(numbers(await first).length, 3);
  assert.equal(numbers(await next).length, 3);
});
