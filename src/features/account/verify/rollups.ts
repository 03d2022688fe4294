// Roll-ups are exactly what the postings sum up to.

import type { Db } from '../../../database/dialect.ts';
import type { Tables } from '../../../database/tables.ts';
import { rollupKey, rollupsOf, summedColumns } from '../rules/rollups.ts';
import type { LedgerCheck } from './check.ts';

type Rollup = Tables['posting_rollups'];

const keyOf = (row: Rollup): string => rollupKey.map((column) => row[column]).join('/');
const sumsOf = (row: Rollup): string => summedColumns.map((column) => row[column]).join('/');

export const rollupCheck: LedgerCheck = ({ db, bankId, tell }) => {
  const computed = new Map<string, Rollup>();
  return {
    postings: (rows) => {
      for (const row of rollupsOf(rows)) {
        const known = computed.get(keyOf(row));
        if (known === undefined) computed.set(keyOf(row), row);
        else addTo(known, row);
      }
    },
    end: async () => {
      const rollups = computed.size;
      for await (const row of storedRollups(db, bankId)) {
        const key = keyOf(row);
        const expected = computed.get(key);
        computed.delete(key);
        const stored = sumsOf(row);
        const sums = expected === undefined ? undefined : sumsOf(expected);
        if (sums !== stored) tell({ kind: 'roll-up', key, stored, computed: sums });
      }
      for (const [key, row] of computed) tell({ kind: 'roll-up', key, stored: undefined, computed: sumsOf(row) });
      return { 'roll-ups': rollups };
    },
  };
};

// Over some millions of postings the sums of the low halves pass 2^53.
function addTo(sums: Rollup, { count, ...halves }: Rollup): void {
  sums.count += count;
  for (const half of ['amount_high', 'amount_low', 'fingerprint_high', 'fingerprint_low'] as const)
    sums[half] = BigInt(sums[half]) + BigInt(halves[half]);
}

/** Stored roll-ups, one grain of one location at a time: each is a bounded stretch of the primary key. */
async function* storedRollups(db: Db, bankId: number): AsyncGenerator<Rollup> {
  const stretches = await db
    .selectFrom('posting_rollups')
    .select(['location_id', 'unit_id', 'grain'])
    .distinct()
    .where('bank_id', '=', bankId)
    .execute();
  for (const { location_id, unit_id, grain } of stretches) {
    yield* await db
      .selectFrom('posting_rollups')
      .selectAll()
      .where('bank_id', '=', bankId)
      .where('location_id', '=', location_id)
      .where('unit_id', '=', unit_id)
      .where('grain', '=', grain)
      .execute();
  }
}
