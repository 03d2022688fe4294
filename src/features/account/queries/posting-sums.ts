// Reads sums, fingerprints and counts of a selection from the roll-ups, and from postings at the edges of its interval.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared, type BindParameter } from '../../../database/statements/prepared-query.ts';
import { unionAll } from '../../../database/statements/union-all.ts';
import { amountSigns } from '../rules/posting-kinds.ts';
import { rollupUpsertColumns, type PartialSum } from '../rules/rollups.ts';
import type { Segment } from '../rules/time-buckets.ts';
import {
  isEmptySelection,
  listSelectionParts,
  selectPostings,
  selectRollups,
  formatQueryShape,
  listQueryValues,
  type ResolvedSelection,
  type RollupPart,
  type RowsQuery,
} from './selected-postings.ts';

/** The sums and fingerprints of the selected postings in parts, which `addPartialSums` adds. */
export async function listPartialSums(db: Db, selection: ResolvedSelection): Promise<PartialSum[]> {
  const parts = isEmptySelection(selection) ? [] : listSelectionParts(selection);
  if (parts.length === 0) return [];
  return runPrepared(
    db,
    `partial sums ${formatQueryShape(selection, parts)}`,
    listQueryValues(selection, parts),
    (bind) =>
      unionAll(
        parts.map(({ grain }, index) =>
          grain === 'raw'
            ? selectPostingSums(db, selection, bind, index)
            : selectRollupSums(db, selection, bind, { index, grain }),
        ),
      ),
  );
}

const selectPostingSums = (
  db: Db,
  selection: ResolvedSelection,
  bind: BindParameter,
  index: number,
): RowsQuery<PartialSum> =>
  selectPostings(db, selection, bind, { index })
    .select('currency')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      ...sumHalves(db, 'amount', 'amount_minor'),
      ...sumHalves(db, 'fingerprint', 'fingerprint'),
    ])
    .groupBy(['currency', sql`amount_minor < 0`]);

/** The sums of both halves of a column of postings, as roll-ups have them. */
export const sumHalves = <Name extends 'amount' | 'fingerprint'>({ dialect }: Db, name: Name, column: string) => {
  const value = sql.ref(column);
  return [
    sql<number>`sum(${dialect.highHalf(value)})`.as(`${name}_high` as const),
    sql<number>`sum(${dialect.lowHalf(value)})`.as(`${name}_low` as const),
  ] as const;
};

const selectRollupSums = (
  db: Db,
  selection: ResolvedSelection,
  bind: BindParameter,
  part: RollupPart,
): RowsQuery<PartialSum> =>
  selectRollups(db, selection, bind, part)
    .select('currency')
    .select(({ fn }) => rollupUpsertColumns.sum.map((column) => fn.sum<number>(column).as(column)))
    .groupBy(['currency', sql`posting_class % 3 = ${sql.lit(amountSigns.debit)}`]);

/** How many selected postings each bucket of the segments holds, by `segment/bucket`. */
export async function readBucketCounts(
  db: Db,
  selection: ResolvedSelection,
  segments: readonly Segment[],
): Promise<Map<string, number>> {
  if (segments.length === 0) return new Map();
  const rows = await runPrepared(
    db,
    `counts ${formatQueryShape(selection, segments)}`,
    listQueryValues(selection, segments),
    (bind) => unionAll(segments.map(({ grain }, index) => selectBucketCounts(db, selection, bind, index, grain))),
  );
  return new Map(
    rows.map(({ segment, bucket_number, posting_count }) => [`${segment}/${bucket_number}`, posting_count]),
  );
}

type BucketCountRow = { readonly segment: number; readonly bucket_number: number; readonly posting_count: number };

function selectBucketCounts(
  db: Db,
  selection: ResolvedSelection,
  bind: BindParameter,
  index: number,
  grain: Segment['grain'],
): RowsQuery<BucketCountRow> {
  const segment = sql<number>`${sql.lit(index)}`.as('segment');
  if (grain === 'raw') {
    const counted = selectPostings(db, selection, bind, { index }).select(({ fn }) => [
      segment,
      sql<number>`0`.as('bucket_number'),
      fn.countAll<number>().as('posting_count'),
    ]);
    return counted;
  }
  const counted = selectRollups(db, selection, bind, { index, grain }).select(({ fn }) => [
    segment,
    'bucket as bucket_number',
    fn.sum<number>('count').as('posting_count'),
  ]);
  return counted.groupBy('bucket');
}
