// What an account read shows beside its rows: names, filter choices and offered periods. They change seldom, so they
// are kept per bank and reach for as long as the bank's places and its open period are the ones they were read with.

import { LRUCache } from 'lru-cache';
import type { Db } from '../../database/db.ts';
import { localiseName, type Language } from '../../lib/language.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { coverageOf, requireCoveredBank, type Coverage, type GrantedBank } from '../../permissions/coverage.ts';
import type { Scope } from '../../permissions/scope.ts';
import { listBankPlaceNames, type LocationNameRow, type UnitNameRow } from '../places/queries/bank-place-names.ts';
import {
  listOfferedPeriods,
  listPostedDeletedPlaces,
  type AccountBankState,
  type ClosedPeriodRow,
} from './queries/account-bank.ts';

type BankDisplayData = {
  readonly locations: readonly LocationNameRow[];
  readonly units: readonly UnitNameRow[];
  readonly periods: readonly ClosedPeriodRow[];
  readonly postedDeletedPlaces: ReadonlySet<string>;
};

export type BankDisplay = {
  readonly locationNames: ReadonlyMap<number, string>;
  readonly unitNames: ReadonlyMap<string, string>;
  readonly choices: {
    locations: { kid: string; name: string }[];
    units: { kid: string; name: string; locationKid: string }[];
  };
  readonly periods: { period: number; fromUtc: string; throughUtc: string | null }[];
};

// A deleted place is offered as a filter while postings name it; new ones may come in late, so that is asked again.
const maxAgeMs = 60_000;

type BankDisplayCacheEntry = {
  readonly version: string;
  readonly createdAtMs: number;
  readonly data: Promise<BankDisplayData>;
  readonly displayByLanguage: Map<Language, BankDisplay>;
};

export type BankDisplayCache = {
  get(db: Db, scope: Scope, bankId: number, head: AccountBankState, language: Language): Promise<BankDisplay>;
};

export function createBankDisplayCache(): BankDisplayCache {
  const entries = new LRUCache<string, BankDisplayCacheEntry>({ max: 500 });
  return {
    get: async (db, scope, bankId, head, language) => {
      const coverage = coverageOf(scope.grants, bankId);
      const key = `${scope.tenant}/${bankId}/${formatCoverageKey(coverage)}`;
      const version = `${head.places_version}/${head.open_period}`;
      const nowMs = performance.now();
      let entry = entries.get(key);
      if (entry === undefined || entry.version !== version || nowMs - entry.createdAtMs > maxAgeMs) {
        entry = {
          version,
          createdAtMs: nowMs,
          data: readBankDisplayData(db, requireCoveredBank(scope, { bankId })),
          displayByLanguage: new Map(),
        };
        entries.set(key, entry);
        const createdEntry = entry;
        entry.data.catch(() => {
          if (entries.peek(key) === createdEntry) entries.delete(key);
        });
      }
      let bankDisplay = entry.displayByLanguage.get(language);
      if (bankDisplay === undefined) {
        bankDisplay = formatBankDisplay(await entry.data, `${scope.tenant}-B${bankId}`, coverage, head, language);
        entry.displayByLanguage.set(language, bankDisplay);
      }
      return bankDisplay;
    },
  };
}

/** Names a reach, the same for the same one. */
export function formatCoverageKey(coverage: Coverage | undefined): string {
  return coverage === 'all' ? 'all' : [...(coverage ?? [])].toSorted((a, b) => a - b).join(',');
}

async function readBankDisplayData(db: Db, bank: GrantedBank): Promise<BankDisplayData> {
  const { bankId, coverage } = bank;
  const [places, periods, postedDeletedPlaces] = await Promise.all([
    listBankPlaceNames(db, bank),
    listOfferedPeriods(db, bankId, coverage),
    listPostedDeletedPlaces(db, bankId),
  ]);
  return { ...places, periods, postedDeletedPlaces };
}

function formatBankDisplay(
  { locations, units, periods, postedDeletedPlaces }: BankDisplayData,
  bankKid: string,
  coverage: Coverage | undefined,
  head: AccountBankState,
  language: Language,
): BankDisplay {
  const isCovered = ({ location_id }: { location_id: number }): boolean =>
    coverage === 'all' || coverage?.has(location_id) === true;
  const isOffered = (row: LocationNameRow, unitId: number): boolean =>
    isCovered(row) && (row.deleted_at === null || postedDeletedPlaces.has(`${row.location_id}/${unitId}`));
  const unitName = ({ name }: UnitNameRow): string => localiseName(name, language);
  return {
    locationNames: new Map(locations.map(({ location_id, name }) => [location_id, name])),
    unitNames: new Map(units.map((unit) => [`${unit.location_id}/${unit.unit_id}`, unitName(unit)])),
    choices: {
      locations: locations
        .filter((each) => isOffered(each, 0))
        .map(({ location_id, name }) => ({ kid: `${bankKid}-L${location_id}`, name })),
      units: units
        .filter((unit) => isOffered(unit, unit.unit_id))
        .map((unit) => ({
          kid: `${bankKid}-L${unit.location_id}-U${unit.unit_id}`,
          name: unitName(unit),
          locationKid: `${bankKid}-L${unit.location_id}`,
        })),
    },
    periods: [
      { period: 0, fromUtc: formatUtc(head.opened_at), throughUtc: null },
      ...periods.map(({ period, from_at, through_at }) => ({
        period,
        fromUtc: formatUtc(from_at),
        throughUtc: formatUtc(through_at),
      })),
    ],
  };
}
