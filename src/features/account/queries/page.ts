// One page of a selection's rows.

import type { Db } from '../../../database/dialect.ts';
import { runPrepared, type At } from '../../../database/prepared.ts';
import type { Tables } from '../../../database/tables.ts';
import { isEmpty, rawRows, shapeOf, valuesOf, type Part, type Resolved, type Rows } from './selected.ts';

export type PostingRow = Pick<
  Tables['postings'],
  | 'posting_id'
  | 'recorded_at'
  | 'location_id'
  | 'unit_id'
  | 'user_id'
  | 'kind'
  | 'payment_kind'
  | 'currency'
  | 'amount_minor'
  | 'vat_minor'
  | 'period'
  | 'document_id'
  | 'text'
  | 'internal_tag'
  | 'reversal_of'
> & {
  readonly resident_name: string | null;
  readonly resident_expired_at: number | null;
  readonly reversed_by: number | null;
  /** When the other side of a reversal was recorded. */
  readonly reversed_at: number | null;
  readonly original_at: number | null;
};

/** The selection cut off at an instant: one bound, as an index is searched by one. */
export function endingBefore(selection: Resolved, before: number | undefined): Resolved {
  if (before === undefined || !('interval' in selection.time)) return selection;
  const { from, to } = selection.time.interval;
  return { ...selection, time: { interval: { from, to: Math.min(to, before) } } };
}

/** One page of rows, newest first, then by location and unit. `before` cuts off what a deep offset skips. */
export async function listPostings(
  db: Db,
  selection: Resolved,
  page: { readonly offset: number; readonly limit: number; readonly before?: number },
): Promise<PostingRow[]> {
  if (isEmpty(selection)) return [];
  const cut = endingBefore(selection, page.before);
  const parts: Part[] = [{ grain: 'raw', ...('interval' in cut.time ? cut.time.interval : {}) }];
  const { offset, limit } = page;
  return runPrepared(db, `page ${shapeOf(cut, parts)}`, valuesOf(cut, parts, { offset, limit }), (at) =>
    pageQuery(db, cut, at),
  );
}

export const storedColumns = [
  'posting_id',
  'recorded_at',
  'location_id',
  'unit_id',
  'user_id',
  'kind',
  'payment_kind',
  'currency',
  'amount_minor',
  'vat_minor',
  'period',
  'document_id',
  'text',
  'internal_tag',
  'reversal_of',
] as const;

function pageQuery(db: Db, selection: Resolved, at: At) {
  const found = rawRows(db, selection, at, 0)
    .select(['postings.bank_id', ...storedColumns])
    .orderBy('recorded_at', 'desc')
    .orderBy('location_id')
    .orderBy('unit_id')
    .orderBy('posting_id', 'desc')
    .limit(at<number>('limit'))
    .offset(at<number>('offset'));
  return shownRows(db, found);
}

type Found = Rows<Pick<Tables['postings'], 'bank_id' | (typeof storedColumns)[number]>>;

/** Rows with the residents they name and the other sides of reversals, in the order of the account. */
const shownRows = (db: Db, found: Found) =>
  reversalsOf(db, found)
    .leftJoin('residents as r', (join) =>
      join.onRef('r.bank_id', '=', 'p.bank_id').onRef('r.resident_id', '=', 'p.user_id'),
    )
    .select(storedColumns.map((column) => `p.${column}` as const))
    .select([
      'r.name as resident_name',
      'r.expired_at as resident_expired_at',
      'back.posting_id as reversed_by',
      'back.recorded_at as reversed_at',
      'original.recorded_at as original_at',
    ]);

/** Rows `p` beside the other sides `back` and `original` of reversals, in the order of the account. */
export function reversalsOf(db: Db, found: Found) {
  return db
    .selectFrom(found.as('p'))
    .leftJoin('postings as back', (join) =>
      join.onRef('back.bank_id', '=', 'p.bank_id').onRef('back.reversal_of', '=', 'p.posting_id'),
    )
    .leftJoin('postings as original', (join) =>
      join.onRef('original.bank_id', '=', 'p.bank_id').onRef('original.posting_id', '=', 'p.reversal_of'),
    )
    .orderBy('p.recorded_at', 'desc')
    .orderBy('p.location_id')
    .orderBy('p.unit_id')
    .orderBy('p.posting_id', 'desc');
}
