// Reads a selection's rows in batches, as of the first read. Postings are only appended, so the rows of that time are
// those with lower ids than the posting that came next.

import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { ResidentIdentities } from '../../residents/queries/identities.ts';
import type { Db } from '../../../database/db.ts';
import { jsonArrayOf, parseJsonRow, parseJsonRows } from '../../../database/statements/json-rows.ts';
import { runPrepared, type BindParameter } from '../../../database/statements/prepared-query.ts';
import { joinReversals, postingColumns, selectFirstRows, type PostingRow } from './posting-page.ts';
import { cutSelectionAfter, listPositionValues, selectPostingsAfter, type PostingPosition } from './postings-after.ts';
import {
  isEmptySelection,
  selectPostings,
  formatQueryShape,
  listQueryValues,
  type SelectionPart,
  type ResolvedSelection,
} from './selected-postings.ts';

/** Counts the rows of a selection by user, from an index. */
export async function countPostings(db: Db, selection: ResolvedSelection): Promise<number> {
  if (isEmptySelection(selection)) return 0;
  const parts = listPostingParts(selection);
  const [row] = await runPrepared(
    db,
    `count ${formatQueryShape(selection, parts)}`,
    listQueryValues(selection, parts),
    (bind) => selectPostings(db, selection, bind).select(({ fn }) => fn.countAll<number>().as('count')),
  );
  return row?.count ?? 0;
}

/** The id of the bank's next posting. */
export async function readNextPostingId(db: Db, { bankId }: GrantedBank): Promise<number> {
  const { next_posting_id: next = 0 } =
    (await db.selectFrom('ledgers').select('next_posting_id').where('bank_id', '=', bankId).executeTakeFirst()) ?? {};
  return next;
}

/** A row as JSON text, which takes little memory until it is used. */
export type PackedExportPosting = string;

/** The first batch, in the order of the account. */
export async function listFirstPostings(
  db: Db,
  selection: ResolvedSelection,
  limit: number,
): Promise<PackedExportPosting[]> {
  if (isEmptySelection(selection)) return [];
  const parts = listPostingParts(selection);
  const values = listQueryValues(selection, parts, { limit });
  return toPackedPostings(
    await runPrepared(db, `first batch ${formatQueryShape(selection, parts)}`, values, (bind) =>
      selectPackedPostings(db, selectPostings(db, selection, bind), bind),
    ),
  );
}

/** The batch after the last row of the previous one. */
export async function listPostingsAfter(
  db: Db,
  selection: ResolvedSelection,
  { limit, ...position }: PostingPosition & { readonly limit: number },
): Promise<PackedExportPosting[]> {
  const cut = cutSelectionAfter(selection, position);
  const parts = listPostingParts(cut);
  const values = listQueryValues(cut, parts, { ...listPositionValues(position), limit });
  return toPackedPostings(
    await runPrepared(db, `batch ${formatQueryShape(cut, parts)}`, values, (bind) =>
      selectPackedPostings(db, selectPostingsAfter(db, cut, bind), bind),
    ),
  );
}

const listPostingParts = ({ time }: ResolvedSelection): SelectionPart[] => [
  { grain: 'raw', ...('interval' in time ? time.interval : {}) },
];

const toPackedPostings = (rows: readonly { readonly row: string }[]): PackedExportPosting[] =>
  rows.map(({ row }) => row);

function selectPackedPostings(db: Db, found: ReturnType<typeof selectPostings>, bind: BindParameter) {
  const columns = [...postingColumns.map((column) => `p.${column}`), ...reversalColumns];
  return joinReversals(db, selectFirstRows(found, bind)).select(jsonArrayOf(columns).as('row'));
}

const reversalColumns = ['back.posting_id', 'back.recorded_at', 'original.recorded_at'];
const packedColumns = [
  ...postingColumns,
  'reversed_by',
  'reversed_at',
  'original_at',
] as const satisfies (keyof PostingRow)[];
type PackedColumns = typeof packedColumns;
type PackedValues = { readonly [Place in keyof PackedColumns]: PostingRow[PackedColumns[Place] & keyof PostingRow] };

/** What rows of an export need besides their own columns. Later changes do not show in them. */
type UnpackPostingContext = { readonly nextPostingId: number; readonly residents: ResidentIdentities };

export const unpackExportPosting = (row: PackedExportPosting, context: UnpackPostingContext): PostingRow =>
  createPostingRow(parseJsonRow(row) as unknown as PackedValues, context);

// Few rows, so that the garbage collector frees them early.
const unpackBatchSize = 100;

/** Unpacks a few rows at a time. */
export function* unpackExportPostings(
  rows: readonly PackedExportPosting[],
  context: UnpackPostingContext,
): Generator<PostingRow> {
  for (let from = 0; from < rows.length; from += unpackBatchSize)
    for (const values of parseJsonRows(rows.slice(from, from + unpackBatchSize)))
      yield createPostingRow(values as unknown as PackedValues, context);
}

/** A reversal that was added after the first read does not count. */
function createPostingRow(values: PackedValues, { nextPostingId, residents }: UnpackPostingContext): PostingRow {
  const resident = residents.get(values[4]);
  const isReversed = values[15] !== null && values[15] < nextPostingId;
  // Written out in the order of the columns, which is fast: an export has tens of thousands of rows.
  return {
    posting_id: values[0],
    recorded_at: values[1],
    location_id: values[2],
    unit_id: values[3],
    user_id: values[4],
    kind: values[5],
    payment_kind: values[6],
    currency: values[7],
    amount_minor: values[8],
    vat_minor: values[9],
    period: values[10],
    document_id: values[11],
    text: values[12],
    internal_tag: values[13],
    reversal_of: values[14],
    resident_name: resident?.name ?? null,
    resident_expired_at: resident?.expiredAt ?? null,
    reversed_by: isReversed ? values[15] : null,
    reversed_at: isReversed ? values[16] : null,
    original_at: values[17],
  };
}
