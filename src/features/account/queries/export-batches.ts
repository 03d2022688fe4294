// A selection's rows batch by batch, as they stood at one moment: the ledger is only ever appended to, so what was there
// then is what lies below the id that came next.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { jsonArrayOf, parseJsonRow, parseJsonRows } from '../../../database/json-rows.ts';
import { runPrepared, type BindParameter } from '../../../database/prepared-query.ts';
import { cutSelectionBefore, joinReversals, postingColumns, type PostingRow } from './posting-page.ts';
import {
  isEmptySelection,
  selectPostings,
  formatQueryShape,
  listQueryValues,
  type SelectionPart,
  type ResolvedSelection,
} from './selected-postings.ts';

/** How many rows a resident's selection has: nothing is read of them but an index. */
export async function countPostings(db: Db, selection: ResolvedSelection): Promise<number> {
  if (isEmptySelection(selection)) return 0;
  const parts = listPostingParts(selection);
  const [row] = await runPrepared(
    db,
    `count ${formatQueryShape(selection, parts)}`,
    listQueryValues(selection, parts),
    (at) => selectPostings(db, selection, at, 0).select(({ fn }) => fn.countAll<number>().as('count')),
  );
  return row?.count ?? 0;
}

/** A resident as a file shows it: whoever is renamed or expires meanwhile is so in none of its rows. */
export type ResidentIdentity = { readonly name: string; readonly expiredAt: number | null };
export type ResidentIdentities = ReadonlyMap<number, ResidentIdentity>;

/** The residents that a selection's rows may name. */
export async function readResidentIdentities(
  db: Db,
  { bankId, userFilter }: ResolvedSelection,
): Promise<ResidentIdentities> {
  const all = db.selectFrom('residents').select(['resident_id', 'name', 'expired_at']).where('bank_id', '=', bankId);
  const rows = await (userFilter === undefined ? all : all.where('resident_id', '=', userFilter.userId)).execute();
  return new Map(rows.map(({ resident_id, name, expired_at }) => [resident_id, { name, expiredAt: expired_at }]));
}

/** The id that the bank's next posting gets. */
export async function readNextPostingId(db: Db, bankId: number): Promise<number> {
  const { next_posting_id: next = 0 } =
    (await db.selectFrom('ledgers').select('next_posting_id').where('bank_id', '=', bankId).executeTakeFirst()) ?? {};
  return next;
}

/** A row that takes little room until it is used. */
export type PackedPosting = string;

/** The first rows, in the order of the account. */
export async function listFirstPostings(db: Db, selection: ResolvedSelection, limit: number): Promise<PackedPosting[]> {
  if (isEmptySelection(selection)) return [];
  const parts = listPostingParts(selection);
  const values = listQueryValues(selection, parts, { limit });
  return toPackedPostings(
    await runPrepared(db, `first batch ${formatQueryShape(selection, parts)}`, values, (at) =>
      selectPackedPostings(db, selectPostings(db, selection, at, 0), at),
    ),
  );
}

export type NextBatch = {
  /** The last row of the batch before. */
  readonly afterPosting: Pick<PostingRow, 'recorded_at' | 'location_id' | 'unit_id' | 'posting_id'>;
  /** Nothing with this id or a later one was there. */
  readonly nextPostingId: number;
  readonly limit: number;
};

/** The rows that follow. */
export async function listPostingsAfter(
  db: Db,
  selection: ResolvedSelection,
  { afterPosting, nextPostingId, limit }: NextBatch,
): Promise<PackedPosting[]> {
  const cut = cutSelectionBefore(selection, afterPosting.recorded_at + 1);
  const parts = listPostingParts(cut);
  const { recorded_at: time, location_id: location, unit_id: unitId, posting_id: posting } = afterPosting;
  const position = { afterTime: time, afterLocation: location, afterUnit: unitId, afterPosting: posting };
  const values = listQueryValues(cut, parts, { ...position, below: nextPostingId, limit });
  return toPackedPostings(
    await runPrepared(db, `batch ${formatQueryShape(cut, parts)}`, values, (at) =>
      selectPackedPostings(db, selectPostingsAfter(db, cut, at), at),
    ),
  );
}

const listPostingParts = ({ time }: ResolvedSelection): SelectionPart[] => [
  { grain: 'raw', ...('interval' in time ? time.interval : {}) },
];

const toPackedPostings = (rows: readonly { readonly row: string }[]): PackedPosting[] => rows.map(({ row }) => row);

function selectPostingsAfter(db: Db, selection: ResolvedSelection, at: BindParameter) {
  const [time, location, unit] = [at<number>('afterTime'), at<number>('afterLocation'), at<number>('afterUnit')];
  // A resident's are found from the interval's end on: what lies behind it was in the batches before.
  const rest = selectPostings(db, selection, at, 0, 'end');
  return ('interval' in selection.time ? rest : rest.where('recorded_at', '<=', time))
    .where('posting_id', '<', at<number>('below'))
    .where(
      sql<SqlBool>`(recorded_at < ${time} or postings.location_id > ${location} or (postings.location_id = ${location}
        and (unit_id > ${unit} or (unit_id = ${unit} and posting_id < ${at<number>('afterPosting')}))))`,
    );
}

function selectPackedPostings(db: Db, found: ReturnType<typeof selectPostings>, at: BindParameter) {
  const listed = found
    .select(['postings.bank_id', ...postingColumns])
    .orderBy('recorded_at', 'desc')
    .orderBy('location_id')
    .orderBy('unit_id')
    .orderBy('posting_id', 'desc')
    .limit(at<number>('limit'));
  const columns = [...postingColumns.map((column) => `p.${column}`), ...reversalColumns];
  return joinReversals(db, listed).select(jsonArrayOf(columns).as('row'));
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

/** What a file's rows need beside themselves. */
export type UnpackContext = { readonly nextPostingId: number; readonly residents: ResidentIdentities };

/** A packed row. */
export const unpackPosting = (row: PackedPosting, moment: UnpackContext): PostingRow =>
  createPostingRow(parseJsonRow(row) as unknown as PackedValues, moment);

/** So few that they are gone soon. */
const unpackBatchSize = 100;

/** Packed rows, unpacked a few at a time. */
export function* unpackPostings(rows: readonly PackedPosting[], moment: UnpackContext): Generator<PostingRow> {
  for (let from = 0; from < rows.length; from += unpackBatchSize)
    for (const values of parseJsonRows(rows.slice(from, from + unpackBatchSize)))
      yield createPostingRow(values as unknown as PackedValues, moment);
}

/** One that was reversed by a posting with the id `below` or a later one was not yet. */
function createPostingRow(values: PackedValues, { nextPostingId, residents }: UnpackContext): PostingRow {
  const resident = residents.get(values[4]);
  const isReversed = values[15] !== null && values[15] < nextPostingId;
  // By hand, in the order of the columns: there are tens of thousands of rows.
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
