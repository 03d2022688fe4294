// Reads one page of a selection's rows.

import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { runPrepared, type BindParameter } from '../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Pagination } from '../../../http/schemas/list-schemas.ts';
import { findPageStart } from './page-start.ts';
import { selectIsRefunded } from './refunds.ts';
import {
  cutSelectionAfter,
  cutSelectionBefore,
  listPositionValues,
  selectPostingsAfter,
  type PostingPosition,
} from './postings-after.ts';
import {
  isEmptySelection,
  selectPostings,
  formatQueryShape,
  listQueryValues,
  type SelectionPart,
  type ResolvedSelection,
  type RowsQuery,
} from './selected-postings.ts';

export const postingColumns = [
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
] as const satisfies (keyof Tables['postings'])[];

export type PostingRow = Pick<Tables['postings'], (typeof postingColumns)[number]> & {
  readonly resident_name: string | null;
  readonly resident_expired_at: number | null;
  readonly reversed_by: number | null;
  /** When the other side of a reversal was recorded. */
  readonly reversed_at: number | null;
  readonly original_at: number | null;
};

/** A row that shows whether it can be reversed. */
export type ListedPostingRow = PostingRow & {
  /** 1 if the device has refunded a part of it, else 0. */
  readonly is_refunded: number;
};

/** After a position, or after a number of rows. */
type PostingPageSlice = Pagination & { readonly position?: PostingPosition | undefined };

/** Rows newest first, then by location and unit. */
export async function listPostingPage(
  db: Db,
  selection: ResolvedSelection,
  { position, limit, ...page }: PostingPageSlice,
): Promise<ListedPostingRow[]> {
  if (isEmptySelection(selection)) return [];
  const { offset, before } = await findPageStart(db, selection, page.offset);
  const cut = position === undefined ? cutSelectionBefore(selection, before) : cutSelectionAfter(selection, position);
  const parts: SelectionPart[] = [{ grain: 'raw', ...('interval' in cut.time ? cut.time.interval : {}) }];
  const values = { offset, limit, ...(position === undefined ? {} : listPositionValues(position)) };
  const [shape, select] = position === undefined ? ['page', selectPostings] : ['page after', selectPostingsAfter];
  return runPrepared(db, `${shape} ${formatQueryShape(cut, parts)}`, listQueryValues(cut, parts, values), (bind) =>
    buildPageQuery(db, select(db, cut, bind), bind),
  );
}

const buildPageQuery = (db: Db, selected: ReturnType<typeof selectPostings>, bind: BindParameter) =>
  joinResidents(db, selectFirstRows(selected, bind).offset(bind<number>('offset')));

/** Selects as many rows as the limit allows, in the order of the account. */
export const selectFirstRows = (selected: ReturnType<typeof selectPostings>, bind: BindParameter) =>
  selected
    .select(['postings.bank_id', ...postingColumns])
    .orderBy('recorded_at', 'desc')
    .orderBy('location_id')
    .orderBy('unit_id')
    .orderBy('posting_id', 'desc')
    .limit(bind<number>('limit'));

type SelectedRowsQuery = RowsQuery<Pick<Tables['postings'], 'bank_id' | (typeof postingColumns)[number]>>;

/** What a row shows of its resident `r` and of the other sides of reversals. */
export const besideColumns = [
  'r.name as resident_name',
  'r.expired_at as resident_expired_at',
  'back.posting_id as reversed_by',
  'back.recorded_at as reversed_at',
  'original.recorded_at as original_at',
] as const;

/** Rows with the names of their residents and the other sides of reversals, in the order of the account. */
const joinResidents = (db: Db, found: SelectedRowsQuery) =>
  joinReversals(db, found)
    .leftJoin('residents as r', onEqual('r', 'p', 'bank_id', ['resident_id', 'user_id']))
    .select(postingColumns.map((column) => `p.${column}` as const))
    .select(besideColumns)
    .select(selectIsRefunded(db));

/** Rows `p` with the other sides of reversals, `back` and `original`, in the order of the account. */
export const joinReversals = (db: Db, found: SelectedRowsQuery) =>
  db
    .selectFrom(found.as('p'))
    .leftJoin('postings as back', onEqual('back', 'p', 'bank_id', ['reversal_of', 'posting_id']))
    .leftJoin('postings as original', onEqual('original', 'p', 'bank_id', ['posting_id', 'reversal_of']))
    .orderBy('p.recorded_at', 'desc')
    .orderBy('p.location_id')
    .orderBy('p.unit_id')
    .orderBy('p.posting_id', 'desc');
