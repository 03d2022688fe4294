// Stores the lines that are held for a manager, counts them, and reads those of a request that was repeated.

import type { Db, WriteDb } from '../../../database/db.ts';
import { createLock, takeLateLock, type Lock } from '../../../database/locks.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import type { GrantedBank, UnitKey } from '../../../permissions/coverage.ts';
import type { HeldCode, HeldState } from '../rules/held-codes.ts';
import type { StreamKey } from './streams.ts';

export type HeldLineRow = Tables['held_lines'];

/** Allocates `count` ids. Returns the first of them. */
const heldLineIdsLock = ({ bankId }: GrantedBank, count: number): Lock<number, 'held-line-ids'> =>
  createLock('held-line-ids', [bankId], {
    update: (db) =>
      db.dialect.upsertRows(db, 'held_line_heads', [{ bank_id: bankId, allocated: count }], {
        key: ['bank_id'],
        sum: ['allocated'],
      }),
    read: async (db) => {
      const { allocated } = await db
        .selectFrom('held_line_heads')
        .select('allocated')
        .where('bank_id', '=', bankId)
        .executeTakeFirstOrThrow();
      return allocated - count + 1;
    },
  });

export type LineToHold = {
  readonly n: number;
  readonly text: string;
  readonly code: HeldCode;
  readonly reason: string | null;
  readonly correctionMs: number | null;
  readonly unit: UnitKey | undefined;
};

/** Holds lines of a stream that this transaction has locked. */
export async function holdLines(
  db: WriteDb,
  { bank, computerId, stream }: StreamKey,
  lines: readonly LineToHold[],
  { epochNumber, now }: { readonly epochNumber: number; readonly now: number },
): Promise<void> {
  if (lines.length === 0) return;
  const firstId = await takeLateLock(db, heldLineIdsLock(bank, lines.length));
  const rows = lines.map((line, index): HeldLineRow => ({
    bank_id: bank.bankId,
    held_id: firstId + index,
    computer_id: computerId,
    stream,
    epoch_number: epochNumber,
    n: line.n,
    code: line.code,
    received_at: now,
    clock_offset_ms: line.correctionMs,
    line: line.text,
    location_id: line.unit?.locationId ?? 0,
    unit_id: line.unit?.unitId ?? 0,
    state: 'held' satisfies HeldState,
    posting_id: null,
    resolved_at: null,
    resolved_by: null,
    reason: line.reason,
    revision: 1,
  }));
  await insertRows(db, 'held_lines', rows);
}

/** Those of the lines that were held when they arrived, in their order. */
export const listHeldLinesOf = (
  db: Db,
  { bank, computerId, stream }: StreamKey,
  { epochNumber, first, last }: { readonly epochNumber: number; readonly first: number; readonly last: number },
): Promise<Pick<HeldLineRow, 'n' | 'code' | 'held_id'>[]> =>
  db
    .selectFrom('held_lines')
    .select(['n', 'code', 'held_id'])
    .where('bank_id', '=', bank.bankId)
    .where('computer_id', '=', computerId)
    .where('stream', '=', stream)
    .where('epoch_number', '=', epochNumber)
    .where('n', '>=', first)
    .where('n', '<=', last)
    .orderBy('n')
    .execute();

/** More than a computer that has lost its memory sends again. */
const maxHeldTexts = 2000;

/** The lines that earlier epochs of a stream have brought and that were held, the newest first. */
export async function listHeldTextsBefore(
  db: Db,
  { bank, computerId, stream }: StreamKey,
  epochNumber: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('held_lines')
    .select('line')
    .where('bank_id', '=', bank.bankId)
    .where('computer_id', '=', computerId)
    .where('stream', '=', stream)
    .where('epoch_number', '<', epochNumber)
    .orderBy('epoch_number', 'desc')
    .orderBy('n', 'desc')
    .limit(maxHeldTexts)
    .execute();
  return rows.map(({ line }) => line);
}

export async function countWaitingLines(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('held_lines')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'held')
    .executeTakeFirstOrThrow();
  return count;
}
