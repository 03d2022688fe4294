// Reads the locations, units and residents of a bank that rows name, with one statement for each kind of object.

import type { Db } from '../../../database/db.ts';
import { guestId, type KidOf } from '../../../lib/kid.ts';
import { createTimeZoneResolver } from '../../places/rules/location-time-zone.ts';
import type { UnitTypeColumns } from '../../places/rules/unit-types.ts';
import type { ImportTarget, KeyedRow } from '../import-kind.ts';
import { listLocationIds, parseKidOfBank } from '../rules/bank-kids.ts';

type NamedUnit = UnitTypeColumns & { readonly locationId: number; readonly unitId: number };

export type NamedPlaces = {
  /** The time zone of a location; that of the tenant for 0. */
  zoneOf(locationId: number): string;
  /** By their KIDs; what does not exist is missing. */
  readonly locations: ReadonlyMap<string, number>;
  readonly units: ReadonlyMap<string, NamedUnit>;
  readonly residents: ReadonlyMap<string, number>;
};

/** What the columns `location`, `unit` and `resident` of the rows name. */
export async function readNamedPlaces(
  db: Db,
  target: ImportTarget,
  rows: readonly Pick<KeyedRow, 'values'>[],
): Promise<NamedPlaces> {
  const named = <T extends 'location' | 'unit' | 'user'>(field: string, type: T): ReadonlyMap<string, KidOf<T>> => {
    const texts = new Set(rows.map(({ values }) => values[field] ?? ''));
    return mapFound(new Map(Array.from(texts, (text) => [text, text])), (text) => parseKidOfBank(target, text, type));
  };
  const [locations, units, residents] = [
    named('location', 'location'),
    named('unit', 'unit'),
    named('resident', 'user'),
  ];
  const unitIds = Array.from(units.values(), ({ unitId }) => unitId);
  const residentIds = Array.from(residents.values(), ({ residentId }) => residentId);
  const [zones, foundUnits, foundResidents] = await Promise.all([
    listZones(db, target, listLocationIds([...locations.values(), ...units.values()])),
    listUnits(db, target, unitIds),
    listResidentIds(db, target, residentIds),
  ]);
  return {
    zoneOf: (locationId) => zones.get(locationId) ?? target.tenant.timeZone,
    locations: mapFound(locations, ({ locationId }) => (zones.has(locationId) ? locationId : undefined)),
    units: mapFound(units, ({ locationId, unitId }) => foundUnits.get(`${locationId}/${unitId}`)),
    residents: mapFound(residents, ({ residentId }) => (foundResidents.has(residentId) ? residentId : undefined)),
  };
}

/** What is found of each value; the others are left out. */
const mapFound = <Value, Found>(
  values: ReadonlyMap<string, Value>,
  find: (value: Value) => Found | undefined,
): ReadonlyMap<string, Found> =>
  new Map(
    [...values].flatMap(([text, value]) => {
      const found = find(value);
      return found === undefined ? [] : [[text, found] as const];
    }),
  );

async function listZones(
  db: Db,
  { tenant, bank }: ImportTarget,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('locations')
    .select(['location_id', 'time_zone'])
    .where('bank_id', '=', bank.bankId)
    .where(({ ref }) => db.dialect.inList(ref('location_id'), ids))
    .execute();
  const resolveZone = createTimeZoneResolver(tenant);
  return new Map(rows.map(({ location_id, time_zone }) => [location_id, resolveZone(time_zone)]));
}

/** Units of different locations can have the same id: all of these are read, deleted or not. */
async function listUnits(
  db: Db,
  { bank }: ImportTarget,
  unitIds: readonly number[],
): Promise<ReadonlyMap<string, NamedUnit>> {
  if (unitIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('units')
    .select(['location_id as locationId', 'unit_id as unitId', 'unit_type', 'packed_type'])
    .where('bank_id', '=', bank.bankId)
    .where(({ ref }) => db.dialect.inList(ref('unit_id'), [...new Set(unitIds)]))
    .execute();
  return new Map(rows.map((unit) => [`${unit.locationId}/${unit.unitId}`, unit]));
}

/** The guest belongs to every bank. */
async function listResidentIds(db: Db, { bank }: ImportTarget, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('residents')
    .select('resident_id')
    .where('bank_id', '=', bank.bankId)
    .where(({ ref }) => db.dialect.inList(ref('resident_id'), [...new Set(ids)]))
    .execute();
  return new Set([...rows.map(({ resident_id }) => resident_id), guestId]);
}
