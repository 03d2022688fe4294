// What receipts show of a bank beside postings: names, clocks, and when its periods ended. They change seldom, so they
// are kept for as long as the bank's places and its open period are the ones they were read with. What the last read
// saw of a bank lets the next one ask for everything in one turn.

import { LRUCache } from 'lru-cache';
import type { Db } from '../../database/dialect.ts';
import { localiseName, type Language } from '../../lib/language.ts';
import type { Scope } from '../../permissions/scope.ts';
import { clocksOf } from './clocks.ts';
import {
  listUnitNames,
  readLocations,
  readPeriodEnds,
  type Head,
  type Location,
  type StoredUnitName,
} from './queries/head.ts';
import type { ClockOf } from './rules/grouping.ts';

/** A unit's name in a language. */
export type UnitName = (locationId: number, unitId: number, language: Language) => string;

export type BankFacts = {
  readonly locations: ReadonlyMap<number, Location>;
  readonly unitName: UnitName;
  readonly clockOf: ClockOf;
  /** Of every closed period. */
  readonly ends: ReadonlyMap<number, number>;
};

/** What is expected of a bank's head. */
export type Expected = Pick<Head, 'open_period' | 'retention'>;

export type KnownBanks = {
  /** What the last read saw. */
  expected(scope: Scope, bankId: number): Expected | undefined;
  facts(db: Db, scope: Scope, at: { bankId: number; head: Head; timeZone: string }): Promise<BankFacts>;
};

type Kept = { readonly version: string; readonly head: Expected; readonly size: number; readonly facts: BankFacts };

// Names of places and ends of periods; this many of them are some twenty megabytes.
const maxFacts = 200_000;

export function knownBanks(): KnownBanks {
  const kept = new LRUCache<string, Kept>({ maxSize: maxFacts, sizeCalculation: ({ size }) => size });
  return {
    expected: ({ tenant }, bankId) => kept.get(`${tenant}/${bankId}`)?.head,
    facts: async (db, { tenant }, { bankId, head, timeZone }) => {
      const key = `${tenant}/${bankId}`;
      const version = `${head.places_version}/${head.open_period}`;
      const known = kept.get(key);
      if (known?.version === version) {
        if (known.head.retention !== head.retention) kept.set(key, { ...known, head });
        return known.facts;
      }
      const { facts, size } = await readFacts(db, bankId, timeZone);
      kept.set(key, { version, head, size, facts });
      return facts;
    },
  };
}

async function readFacts(db: Db, bankId: number, timeZone: string): Promise<Pick<Kept, 'facts' | 'size'>> {
  const [locations, units, ends] = await Promise.all([
    readLocations(db, bankId),
    listUnitNames(db, bankId),
    readPeriodEnds(db, bankId),
  ]);
  const facts = { locations, unitName: unitNames(units), clockOf: clocksOf(locations, timeZone), ends };
  return { facts, size: 1 + locations.size + 2 * units.length + ends.size };
}

/** Localised when they are first asked for: a bank is read in one language, or in two. */
function unitNames(units: readonly StoredUnitName[]): UnitName {
  const stored = new Map(units.map(({ location_id, unit_id, name }) => [`${location_id}/${unit_id}`, name]));
  const localised = new Map<string, string>();
  return (locationId, unitId, language) => {
    const place = `${locationId}/${unitId}`;
    const key = `${language}/${place}`;
    let name = localised.get(key);
    if (name === undefined) {
      name = localiseName(stored.get(place) ?? '', language);
      if (stored.has(place)) localised.set(key, name);
    }
    return name;
  };
}
