// Caches what an account shows of a bank besides the postings, until the bank's places or its open period change.

import type { Db } from '../../../database/db.ts';
import { createPromiseCache } from '../../../lib/caches/promise-cache.ts';
import { createTenantCacheKey } from '../../../lib/caches/tenant-cache.ts';
import { formatCoverage, type GrantedBank } from '../../../permissions/coverage.ts';
import { listBankPlaceNames } from '../../places/queries/bank-place-names.ts';
import { listOfferedPeriods, listPostedDeletedPlaces, type AccountBankState } from '../queries/account-bank.ts';
import { createBankDisplay, type BankDisplay, type DisplayContext } from '../rules/bank-display.ts';

const maxEntries = 500;
// Deleted places are choices as long as postings name them. Late postings can name more of them, so this is read again.
const maxAgeMs = 60_000;

export type BankDisplayCache = {
  get(db: Db, bank: GrantedBank, bankState: AccountBankState, context: DisplayContext): Promise<BankDisplay>;
};

export function createBankDisplayCache(): BankDisplayCache {
  const cache = createPromiseCache<BankDisplay>({ max: maxEntries, maxAgeMs });
  return {
    get: (db, bank, bankState, context) => {
      const { bankId, coverage } = bank;
      const { places_version, open_period } = bankState;
      const parts = [bankId, formatCoverage(coverage), places_version, open_period, context.language];
      return cache.get(createTenantCacheKey(bank, ...parts), () => readBankDisplay(db, bank, bankState, context));
    },
  };
}

async function readBankDisplay(
  db: Db,
  bank: GrantedBank,
  { opened_at: openedAt }: AccountBankState,
  context: DisplayContext,
): Promise<BankDisplay> {
  const [places, closedPeriods, postedDeletedPlaces] = await Promise.all([
    listBankPlaceNames(db, bank),
    listOfferedPeriods(db, bank),
    listPostedDeletedPlaces(db, bank),
  ]);
  return createBankDisplay(bank, { ...places, closedPeriods, postedDeletedPlaces, openedAt }, context);
}
