// Reads and locks the head of a bank's ledger: its row, and the last link of its hash chain. A transaction that writes to
// the ledger updates the row first, so writers of one bank run one after another, also on different nodes.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { touchResidents } from '../../residents/queries/residents-version.ts';
import { getLastLink } from '../rules/chain.ts';

declare const brand: unique symbol;

/** Only locking or finding it makes one. */
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

export type LockLedgerInput = {
  /** How many postings this transaction appends. */
  readonly reservedCount: number;
  /** The time of the service's clock, MS2000; undefined where postings of other clocks are brought in. */
  readonly now: number | undefined;
};

/**
 * Locks the ledger and reserves ids for postings. Should be the first statement of the transaction. Undefined if the bank
 * has no ledger.
 */
export function lockLedgerForWrite(
  db: WriteDb,
  bank: GrantedBank,
  input: LockLedgerInput,
): Promise<LedgerHead | undefined> {
  db.changedTopics.add(ledgerTopic(bank.bankId));
  return lockLedger(db, bank, input);
}

/**
 * Locks the ledger, to close its open period. The bank's residents are locked as well: a settlement keeps the names that
 * they have when it is closed, so that no name may change at the same time, on another node either. They come first, as
 * in the commands of residents, which lock the outbox, the residents and then whatever else they need.
 */
export async function lockLedgerForClosing(
  db: WriteDb,
  bank: GrantedBank,
  now: number,
): Promise<ClosingLedgerHead | undefined> {
  // Sent together; the engine runs them in this order.
  const [, head] = await Promise.all([
    touchResidents(db, bank),
    lockLedgerForWrite(db, bank, { reservedCount: 0, now }),
  ]);
  return head as ClosingLedgerHead | undefined;
}

/** Locks the ledger without announcing a write, for a transaction that may not append anything. */
export async function lockLedger(
  db: WriteDb,
  bank: GrantedBank,
  { reservedCount, now = 0 }: LockLedgerInput,
): Promise<LedgerHead | undefined> {
  const locked = db
    .updateTable('ledgers')
    .set((eb) => ({
      writes: eb('writes', '+', 1),
      next_posting_id: eb('next_posting_id', '+', reservedCount),
      last_write_at: sql<number>`case when last_write_at < ${now} then ${now} else last_write_at end`,
    }))
    .where('bank_id', '=', bank.bankId)
    .execute();
  // Sent together; the engine runs them in this order.
  const [, head] = await Promise.all([locked, findLedgerHead(db, bank, reservedCount)]);
  return head;
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
