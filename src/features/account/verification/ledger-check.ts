// What proves a ledger: checks that all see every posting once, in one pass over bounded batches, and tell whatever is
// not as it should be. Other features add checks of their own; the command puts the list together.

import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';

export type StoredPosting = Tables['postings'];
export type StoredClosing = Tables['settlement_periods'];

/** Something stored that differs from what it should be. */
export type LedgerDifference = {
  /** One or a few words, the same for all damage of its kind. */
  readonly kind: string;
  /** Which row it is. */
  readonly key: string;
  /** What is stored there; undefined where nothing is. */
  readonly stored: string | undefined;
  /** What should be; undefined where nothing should. */
  readonly computed: string | undefined;
};

export type LedgerCheckInput = {
  readonly db: Db;
  readonly bankId: number;
  readonly head: Tables['ledgers'];
  /** By their numbers. */
  readonly closings: ReadonlyMap<number, StoredClosing>;
  report(damage: LedgerDifference): void;
};

/** What was looked at, by its name in the plural. */
export type CheckedCounts = Readonly<Record<string, number>>;

/** Begins a check of one ledger, which holds no more in memory than a batch and its own sums. */
export type LedgerCheck = (ledger: LedgerCheckInput) => {
  /** Some more postings, in the order of their ids. */
  postings?(rows: readonly StoredPosting[]): void | Promise<void>;
  /** After the last posting. */
  end?(): CheckedCounts | void | Promise<CheckedCounts | void>;
};

const defaultBatchRows = 5000;

/** Runs the checks over a bank's ledger as it stands in one snapshot. */
export async function runLedgerChecks(
  db: Db,
  bankId: number,
  checks: readonly LedgerCheck[],
  { tell: report, batchRows = defaultBatchRows }: { tell(damage: LedgerDifference): void; batchRows?: number },
): Promise<CheckedCounts> {
  const head = await db.selectFrom('ledgers').selectAll().where('bank_id', '=', bankId).executeTakeFirstOrThrow();
  const closings = await readStoredClosings(db, bankId);
  const running = checks.map((check) => check({ db, bankId, head, closings, report }));
  let counts: CheckedCounts = { postings: 0 };
  for await (const rows of streamPostings(db, bankId, batchRows)) {
    counts = { postings: (counts['postings'] ?? 0) + rows.length };
    for (const { postings } of running) await postings?.(rows);
  }
  for (const { end } of running) counts = { ...counts, ...(await end?.()) };
  return counts;
}

async function readStoredClosings(db: Db, bankId: number): Promise<Map<number, StoredClosing>> {
  const rows = await db
    .selectFrom('settlement_periods')
    .selectAll()
    .where('bank_id', '=', bankId)
    .orderBy('period')
    .execute();
  return new Map(rows.map((row) => [row.period, row]));
}

/** Every posting, whatever its id. */
async function* streamPostings(db: Db, bankId: number, batchRows: number): AsyncGenerator<StoredPosting[]> {
  const query = db.selectFrom('postings').selectAll().where('bank_id', '=', bankId).orderBy('posting_id');
  let after: number | undefined;
  for (;;) {
    const next = after === undefined ? query : query.where('posting_id', '>', after);
    const rows = await next.limit(batchRows).execute();
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.posting_id;
  }
}
