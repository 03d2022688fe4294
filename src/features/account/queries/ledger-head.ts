// The head of a bank's ledger, which is its guard row and the last link of its chain. Whoever writes to the ledger bumps
// the row first, so that writers of one bank go one after the other on any node.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import { initialLink } from '../rules/chain.ts';

export type LedgerHead = {
  readonly bankId: number;
  /** The id of the next posting: the first of those reserved, where some are. */
  readonly nextPostingId: number;
  readonly reservedCount: number;
  readonly openPeriod: number;
  readonly openedAt: number;
  /** The last link of the hash chain. */
  readonly lastLink: string;
};

/** What a transaction that touched a bank's ledger tells the rest of the process. */
export const ledgerTopic = (bankId: number): string => `ledger/${bankId}`;

/**
 * Reserves ids for as many postings, to be appended in this transaction, whose first statement it should be. Undefined
 * where the bank has no ledger.
 */
export function lockLedgerForWrite(
  db: WriteDb,
  bankId: number,
  reservedCount: number,
): Promise<LedgerHead | undefined> {
  db.changedTopics.add(ledgerTopic(bankId));
  return lockLedger(db, bankId, reservedCount);
}

/** The same for a transaction that may come to post nothing: who does bumps the ledger then. */
export async function lockLedger(db: WriteDb, bankId: number, reservedCount = 0): Promise<LedgerHead | undefined> {
  const locked = db
    .updateTable('ledgers')
    .set((eb) => ({ writes: eb('writes', '+', 1), next_posting_id: eb('next_posting_id', '+', reservedCount) }))
    .where('bank_id', '=', bankId)
    .execute();
  // Asked for in the same turn; the engine runs them in this order.
  const [, head] = await Promise.all([locked, findLedgerHead(db, bankId, reservedCount)]);
  return head;
}

/** The head as it stands; undefined where the bank has no ledger. */
export async function findLedgerHead(db: Db, bankId: number, reservedCount = 0): Promise<LedgerHead | undefined> {
  const [row] = await runPrepared(db, 'ledger head', { bank: bankId, reserved: reservedCount }, (at) =>
    db
      .selectFrom('ledgers as l')
      .leftJoin('postings as p', (join) =>
        join
          .onRef('p.bank_id', '=', 'l.bank_id')
          .on('p.posting_id', '=', sql<number>`l.next_posting_id - 1 - ${at<number>('reserved')}`),
      )
      .leftJoin('settlement_periods as s', (join) =>
        join.onRef('s.bank_id', '=', 'l.bank_id').on('s.period', '=', sql<number>`l.open_period - 1`),
      )
      .select(['l.next_posting_id', 'l.open_period', 'l.opened_at'])
      .select(['p.period as last_period', 'p.chain as posting_link', 's.chain as closing_link'])
      .where('l.bank_id', '=', at<number>('bank')),
  );
  if (row === undefined) return undefined;
  const nextId = row.next_posting_id - reservedCount;
  return {
    bankId,
    nextPostingId: nextId,
    reservedCount,
    openPeriod: row.open_period,
    openedAt: row.opened_at,
    lastLink: getLastLink({ ...row, bankId, nextPostingId: nextId }),
  };
}

type LastLinkRow = {
  readonly bankId: number;
  readonly nextPostingId: number;
  readonly open_period: number;
  readonly last_period: number | null;
  readonly posting_link: string | null;
  readonly closing_link: string | null;
};

// Nothing is laid upon a link that is gone: that would be a chain that begins again in the middle.
function getLastLink({
  bankId,
  nextPostingId,
  open_period,
  last_period,
  posting_link,
  closing_link,
}: LastLinkRow): string {
  if (nextPostingId > 1 && posting_link === null)
    throw new Error(`bank ${bankId}: its last posting ${nextPostingId - 1} is missing`);
  if (posting_link !== null && last_period === open_period) return posting_link;
  if (open_period === 1) return initialLink;
  if (closing_link === null) throw new Error(`bank ${bankId}: the closing of period ${open_period - 1} is missing`);
  return closing_link;
}
