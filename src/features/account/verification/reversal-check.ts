// Reversals pair up: each has an earlier original that is no reversal itself, of the same place, person, kind, currency
// and document, for the opposite amount, and no original has two. The head counts them.

import type { Db } from '../../../database/db.ts';
import type { LedgerCheck, StoredPosting } from './ledger-check.ts';

// So many are looked up at once.
const lookupBatchSize = 500;

const equalColumns = ['location_id', 'unit_id', 'user_id', 'kind', 'currency', 'document_id'] as const;
const negatedColumns = ['amount_minor', 'vat_minor'] as const;

export const reversalCheck: LedgerCheck = ({ db, bankId, head, report }) => {
  let reversals = 0;
  const checkReversals = async (rows: readonly StoredPosting[]): Promise<void> => {
    const ids = rows.map(({ reversal_of }) => Number(reversal_of));
    const [originals, reversedTwice] = await Promise.all([
      findPostings(db, bankId, ids),
      listReversedTwice(db, bankId, ids),
    ]);
    for (const row of rows) {
      const id = Number(row.reversal_of);
      const key = `posting ${row.posting_id}`;
      const original = originals.get(id);
      if (original === undefined)
        report({ kind: 'reversal without its original', key, stored: `of posting ${id}`, computed: undefined });
      else if (id >= row.posting_id || original.reversal_of !== null)
        report({ kind: 'reversal of no original', key, stored: `of posting ${id}`, computed: undefined });
      else
        for (const difference of listDifferences(row, original))
          report({ kind: 'reversal unlike its original', key, ...difference });
      if (reversedTwice.has(id))
        report({ kind: 'reversed twice', key, stored: `of posting ${id}`, computed: 'one reversal at most' });
    }
  };
  return {
    postings: async (rows) => {
      const some = rows.filter(({ reversal_of }) => reversal_of !== null);
      reversals += some.length;
      for (let from = 0; from < some.length; from += lookupBatchSize)
        await checkReversals(some.slice(from, from + lookupBatchSize));
    },
    end: () => {
      if (head.reversals !== reversals)
        report({ kind: 'reversal count', key: 'ledger', stored: String(head.reversals), computed: String(reversals) });
      return { reversals };
    },
  };
};

function listDifferences(row: StoredPosting, original: StoredPosting): { stored: string; computed: string }[] {
  const opposite = (value: StoredPosting['vat_minor']): string => (value === null ? 'none' : String(-BigInt(value)));
  return [
    ...equalColumns.map((column) => ({ column, stored: String(row[column]), computed: String(original[column]) })),
    ...negatedColumns.map((column) => ({
      column,
      stored: String(row[column] ?? 'none'),
      computed: opposite(original[column]),
    })),
  ]
    .filter(({ stored, computed }) => stored !== computed)
    .map(({ column, stored, computed }) => ({ stored: `${column} ${stored}`, computed: `${column} ${computed}` }));
}

async function findPostings(db: Db, bankId: number, ids: readonly number[]): Promise<Map<number, StoredPosting>> {
  const rows = await db
    .selectFrom('postings')
    .selectAll()
    .where('bank_id', '=', bankId)
    .where('posting_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.posting_id, row]));
}

// The unique key forbids it; but what if somebody took the key away?
async function listReversedTwice(db: Db, bankId: number, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('postings')
    .select('reversal_of')
    .where('bank_id', '=', bankId)
    .where('reversal_of', 'in', ids)
    .groupBy('reversal_of')
    .having(({ fn }) => fn.countAll(), '>', 1)
    .execute();
  return new Set(rows.map(({ reversal_of }) => Number(reversal_of)));
}
