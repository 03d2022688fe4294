// A selection's rows batch by batch, as they stood at one moment: the ledger is only ever appended to, so what was there
// then is what lies below the id that came next.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/dialect.ts';
import { packed, unpacked, unpackedRows } from '../../../database/packed.ts';
import { runPrepared, type At } from '../../../database/prepared.ts';
import { endingBefore, reversalsOf, storedColumns, type PostingRow } from './page.ts';
import { isEmpty, rawRows, shapeOf, valuesOf, type Part, type Resolved } from './selected.ts';

/** How many rows a resident's selection has: nothing is read of them but an index. */
export async function countPostings(db: Db, selection: Resolved): Promise<number> {
  if (isEmpty(selection)) return 0;
  const parts = rawParts(selection);
  const [row] = await runPrepared(db, `count ${shapeOf(selection, parts)}`, valuesOf(selection, parts), (at) =>
    rawRows(db, selection, at, 0).select(({ fn }) => fn.countAll<number>().as('count')),
  );
  return row?.count ?? 0;
}

/** A resident as a file shows it: whoever is renamed or expires meanwhile is so in none of its rows. */
export type FileResident = { readonly name: string; readonly expiredAt: number | null };
export type FileResidents = ReadonlyMap<number, FileResident>;

/** The residents that a selection's rows may name. */
export async function readFileResidents(db: Db, { bankId, user }: Resolved): Promise<FileResidents> {
  const all = db.selectFrom('residents').select(['resident_id', 'name', 'expired_at']).where('bank_id', '=', bankId);
  const rows = await (user === undefined ? all : all.where('resident_id', '=', user.userId)).execute();
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
export async function listFirstPostings(db: Db, selection: Resolved, limit: number): Promise<PackedPosting[]> {
  if (isEmpty(selection)) return [];
  const parts = rawParts(selection);
  const values = valuesOf(selection, parts, { limit });
  return rowsOf(
    await runPrepared(db, `first batch ${shapeOf(selection, parts)}`, values, (at) =>
      packedRows(db, rawRows(db, selection, at, 0), at),
    ),
  );
}

export type Batch = {
  /** The last row of the batch before. */
  readonly after: Pick<PostingRow, 'recorded_at' | 'location_id' | 'unit_id' | 'posting_id'>;
  /** Nothing with this id or a later one was there. */
  readonly below: number;
  readonly limit: number;
};

/** The rows that follow. */
export async function listPostingsAfter(
  db: Db,
  selection: Resolved,
  { after, below, limit }: Batch,
): Promise<PackedPosting[]> {
  const cut = endingBefore(selection, after.recorded_at + 1);
  const parts = rawParts(cut);
  const { recorded_at: time, location_id: location, unit_id: unitId, posting_id: posting } = after;
  const place = { afterTime: time, afterLocation: location, afterUnit: unitId, afterPosting: posting };
  const values = valuesOf(cut, parts, { ...place, below, limit });
  return rowsOf(
    await runPrepared(db, `batch ${shapeOf(cut, parts)}`, values, (at) => packedRows(db, rowsAfter(db, cut, at), at)),
  );
}

const rawParts = ({ time }: Resolved): Part[] => [{ grain: 'raw', ...('interval' in time ? time.interval : {}) }];

const rowsOf = (rows: readonly { readonly row: string }[]): PackedPosting[] => rows.map(({ row }) => row);

function rowsAfter(db: Db, selection: Resolved, at: At) {
  const [time, location, unit] = [at<number>('afterTime'), at<number>('afterLocation'), at<number>('afterUnit')];
  // A resident's are found from the interval's end on: what lies behind it was in the batches before.
  const rest = rawRows(db, selection, at, 0, 'end');
  return ('interval' in selection.time ? rest : rest.where('recorded_at', '<=', time))
    .where('posting_id', '<', at<number>('below'))
    .where(
      sql<SqlBool>`(recorded_at < ${time} or postings.location_id > ${location} or (postings.location_id = ${location}
        and (unit_id > ${unit} or (unit_id = ${unit} and posting_id < ${at<number>('afterPosting')}))))`,
    );
}

function packedRows(db: Db, found: ReturnType<typeof rawRows>, at: At) {
  const listed = found
    .select(['postings.bank_id', ...storedColumns])
    .orderBy('recorded_at', 'desc')
    .orderBy('location_id')
    .orderBy('unit_id')
    .orderBy('posting_id', 'desc')
    .limit(at<number>('limit'));
  const columns = [...storedColumns.map((column) => `p.${column}`), ...otherSides];
  return reversalsOf(db, listed).select(packed(columns).as('row'));
}

const otherSides = ['back.posting_id', 'back.recorded_at', 'original.recorded_at'];
const names = [...storedColumns, 'reversed_by', 'reversed_at', 'original_at'] as const satisfies (keyof PostingRow)[];
type Names = typeof names;
type Values = { readonly [Place in keyof Names]: PostingRow[Names[Place] & keyof PostingRow] };

/** What a file's rows need beside themselves. */
export type Moment = { readonly below: number; readonly residents: FileResidents };

/** A packed row. */
export const unpackedPosting = (row: PackedPosting, moment: Moment): PostingRow =>
  postingOf(unpacked(row) as unknown as Values, moment);

/** So few that they are gone soon. */
const parsedAtOnce = 100;

/** Packed rows, unpacked a few at a time. */
export function* unpackedPostings(rows: readonly PackedPosting[], moment: Moment): Generator<PostingRow> {
  for (let from = 0; from < rows.length; from += parsedAtOnce)
    for (const values of unpackedRows(rows.slice(from, from + parsedAtOnce)))
      yield postingOf(values as unknown as Values, moment);
}

/** One that was reversed by a posting with the id `below` or a later one was not yet. */
function postingOf(values: Values, { below, residents }: Moment): PostingRow {
  const resident = residents.get(values[4]);
  const isReversed = values[15] !== null && values[15] < below;
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
