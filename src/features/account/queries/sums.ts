// Sums, fingerprints and counts of a selection, from the roll-ups with raw edges.

import { sql } from 'kysely';
import type { Db } from '../../../database/dialect.ts';
import { runPrepared, type At } from '../../../database/prepared.ts';
import { signs } from '../rules/kinds.ts';
import type { Segment, Share } from '../rules/rollups.ts';
import {
  isEmpty,
  partsOf,
  rawRows,
  rollupRows,
  shapeOf,
  unionOf,
  valuesOf,
  type Resolved,
  type Rows,
} from './selected.ts';

/** Sums and fingerprints of the selected set, in shares that addShares puts together. */
export async function readShares(db: Db, selection: Resolved): Promise<Share[]> {
  const parts = isEmpty(selection) ? [] : partsOf(selection);
  if (parts.length === 0) return [];
  return runPrepared(db, `shares ${shapeOf(selection, parts)}`, valuesOf(selection, parts), (at) =>
    unionOf(
      parts.map((part, index) =>
        part.grain === 'raw' ? rawShares(db, selection, at, index) : rollupShares(db, selection, at, index),
      ),
    ),
  );
}

function rawShares(db: Db, selection: Resolved, at: At, index: number): Rows<Share> {
  const { highHalf, lowHalf } = db.words;
  const amount = sql.ref('amount_minor');
  const fingerprint = sql.ref('fingerprint');
  const sum = (half: ReturnType<typeof highHalf>) => sql<number>`sum(${half})`;
  return rawRows(db, selection, at, index)
    .select('currency')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sum(highHalf(amount)).as('amount_high'),
      sum(lowHalf(amount)).as('amount_low'),
      sum(highHalf(fingerprint)).as('fingerprint_high'),
      sum(lowHalf(fingerprint)).as('fingerprint_low'),
    ])
    .groupBy(['currency', sql`amount_minor < 0`]);
}

function rollupShares(db: Db, selection: Resolved, at: At, index: number): Rows<Share> {
  const grain = partsOf(selection)[index]?.grain;
  if (grain === undefined || grain === 'raw') throw new Error('only a roll-up has its shares here');
  return rollupRows(db, selection, at, index, grain)
    .select('currency')
    .select(({ fn }) => [
      fn.sum<number>('count').as('count'),
      fn.sum<number>('amount_high').as('amount_high'),
      fn.sum<number>('amount_low').as('amount_low'),
      fn.sum<number>('fingerprint_high').as('fingerprint_high'),
      fn.sum<number>('fingerprint_low').as('fingerprint_low'),
    ])
    .groupBy(['currency', sql`posting_class % 3 = ${sql.lit(signs.debit)}`]);
}

/** How many selected postings each bucket of the segments holds, by `segment/bucket`. */
export async function countBuckets(
  db: Db,
  selection: Resolved,
  segments: readonly Segment[],
): Promise<Map<string, number>> {
  if (segments.length === 0) return new Map();
  const rows = await runPrepared(db, `counts ${shapeOf(selection, segments)}`, valuesOf(selection, segments), (at) =>
    unionOf(segments.map(({ grain }, index) => countsOf(db, selection, at, index, grain))),
  );
  return new Map(rows.map(({ segment, of_bucket, held }) => [`${segment}/${of_bucket}`, held]));
}

type Counts = { readonly segment: number; readonly of_bucket: number; readonly held: number };

function countsOf(db: Db, selection: Resolved, at: At, index: number, grain: Segment['grain']): Rows<Counts> {
  const segment = sql<number>`${sql.lit(index)}`.as('segment');
  if (grain === 'raw') {
    const counted = rawRows(db, selection, at, index).select(({ fn }) => [
      segment,
      sql<number>`0`.as('of_bucket'),
      fn.countAll<number>().as('held'),
    ]);
    return counted;
  }
  const counted = rollupRows(db, selection, at, index, grain).select(({ fn }) => [
    segment,
    'bucket as of_bucket',
    fn.sum<number>('count').as('held'),
  ]);
  return counted.groupBy('bucket');
}
