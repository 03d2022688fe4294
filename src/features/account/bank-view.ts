// What an account read shows beside its rows: names, filter choices and offered periods. They change seldom, so they
// are kept per bank and reach for as long as the bank's places and its open period are the ones they were read with.

import { LRUCache } from 'lru-cache';
import type { Db } from '../../database/dialect.ts';
import { localiseName, type Language } from '../../lib/language.ts';
import { utcText } from '../../lib/ms2000.ts';
import { reachOf, type Reach } from '../../permissions/needs.ts';
import type { Scope } from '../../permissions/scope.ts';
import { readBankPlaces, type PlaceRow, type UnitRow } from '../places/queries/granted.ts';
import { listOfferedPeriods, listPostedDeletedPlaces, type Head, type PeriodRow } from './queries/bank.ts';

type BankFacts = {
  readonly locations: readonly PlaceRow[];
  readonly units: readonly UnitRow[];
  readonly periods: readonly PeriodRow[];
  readonly posted: ReadonlySet<string>;
};

export type BankView = {
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

type Kept = {
  readonly version: string;
  readonly atMs: number;
  readonly facts: Promise<BankFacts>;
  readonly views: Map<Language, BankView>;
};

export type BankViews = {
  of(db: Db, scope: Scope, bankId: number, head: Head, language: Language): Promise<BankView>;
};

export function bankViews(): BankViews {
  const kept = new LRUCache<string, Kept>({ max: 500 });
  return {
    of: async (db, scope, bankId, head, language) => {
      const reach = reachOf(scope.grants, bankId);
      const key = `${scope.tenant}/${bankId}/${reachKey(reach)}`;
      const version = `${head.places_version}/${head.open_period}`;
      const nowMs = performance.now();
      let entry = kept.get(key);
      if (entry === undefined || entry.version !== version || nowMs - entry.atMs > maxAgeMs) {
        entry = { version, atMs: nowMs, facts: readFacts(db, bankId, reach), views: new Map() };
        kept.set(key, entry);
        const mine = entry;
        entry.facts.catch(() => {
          if (kept.peek(key) === mine) kept.delete(key);
        });
      }
      let view = entry.views.get(language);
      if (view === undefined) {
        view = makeView(await entry.facts, `${scope.tenant}-B${bankId}`, reach, head, language);
        entry.views.set(language, view);
      }
      return view;
    },
  };
}

/** Names a reach, the same for the same one. */
export function reachKey(reach: Reach): string {
  return reach === 'all' ? 'all' : [...(reach ?? [])].toSorted((a, b) => a - b).join(',');
}

async function readFacts(db: Db, bankId: number, reach: Reach): Promise<BankFacts> {
  const [places, periods, posted] = await Promise.all([
    readBankPlaces(db, bankId),
    listOfferedPeriods(db, bankId, reach),
    listPostedDeletedPlaces(db, bankId),
  ]);
  return { ...places, periods, posted };
}

function makeView(
  { locations, units, periods, posted }: BankFacts,
  bankKid: string,
  reach: Reach,
  head: Head,
  language: Language,
): BankView {
  const covered = ({ location_id }: { location_id: number }): boolean =>
    reach === 'all' || reach?.has(location_id) === true;
  const offered = (place: PlaceRow, unitId: number): boolean =>
    covered(place) && (place.deleted_at === null || posted.has(`${place.location_id}/${unitId}`));
  const unitName = ({ name }: UnitRow): string => localiseName(name, language);
  return {
    locationNames: new Map(locations.map(({ location_id, name }) => [location_id, name])),
    unitNames: new Map(units.map((unit) => [`${unit.location_id}/${unit.unit_id}`, unitName(unit)])),
    choices: {
      locations: locations
        .filter((each) => offered(each, 0))
        .map(({ location_id, name }) => ({ kid: `${bankKid}-L${location_id}`, name })),
      units: units
        .filter((unit) => offered(unit, unit.unit_id))
        .map((unit) => ({
          kid: `${bankKid}-L${unit.location_id}-U${unit.unit_id}`,
          name: unitName(unit),
          locationKid: `${bankKid}-L${unit.location_id}`,
        })),
    },
    periods: [
      { period: 0, fromUtc: utcText(head.opened_at), throughUtc: null },
      ...periods.map(({ period, from_at, through_at }) => ({
        period,
        fromUtc: utcText(from_at),
        throughUtc: utcText(through_at),
      })),
    ],
  };
}
