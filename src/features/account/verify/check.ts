// What proves a ledger: checks that all see every posting once, in one pass over bounded batches, and tell whatever is
// not as it should be. Other features add checks of their own; the command puts the list together.

import type { Db } from '../../../database/dialect.ts';
import type { Tables } from '../../../database/tables.ts';

export type Posting = Tables['postings'];
export type Closing = Tables['settlement_periods'];

/** Something stored that differs from what it should be. */
export type Damage = {
  /** One or a few words, the same for all damage of its kind. */
  readonly kind: string;
  /** Which row it is. */
  readonly key: string;
  /** What is stored there; undefined where nothing is. */
  readonly stored: string | undefined;
  /** What should be; undefined where nothing should. */
  readonly computed: string | undefined;
};

export type LedgerUnderCheck = {
  readonly db: Db;
  readonly bankId: number;
  readonly head: Tables['ledgers'];
  /** By their numbers. */
  readonly closings: ReadonlyMap<number, Closing>;
  tell(damage: Damage): void;
};

/** What was looked at, by its name in the plural. */
export type Counts = Readonly<Record<string, number>>;

/** Begins a check of one ledger, which holds no more in memory than a batch and its own sums. */
export type LedgerCheck = (ledger: LedgerUnderCheck) => {
  /** Some more postings, in the order of their ids. */
  postings?(rows: readonly Posting[]): void | Promise<void>;
  /** After the last posting. */
  end?(): Counts | void | Promise<Counts | void>;
};

const usualBatch = 5000;

/** Runs the checks over a bank's ledger as it stands in one snapshot. */
export async function runChecks(
  db: Db,
  bankId: number,
  checks: readonly LedgerCheck[],
  { tell, batchRows = usualBatch }: { tell(damage: Damage): void; batchRows?: number },
): Promise<Counts> {
  const head = await db.selectFrom('ledgers').selectAll().where('bank_id', '=', bankId).executeTakeFirstOrThrow();
  const closings = await readClosings(db, bankId);
  const running = checks.map((check) => check({ db, bankId, head, closings, tell }));
  let counts: Counts = { postings: 0 };
  for await (const rows of batches(db, bankId, batchRows)) {
    counts = { postings: (counts['postings'] ?? 0) + rows.length };
    for (const { postings } of running) await postings?.(rows);
  }
  for (const { end } of running) counts = { ...counts, ...(await end?.()) };
  return counts;
}

async function readClosings(db: Db, bankId: number): Promise<Map<number, Closing>> {
  const rows = await db
    .selectFrom('settlement_periods')
    .selectAll()
    .where('bank_id', '=', bankId)
    .orderBy('period')
    .execute();
  return new Map(rows.map((row) => [row.period, row]));
}

/** Every posting, whatever its id. */
async function* batches(db: Db, bankId: number, batchRows: number): AsyncGenerator<Posting[]> {
  const some = db.selectFrom('postings').selectAll().where('bank_id', '=', bankId).orderBy('posting_id');
  let after: number | undefined;
  for (;;) {
    const query = after === undefined ? some : some.where('posting_id', '>', after);
    const rows = await query.limit(batchRows).execute();
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.posting_id;
  }
}
