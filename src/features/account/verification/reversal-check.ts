// Checks reversals: each has an earlier original that is no reversal itself, of the same location, unit, user, kind,
// currency and document, and of the opposite amount. No original has two, and the head counts them all.

import { listPostingsByIds, listReversedTwice } from '../queries/ledger-verification.ts';
import type { CheckedLedger, LedgerCheck, LedgerDifference, StoredPosting } from './ledger-check.ts';

// The number of originals that are looked up at once.
const lookupBatchSize = 500;

const equalColumns = ['location_id', 'unit_id', 'user_id', 'kind', 'currency', 'document_id'] as const;
const negatedColumns = ['amount_minor', 'vat_minor'] as const;

export const reversalCheck: LedgerCheck = (ledger) => {
  const { head } = ledger;
  let count = 0;
  return {
    async *checkPostings(rows) {
      const reversals = rows.filter(({ reversal_of }) => reversal_of !== null);
      count += reversals.length;
      for (let from = 0; from < reversals.length; from += lookupBatchSize)
        yield* checkReversals(ledger, reversals.slice(from, from + lookupBatchSize));
    },
    *finish() {
      if (head.reversals === count) return;
      yield { kind: 'reversal count', key: 'ledger', stored: String(head.reversals), computed: String(count) };
    },
    counts: () => ({ reversals: count }),
  };
};

async function* checkReversals(
  { db, bank }: CheckedLedger,
  reversals: readonly StoredPosting[],
): AsyncGenerator<LedgerDifference> {
  const ids = reversals.map(({ reversal_of }) => Number(reversal_of));
  const [originals, reversedTwice] = await Promise.all([
    listPostingsByIds(db, bank, ids),
    listReversedTwice(db, bank, ids),
  ]);
  const originalsById = new Map(originals.map((row) => [row.posting_id, row]));
  const idsReversedTwice = new Set(reversedTwice);
  for (const reversal of reversals) {
    const originalId = Number(reversal.reversal_of);
    yield* compareWithOriginal(reversal, originalsById.get(originalId));
    if (idsReversedTwice.has(originalId))
      yield {
        kind: 'reversed twice',
        key: `posting ${reversal.posting_id}`,
        stored: `of posting ${originalId}`,
        computed: 'one reversal at most',
      };
  }
}

function* compareWithOriginal(
  reversal: StoredPosting,
  original: StoredPosting | undefined,
): Generator<LedgerDifference> {
  const key = `posting ${reversal.posting_id}`;
  const missing = { key, stored: `of posting ${Number(reversal.reversal_of)}`, computed: undefined };
  if (original === undefined) yield { kind: 'reversal without its original', ...missing };
  else if (original.posting_id >= reversal.posting_id || original.reversal_of !== null)
    yield { kind: 'reversal of no original', ...missing };
  else
    for (const { column, stored, computed } of listColumnPairs(reversal, original))
      if (stored !== computed)
        yield {
          kind: 'reversal unlike its original',
          key,
          stored: `${column} ${stored}`,
          computed: `${column} ${computed}`,
        };
}

/** What a reversal has in each column, and what it should have. */
function listColumnPairs(
  reversal: StoredPosting,
  original: StoredPosting,
): { column: string; stored: string; computed: string }[] {
  const negate = (value: StoredPosting['vat_minor']): string => (value === null ? 'none' : String(-BigInt(value)));
  return [
    ...equalColumns.map((column) => ({ column, stored: String(reversal[column]), computed: String(original[column]) })),
    ...negatedColumns.map((column) => ({
      column,
      stored: String(reversal[column] ?? 'none'),
      computed: negate(original[column]),
    })),
  ];
}
