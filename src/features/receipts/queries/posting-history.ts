// Reads a resident's postings, newest first.

import { historyColumns } from '../rules/receipt-grouping.ts';
import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { jsonArrayOf, parseJsonRow } from '../../../database/statements/json-rows.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { HistoryPosting } from '../rules/receipt-grouping.ts';
import type { ResidentHistory } from '../rules/resident-history.ts';

type HistoryColumns = typeof historyColumns;
type PackedValues = {
  readonly [Index in keyof HistoryColumns]: HistoryPosting[HistoryColumns[Index] & keyof HistoryPosting];
};

/** The JSON array of a posting's columns, which the database creates: it is quicker to pass on than a row. */
export type PackedHistoryPosting = string;

/** The postings since the cutoff, of every period and kind, in the order of the account's rows. */
export async function listPostingHistory(
  db: Db,
  { bank: { bankId }, residentId, cutoff }: ResidentHistory,
  page: { readonly offset: number; readonly limit: number },
): Promise<PackedHistoryPosting[]> {
  const rows = await runPrepared(db, 'receipts history', { bankId, residentId, cutoff, ...page }, (bind) =>
    db
      .selectFrom('postings')
      .select(jsonArrayOf(historyColumns).as('row'))
      .where('bank_id', '=', bind<number>('bankId'))
      .where('user_id', '=', bind<number>('residentId'))
      .where('recorded_at', '>=', bind<number>('cutoff'))
      .where(sql<SqlBool>`${db.dialect.interruptCheck(sql.ref('posting_id'))}`)
      .orderBy('recorded_at', 'desc')
      .orderBy('location_id')
      .orderBy('unit_id')
      .orderBy('posting_id', 'desc')
      .limit(bind<number>('limit'))
      .offset(bind<number>('offset')),
  );
  return rows.map(({ row }) => row);
}

export function unpackHistoryPosting(packedPosting: PackedHistoryPosting): HistoryPosting {
  const values = parseJsonRow(packedPosting) as unknown as PackedValues;
  // Spelled out, in the order of the columns, because there can be tens of thousands.
  return {
    posting_id: values[0],
    recorded_at: values[1],
    location_id: values[2],
    unit_id: values[3],
    kind: values[4],
    payment_kind: values[5],
    currency: values[6],
    amount_minor: values[7],
    period: values[8],
    document_id: values[9],
    text: values[10],
  };
}
