// Posts what a command moves in the account, in the command's own transaction.

import type { WriteDb } from '../../database/dialect.ts';
import { appendPostings } from '../account/ledger.ts';
import { bumpLedger } from '../account/ledger-head.ts';
import type { BookingRow } from './queries/shown.ts';
import type { MoneyMoved } from './queries/events.ts';
import type { Command, Standing } from './rules/commands.ts';
import { cancellationOf, restorationOf } from './rules/money.ts';

type Moving = {
  readonly command: Command;
  readonly now: number;
  readonly moved: MoneyMoved;
  readonly standing: Standing;
};

/** Posts what the command moves in the account; answers the posting's id, or null where it moves nothing. */
export async function moveMoney(
  db: WriteDb,
  row: BookingRow,
  { command, moved, standing, now }: Moving,
): Promise<number | null> {
  const { charge, latest } = moved;
  const movement =
    command === 'Cancel' ? cancellationOf(BigInt(row.price_minor), standing.policy, charge) : restorationOf(latest);
  if (movement === undefined) return null;
  // The row is held since the beginning; now it is known that an id is needed.
  const head = await bumpLedger(db, row.bank_id, 1);
  if (head === undefined) throw new Error(`bank ${row.bank_id} has postings, and no ledger`);
  await appendPostings(db, head, [
    {
      ...movement,
      recordedAt: now,
      locationId: row.location_id,
      unitId: row.unit_id,
      userId: row.user_id,
      kind: 'Booking',
      currency: row.currency,
      documentId: charge?.document_id ?? null,
      text: charge?.text ?? '',
    },
  ]);
  return head.nextId;
}
