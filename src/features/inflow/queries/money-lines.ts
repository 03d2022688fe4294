// Stores which posting each booked line of the stream of money has.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import type { GrantedBank, UnitKey } from '../../../permissions/coverage.ts';

type MoneyLineRow = Tables['money_lines'];

export type BookedLine = {
  readonly n: number;
  readonly unit: UnitKey | undefined;
  readonly postingId: number;
  readonly ref: string | null;
  readonly content: string;
  readonly clockOffsetMs: number | null;
};

/** The lines of a stream. */
type BookedLines = {
  readonly computerId: number;
  readonly epochNumber: number;
  readonly booked: readonly BookedLine[];
};

/** The primary key lets each line have one posting, and the other key each reference of a unit. */
export async function insertMoneyLines(
  db: WriteDb,
  { bankId }: GrantedBank,
  streams: readonly BookedLines[],
): Promise<void> {
  const rows = streams.flatMap(({ computerId, epochNumber, booked }) =>
    booked.map(({ n, unit, postingId, ref, content, clockOffsetMs }): MoneyLineRow => ({
      bank_id: bankId,
      computer_id: computerId,
      epoch_number: epochNumber,
      n,
      location_id: unit?.locationId ?? 0,
      unit_id: unit?.unitId ?? 0,
      posting_id: postingId,
      ref,
      content: ref === null ? null : content,
      clock_offset_ms: clockOffsetMs,
    })),
  );
  if (rows.length > 0) await insertRows(db, 'money_lines', rows);
}
