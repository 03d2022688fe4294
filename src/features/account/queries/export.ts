// A selection's rows batch by batch, as they stood at one moment: the ledger is only ever appended to, so what was there
// then is what lies below the id that came next.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/dialect.ts';
import { runPrepared, type At } from '../../../database/prepared.ts';
import { endingBefore, shownRows, storedColumns, type PostingRow } from './page.ts';
import { rawRows, shapeOf, valuesOf, type Part, type Resolved } from './selected.ts';

/** The id that the bank's next posting gets. */
export async function readNextPostingId(db: Db, bankId: number): Promise<number> {
  const { next_posting_id: next = 0 } =
    (await db.selectFrom('ledgers').select('next_posting_id').where('bank_id', '=', bankId).executeTakeFirst()) ?? {};
  return next;
}

export type Batch = {
  /** The last row of the batch before. */
  readonly after: PostingRow;
  /** Nothing with this id or a later one was there. */
  readonly below: number;
  readonly limit: number;
};

/** The rows that follow, in the order of the account. */
export async function listPostingsAfter(db: Db, selection: Resolved, { after, below, limit }: Batch) {
  const cut = endingBefore(selection, after.recorded_at + 1);
  const parts: Part[] = [{ grain: 'raw', ...('interval' in cut.time ? cut.time.interval : {}) }];
  const { recorded_at: time, location_id: location, unit_id: unitId, posting_id: posting } = after;
  const place = { afterTime: time, afterLocation: location, afterUnit: unitId, afterPosting: posting };
  const values = valuesOf(cut, parts, { ...place, below, limit });
  const rows = await runPrepared(db, `batch ${shapeOf(cut, parts)}`, values, (at) => batchQuery(db, cut, at));
  return rows.map((row) => asOf(row, below));
}

function batchQuery(db: Db, selection: Resolved, at: At) {
  const [time, location, unit] = [at<number>('afterTime'), at<number>('afterLocation'), at<number>('afterUnit')];
  const found = rawRows(db, selection, at, 0)
    .select(['postings.bank_id', ...storedColumns])
    .where('recorded_at', '<=', time)
    .where('posting_id', '<', at<number>('below'))
    .where(
      sql<SqlBool>`(recorded_at < ${time} or postings.location_id > ${location} or (postings.location_id = ${location}
        and (unit_id > ${unit} or (unit_id = ${unit} and posting_id < ${at<number>('afterPosting')}))))`,
    )
    .orderBy('recorded_at', 'desc')
    .orderBy('location_id')
    .orderBy('unit_id')
    .orderBy('posting_id', 'desc')
    .limit(at<number>('limit'));
  return shownRows(db, found);
}

/** A row that has been reversed since was not yet. */
const asOf = (row: PostingRow, below: number): PostingRow =>
  row.reversed_by !== null && row.reversed_by >= below ? { ...row, reversed_by: null, reversed_at: null } : row;
