// What receipts show of a bank beside postings: names, clocks, and when its periods ended. They change seldom, so they
// are kept for as long as the bank's places and its open period are the ones they were read with. What the last read
// saw of a bank lets the next one ask for everything in one turn.

import { LRUCache } from 'lru-cache';
import type { Db } from '../../database/db.ts';
import { localiseName, type Language } from '../../lib/language.ts';
import type { Scope } from '../../permissions/scope.ts';
import { createLocationClocks } from './rules/location-clocks.ts';
import {
  listUnitNames,
  readLocations,
  readPeriodEnds,
  type BankAndResidentRow,
  type LocationRow,
  type UnitNameRow,
} from './queries/bank-and-resident.ts';
import type { GetLocationClock } from './rules/grouping.ts';

/** A unit's name in a language. */
export type GetUnitName = (locationId: number, unitId: number, language: Language) => string;

export type ReceiptsBankData = {
  readonly locations: ReadonlyMap<number, LocationRow>;
  readonly getUnitName: GetUnitName;
  readonly getClock: GetLocationClock;
  /** Of every closed period. */
  readonly periodEnds: ReadonlyMap<number, number>;
};

/** What is expected of a bank's head. */
export type ExpectedBankState = Pick<BankAndResidentRow, 'open_period' | 'retention'>;

export type BankCache = {
  /** What the last read saw. */
  findLastState(scope: Scope, bankId: number): ExpectedBankState | undefined;
  readBankData(
    db: Db,
    scope: Scope,
    at: { bankId: number; head: BankAndResidentRow; timeZone: string },
  ): Promise<ReceiptsBankData>;
};

type BankCacheEntry = {
  readonly version: string;
  readonly bankState: ExpectedBankState;
  readonly size: number;
  readonly bankData: ReceiptsBankData;
};

// Names of places and ends of periods; this many of them are some twenty megabytes.
const maxCachedItems = 200_000;

export function createBankCache(): BankCache {
  const entries = new LRUCache<string, BankCacheEntry>({
    maxSize: maxCachedItems,
    sizeCalculation: ({ size }) => size,
  });
  return {
    findLastState: ({ tenant }, bankId) => entries.get(`${tenant}/${bankId}`)?.bankState,
    readBankData: async (db, { tenant }, { bankId, head, timeZone }) => {
      const key = `${tenant}/${bankId}`;
      const version = `${head.places_version}/${head.open_period}`;
      const cached = entries.get(key);
      if (cached?.version === version) {
        if (cached.bankState.retention !== head.retention) entries.set(key, { ...cached, bankState: head });
        return cached.bankData;
      }
      const { bankData, size } = await readReceiptsBankData(db, bankId, timeZone);
      entries.set(key, { version, bankState: head, size, bankData });
      return bankData;
    },
  };
}

async function readReceiptsBankData(
  db: Db,
  bankId: number,
  timeZone: string,
): Promise<Pick<BankCacheEntry, 'bankData' | 'size'>> {
  const [locations, units, periodEnds] = await Promise.all([
    readLocations(db, bankId),
    listUnitNames(db, bankId),
    readPeriodEnds(db, bankId),
  ]);
  const bankData = {
    locations,
    getUnitName: createUnitNameLookup(units),
    getClock: createLocationClocks(locations, timeZone),
    periodEnds,
  };
  return { bankData, size: 1 + locations.size + 2 * units.length + periodEnds.size };
}

/** Localised when they are first asked for: a bank is read in one language, or in two. */
function createUnitNameLookup(units: readonly UnitNameRow[]): GetUnitName {
  const storedNames = new Map(units.map(({ location_id, unit_id, name }) => [`${location_id}/${unit_id}`, name]));
  const localisedNames = new Map<string, string>();
  return (locationId, unitId, language) => {
    const unitKey = `${locationId}/${unitId}`;
    const key = `${language}/${unitKey}`;
    let name = localisedNames.get(key);
    if (name === undefined) {
      name = localiseName(storedNames.get(unitKey) ?? '', language);
      if (storedNames.has(unitKey)) localisedNames.set(key, name);
    }
    return name;
  };
}
