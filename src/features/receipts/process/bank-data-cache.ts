// Caches the data of a bank that receipts show, until its places change or its open period is closed.

import { createTenantCache, createTenantCacheKey } from '../../../lib/caches/tenant-cache.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { ReceiptsBankData } from '../rules/bank-data.ts';
import type { BankState } from '../rules/page-context.ts';

type BankDataCacheEntry = { readonly bankState: BankState; readonly bankData: ReceiptsBankData };

export type BankDataCache = {
  /**
   * Returns the bank state that the last read found. With this state the next read can send all its statements in one
   * round trip.
   */
  findLastState(bank: GrantedBank): BankState | undefined;
  /** Undefined if the bank has changed since. */
  findData(bank: GrantedBank, bankState: BankState): ReceiptsBankData | undefined;
  set(bank: GrantedBank, entry: BankDataCacheEntry): void;
};

// About twenty megabytes.
const maxCachedItems = 200_000;

export function createBankDataCache(): BankDataCache {
  const entries = createTenantCache<BankDataCacheEntry>({
    maxSize: maxCachedItems,
    sizeCalculation: ({ bankData }) => 1 + bankData.itemCount,
  });
  return {
    findLastState: (bank) => entries.get(createKey(bank))?.bankState,
    findData: (bank, bankState) => {
      const cached = entries.get(createKey(bank));
      return cached !== undefined && hasSameData(cached.bankState, bankState) ? cached.bankData : undefined;
    },
    set: (bank, entry) => void entries.set(createKey(bank), entry),
  };
}

const createKey = (bank: GrantedBank) => createTenantCacheKey(bank, bank.bankId);

const hasSameData = (one: BankState, other: BankState): boolean =>
  one.places_version === other.places_version && one.open_period === other.open_period;
