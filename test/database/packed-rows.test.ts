// Packed rows are unpacked as they were stored, on both engines.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import {
  joinPackedRows,
  jsonArrayOf,
  parseJsonRow,
  parsePackedRows,
  toPackedRows,
} from '../../src/database/statements/json-rows.ts';
import { int64Max, int64Min } from '../../src/lib/values/int64.ts';
import { serviceSuite } from '../support/service-suite.ts';

const odd = [
  '',
  ' ',
  '"',
  '\\',
  "'",
  '","',
  '[1]',
  'null',
  '\u0000',
  '\u0001\u001f\u007f',
  '\r\n\t',
  'Ærø ½ 🧺',
  '123456789012345678',
];
const edges = [0n, -1n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n), 2n ** 53n + 1n, int64Max, int64Min];
const narrow = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

serviceSuite({ manager: false }, ({ service }) => {
  before(async () => {
    await service.write('sund', (db) =>
      db.schema
        .createTable('samples')
        .addColumn('id', db.dialect.int64)
        .addColumn('amount', db.dialect.int64)
        .addColumn('text', db.dialect.text(200))
        .execute(),
    );
  });

  test('texts, nulls and integers of 64 bits are unpacked as they were packed', async () => {
    const text = fc.option(fc.oneof(fc.constantFrom(...odd), fc.string({ unit: 'grapheme', maxLength: 40 })));
    const amount = fc.option(fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: int64Min, max: int64Max })));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ text, amount }), { maxLength: 20 }), async (samples) => {
        const { rows, packed } = await service.write('sund', async (db) => {
          await sql`delete from samples`.execute(db);
          for (const [id, each] of samples.entries())
            await sql`insert into samples (id, amount, text) values (${id}, ${each.amount}, ${each.text})`.execute(db);
          const query = db
            .selectFrom(sql<{ id: number }>`samples`.as('samples'))
            .select(jsonArrayOf(['id', 'amount', 'text']).as('row'))
            .orderBy('id', 'desc');
          return { rows: await query.execute(), packed: toPackedRows(await joinPackedRows(db, query).execute()) };
        });
        const expected = samples
          .map((each, id) => [id, each.amount === null ? null : narrow(each.amount), each.text])
          .toReversed();
        assert.deepEqual(
          rows.map(({ row }) => parseJsonRow(row)),
          expected,
        );
        assert.deepEqual([packed.count, parsePackedRows(packed)], [samples.length, expected]);
      }),
      { numRuns: 40 },
    );
  });
});
