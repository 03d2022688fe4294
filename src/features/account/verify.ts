// Proves a bank's roll-ups against its postings: everything is computed anew and any difference is told.

import type { Db } from '../../database/dialect.ts';
import type { Tables } from '../../database/tables.ts';
import { fingerprintOf } from './rules/fingerprint.ts';
import { rollupKey, rollupsOf, summedColumns } from './rules/rollups.ts';

type Rollup = Tables['posting_rollups'];

export type Difference = {
  readonly key: string;
  readonly stored: string | undefined;
  readonly computed: string | undefined;
};
export type Verdict = {
  readonly postings: number;
  readonly rollups: number;
  /** How many there are; the first of them are told. */
  readonly differing: number;
  readonly differences: readonly Difference[];
};

const maxDifferences = 1000;

const keyOf = (row: Rollup): string => rollupKey.map((column) => row[column]).join('/');
const sumsOf = (row: Rollup): string => summedColumns.map((column) => row[column]).join('/');

/** `chunkRows` postings are in memory at a time. */
export async function verifyLedger(db: Db, bankId: number, chunkRows = 20_000): Promise<Verdict> {
  const differences: Difference[] = [];
  let differing = 0;
  const tell = (difference: Difference): void => {
    differing += 1;
    if (differences.length < maxDifferences) differences.push(difference);
  };
  const { postings, computed } = await computeRollups(chunksOfPostings(db, bankId, chunkRows), tell);
  const rollups = computed.size;
  for await (const row of storedRollups(db, bankId)) {
    const key = keyOf(row);
    const expected = computed.get(key);
    computed.delete(key);
    const stored = sumsOf(row);
    const sums = expected === undefined ? undefined : sumsOf(expected);
    if (sums !== stored) tell({ key, stored, computed: sums });
  }
  for (const [key, row] of computed) tell({ key, stored: undefined, computed: sumsOf(row) });
  return { postings, rollups, differing, differences };
}

async function computeRollups(
  chunks: AsyncIterable<Tables['postings'][]>,
  tell: (difference: Difference) => void,
): Promise<{ postings: number; computed: Map<string, Rollup> }> {
  const computed = new Map<string, Rollup>();
  let postings = 0;
  for await (const rows of chunks) {
    postings += rows.length;
    for (const row of rows) {
      const fingerprint = fingerprintOf(row);
      if (fingerprint !== BigInt(row.fingerprint))
        tell({ key: `posting ${row.posting_id}`, stored: String(row.fingerprint), computed: String(fingerprint) });
    }
    for (const row of rollupsOf(rows)) {
      const known = computed.get(keyOf(row));
      if (known === undefined) computed.set(keyOf(row), row);
      else addTo(known, row);
    }
  }
  return { postings, computed };
}

// Over some millions of postings the sums of the low halves pass 2^53.
function addTo(sums: Rollup, { count, ...halves }: Rollup): void {
  sums.count += count;
  for (const half of ['amount_high', 'amount_low', 'fingerprint_high', 'fingerprint_low'] as const)
    sums[half] = BigInt(sums[half]) + BigInt(halves[half]);
}

async function* chunksOfPostings(db: Db, bankId: number, chunkRows: number): AsyncGenerator<Tables['postings'][]> {
  let after = 0;
  for (;;) {
    const rows = await db
      .selectFrom('postings')
      .selectAll()
      .where('bank_id', '=', bankId)
      .where('posting_id', '>', after)
      .orderBy('posting_id')
      .limit(chunkRows)
      .execute();
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.posting_id ?? after;
  }
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
