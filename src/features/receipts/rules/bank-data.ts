// Prepares the names, clocks and period ends of a bank for receipts.

import { localiseName, type Language } from '../../../lib/text/language.ts';
import type { GetLocationClock } from './receipt-grouping.ts';
import { LocalClock } from '../../../lib/time/local-clock.ts';
import { resolveTimeZone } from '../../../lib/time/time-zone.ts';

type ReceiptsLocationRow = { readonly location_id: number; readonly name: string; readonly time_zone: string };
type ReceiptsUnitRow = { readonly location_id: number; readonly unit_id: number; readonly name: string };

export type BankDataRows = {
  readonly locations: readonly ReceiptsLocationRow[];
  readonly units: readonly ReceiptsUnitRow[];
  readonly periodEnds: readonly { readonly period: number; readonly through_at: number }[];
};

/** A unit's name in a language. */
type GetUnitName = (locationId: number, unitId: number, language: Language) => string;

export type ReceiptsBankData = {
  readonly locations: ReadonlyMap<number, ReceiptsLocationRow>;
  readonly getUnitName: GetUnitName;
  readonly getClock: GetLocationClock;
  /** The end of every closed period. */
  readonly periodEnds: ReadonlyMap<number, number>;
  /** The number of names and period ends in it. */
  readonly itemCount: number;
};

export function createBankData(rows: BankDataRows, tenantTimeZone: string): ReceiptsBankData {
  const locations = new Map(rows.locations.map((row) => [row.location_id, row]));
  return {
    locations,
    getUnitName: createUnitNameLookup(rows.units),
    getClock: createLocationClocks(locations, tenantTimeZone),
    periodEnds: new Map(rows.periodEnds.map(({ period, through_at }) => [period, through_at])),
    itemCount: rows.locations.length + 2 * rows.units.length + rows.periodEnds.length,
  };
}

/** A name is localized when it is first needed: most banks are read in one or two languages. */
function createUnitNameLookup(units: readonly ReceiptsUnitRow[]): GetUnitName {
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

/** The clock of the tenant's time zone applies without a location, and to a location with an unknown time zone. */
function createLocationClocks(
  locations: ReadonlyMap<number, { readonly time_zone: string }>,
  tenantTimeZone: string,
): GetLocationClock {
  const clocks = new Map<number, LocalClock>();
  return (locationId) => {
    let clock = clocks.get(locationId);
    if (clock === undefined) {
      clock = new LocalClock(resolveTimeZone(locations.get(locationId)?.time_zone ?? '') ?? tenantTimeZone);
      clocks.set(locationId, clock);
    }
    return clock;
  };
}
