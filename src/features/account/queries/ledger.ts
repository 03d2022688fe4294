// Writes to a bank's ledger. Postings are appended and never changed, and their roll-ups are written in the same
// transaction, after the ledger was locked.

import type { LockableDb, WriteDb } from '../../../database/db.ts';
import { takeLocks } from '../../../database/locks.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { computeClosingLink, computePostingLink } from '../rules/hash-chain.ts';
import { toPostingRow, type PostingDraft } from '../rules/posting-draft.ts';
import { residentRollupUpsertColumns, computeResidentRollups } from '../rules/resident-rollups.ts';
import { rollupUpsertColumns, computeRollups } from '../rules/rollups.ts';
import {
  ledgerLock,
  lockLedgerForClosing,
  reserveIdsAfter,
  type ClosingLedgerHead,
  type LedgerHead,
} from './ledger-head.ts';

/** Opens a bank's ledger with its first settlement period. */
export async function openLedger(db: WriteDb, { bankId }: GrantedBank, openedAt: number): Promise<void> {
  await db
    .insertInto('ledgers')
    .values({
      bank_id: bankId,
      writes: 1,
      next_posting_id: 1,
      open_period: 1,
      opened_at: openedAt,
      reversals: 0,
      last_write_at: openedAt,
    })
    .execute();
}

/**
 * Imports postings with times of other clocks, in the order given. Returns the id of the first; the others follow it.
 */
export async function lockAndAppendPostings(
  db: LockableDb,
  bank: GrantedBank,
  drafts: readonly PostingDraft[],
): Promise<number> {
  const [head] = await takeLocks(db, [ledgerLock(bank, { reservedCount: drafts.length, now: undefined })]);
  if (head === undefined) throw new Error(`bank ${bank.bankId} has no ledger`);
  await appendPostings(db, head, drafts);
  return head.nextPostingId;
}

/** Reserves ids after a head (see `reserveIdsAfter`), and appends postings with them. */
export async function reserveAndAppendPostings(
  db: WriteDb,
  bank: GrantedBank,
  lastHead: LedgerHead,
  drafts: readonly PostingDraft[],
): Promise<void> {
  const { head, sent } = reserveIdsAfter(db, bank, lastHead, { reservedCount: drafts.length, now: undefined });
  await Promise.all([sent, appendPostings(db, head, drafts)]);
}

/** Appends as many postings as ids were reserved when the ledger was locked. Returns their rows. */
export async function appendPostings(
  db: WriteDb,
  head: LedgerHead,
  drafts: readonly PostingDraft[],
): Promise<Tables['postings'][]> {
  const { bankId, reservedCount } = head;
  if (drafts.length !== reservedCount)
    throw new Error(`${reservedCount} ids were reserved for ${drafts.length} postings`);
  const rows: Tables['postings'][] = [];
  const inserted = insertRows(db, 'postings', chainPostings(head, drafts, rows));
  // Few rows are all sent by now. Many are chained while the engine inserts those before them.
  if (rows.length < drafts.length) await inserted;
  // Sent together; the engine runs them in this order.
  await Promise.all([
    inserted,
    db.dialect.upsertRows(db, 'posting_rollups', computeRollups(rows), rollupUpsertColumns),
    db.dialect.upsertRows(db, 'resident_rollups', computeResidentRollups(rows), residentRollupUpsertColumns),
    addToReversalCount(db, bankId, rows.filter(({ reversal_of }) => reversal_of !== null).length),
  ]);
  return rows;
}

/** Makes the rows as they are asked for, and adds each to those made. */
function* chainPostings(
  { bankId, nextPostingId, openPeriod, lastLink }: LedgerHead,
  drafts: readonly PostingDraft[],
  made: Tables['postings'][],
): Generator<Tables['postings']> {
  let link = lastLink;
  for (const [index, draft] of drafts.entries()) {
    const row = toPostingRow(draft, { bankId, postingId: nextPostingId + index, period: openPeriod });
    link = computePostingLink(link, row);
    row.chain = link;
    made.push(row);
    yield row;
  }
}

async function addToReversalCount(db: WriteDb, bankId: number, addedCount: number): Promise<void> {
  if (addedCount === 0) return;
  await db
    .updateTable('ledgers')
    .set((eb) => ({ reversals: eb('reversals', '+', addedCount) }))
    .where('bank_id', '=', bankId)
    .execute();
}

/** Closes the open settlement period and opens the next. Returns the number of the closed period. */
export async function lockAndClosePeriod(
  db: LockableDb,
  bank: GrantedBank,
  through: number,
  closedAt: number,
): Promise<number> {
  const head = await lockLedgerForClosing(db, bank, closedAt);
  if (head === undefined) throw new Error(`bank ${bank.bankId} has no ledger`);
  await closeOpenPeriod(db, head, through, closedAt);
  return head.openPeriod;
}

/** Closes the open period of a ledger that this transaction has locked for it. */
export async function closeOpenPeriod(
  db: WriteDb,
  { bankId, openPeriod: period, openedAt, lastLink }: ClosingLedgerHead,
  through: number,
  closedAt: number,
): Promise<void> {
  const closing = { bank_id: bankId, period, from_at: openedAt, through_at: through, closed_at: closedAt };
  await db
    .insertInto('settlement_periods')
    .values({ ...closing, chain: computeClosingLink(lastLink, closing) })
    .execute();
  await db
    .updateTable('ledgers')
    .set({ open_period: period + 1, opened_at: through })
    .where('bank_id', '=', bankId)
    .execute();
}
