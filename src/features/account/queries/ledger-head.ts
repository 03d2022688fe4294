// Reads and locks the head of a bank's ledger: its row, and the last link of its hash chain. Reads when the ledgers of a
// tenant were written to.

import { sql } from 'kysely';
import type { Db, LockableDb, WriteDb } from '../../../database/db.ts';
import { createLock, requireLock, takeLocks, type Lock } from '../../../database/locks.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { residentsLock } from '../../residents/queries/residents-version.ts';
import { getLastLink } from '../rules/hash-chain.ts';
import type { LedgerTimes } from '../rules/posting-draft.ts';

declare const brand: unique symbol;

/** Only the functions that lock or find the head create one. */
export type LedgerHead = {
  readonly bankId: number;
  /** The id of the next posting: the first of the reserved ids, if there are any. */
  readonly nextPostingId: number;
  readonly reservedCount: number;
  readonly openPeriod: number;
  readonly openedAt: number;
  /** When the service last wrote, to this ledger or to the bookings of its bank. */
  readonly lastWriteAt: number;
  /** The last link of the hash chain. */
  readonly lastLink: string;
  readonly [brand]: true;
};

declare const closing: unique symbol;

/** The head of a ledger whose open period this transaction may close. */
export type ClosingLedgerHead = LedgerHead & { readonly [closing]: true };

/** The topic of commits that wrote to a bank's ledger. */
export const ledgerTopic = (bankId: number): string => `ledger/${bankId}`;

type LedgerLockInput = {
  /** The number of postings that this transaction appends. If there are any, the lock announces the write. */
  readonly reservedCount: number;
  /** The time of the service's clock, MS2000; undefined if postings with times of other clocks are imported. */
  readonly now: number | undefined;
};

/** Reserves ids for postings. Undefined if the bank has no ledger. */
export const ledgerLock = (bank: GrantedBank, input: LedgerLockInput): Lock<LedgerHead | undefined> =>
  createLock('ledger', [bank.bankId], {
    update: (db) => updateLedger(db, bank, input),
    read: (db) => findLedgerHead(db, bank, input.reservedCount),
  });

/** Reserves ids for postings in a transaction that has locked the ledger before. */
export async function reservePostingIds(
  db: WriteDb,
  bank: GrantedBank,
  input: LedgerLockInput,
): Promise<LedgerHead | undefined> {
  requireLock(db, ledgerLock(bank, input));
  // Sent together; the engine runs them in this order.
  const [, head] = await Promise.all([updateLedger(db, bank, input), findLedgerHead(db, bank, input.reservedCount)]);
  return head;
}

/** The head with ids reserved after it, and the statement that reserves them, which was sent. */
type Reservation = { readonly head: LedgerHead; readonly sent: Promise<void> };

/**
 * Reserves ids after a head that the transaction has read since it locked the ledger and since it last reserved ids.
 */
export function reserveIdsAfter(db: WriteDb, bank: GrantedBank, head: LedgerHead, input: LedgerLockInput): Reservation {
  requireLock(db, ledgerLock(bank, input));
  return { head: { ...head, reservedCount: input.reservedCount }, sent: updateLedger(db, bank, input) };
}

/**
 * Locks the ledger, to close its open period, and the bank's residents: a settlement keeps the names that they have
 * when it is closed, so no name must change at the same time, not even on another node.
 */
export async function lockLedgerForClosing(
  db: LockableDb,
  bank: GrantedBank,
  now: number,
): Promise<ClosingLedgerHead | undefined> {
  db.changedTopics.add(ledgerTopic(bank.bankId));
  const [head] = await takeLocks(db, [ledgerLock(bank, { reservedCount: 0, now }), residentsLock(bank)]);
  return head as ClosingLedgerHead | undefined;
}

async function updateLedger(
  db: WriteDb,
  { bankId }: GrantedBank,
  { reservedCount, now = 0 }: LedgerLockInput,
): Promise<void> {
  if (reservedCount > 0) db.changedTopics.add(ledgerTopic(bankId));
  await runPrepared(db, 'update ledger', { bankId, reservedCount, now }, (bind) =>
    db
      .updateTable('ledgers')
      .set((eb) => ({
        writes: eb('writes', '+', sql.lit(1)),
        next_posting_id: eb('next_posting_id', '+', bind<number>('reservedCount')),
        last_write_at: sql<number>`case when last_write_at < ${bind('now')} then ${bind('now')} else last_write_at end`,
      }))
      .where('bank_id', '=', bind<number>('bankId')),
  );
}

/** Undefined if the bank has no ledger. */
export async function findLedgerHead(
  db: Db,
  { bankId }: GrantedBank,
  reservedCount = 0,
): Promise<LedgerHead | undefined> {
  const [row] = await runPrepared(db, 'ledger head', { bank: bankId, reserved: reservedCount }, (bind) =>
    db
      .selectFrom('ledgers as l')
      .leftJoin('postings as p', (join) =>
        join
          .onRef('p.bank_id', '=', 'l.bank_id')
          .on('p.posting_id', '=', sql<number>`l.next_posting_id - 1 - ${bind<number>('reserved')}`),
      )
      .leftJoin('settlement_periods as s', (join) =>
        join.onRef('s.bank_id', '=', 'l.bank_id').on('s.period', '=', sql<number>`l.open_period - 1`),
      )
      .select(['l.next_posting_id', 'l.open_period', 'l.opened_at', 'l.last_write_at'])
      .select(['p.period as last_period', 'p.chain as posting_link', 's.chain as closing_link'])
      .where('l.bank_id', '=', bind<number>('bank')),
  );
  if (row === undefined) return undefined;
  const nextPostingId = row.next_posting_id - reservedCount;
  return {
    bankId,
    nextPostingId,
    reservedCount,
    openPeriod: row.open_period,
    openedAt: row.opened_at,
    lastWriteAt: row.last_write_at,
    lastLink: getLastLink({ ...row, bankId, nextPostingId }),
  } as LedgerHead;
}

/** Whether the open period has a posting: if so, it has the last one of the ledger. */
export async function hasPostingsInOpenPeriod(
  db: Db,
  { bankId, nextPostingId, openPeriod }: LedgerHead,
): Promise<boolean> {
  const lastPosting = await db
    .selectFrom('postings')
    .select('period')
    .where('bank_id', '=', bankId)
    .where('posting_id', '=', nextPostingId - 1)
    .executeTakeFirst();
  return lastPosting?.period === openPeriod;
}

/** The latest times of all ledgers. */
export async function findLatestLedgerTimes(db: Db): Promise<LedgerTimes> {
  const { openedAt, lastWriteAt } = await db
    .selectFrom('ledgers')
    .select(({ fn }) => [fn.max('opened_at').as('openedAt'), fn.max('last_write_at').as('lastWriteAt')])
    .executeTakeFirstOrThrow();
  // Null if there is no ledger yet.
  return { openedAt: openedAt ?? 0, lastWriteAt: lastWriteAt ?? 0 };
}
