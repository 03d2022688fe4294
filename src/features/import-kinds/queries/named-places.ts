// Reads the locations, units and residents of a bank that rows name, with one statement for each kind of object.

import type { Db } from '../../../database/db.ts';
import { guestId, type KidOf } from '../../../lib/kid.ts';
import { createTimeZoneResolver } from '../../places/rules/location-time-zone.ts';
import type { UnitTypeColumns } from '../../places/rules/unit-types.ts';
import type { ImportTarget, KeyedRow } from '../import-kind.ts';
import { parseKidOfBank } from '../rules/bank-kids.ts';

type NamedUnit = UnitTypeColumns & {
  readonly locationId: number;
  readonly unitId: number;
  readonly isDeleted: boolean;
};

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
  const named = (field: string) => new Set(rows.flatMap(({ values }) => values[field] || []));
  const [locationKids, unitKids, residentKids] = [named('location'), named('unit'), named('resident')];
  const locations = parseKids(locationKids, target, 'location');
  const units = parseKids(unitKids, target, 'unit');
  const residents = parseKids(residentKids, target, 'user');
  const locationIds = [...locations.values(), ...units.values()].map(({ locationId }) => locationId);
  const [zones, foundUnits, foundResidents] = await Promise.all([
    listZones(db, target, locationIds),
    listUnits(
      db,
      target,
      [...units.values()].map(({ unitId }) => unitId),
    ),
    listResidentIds(
      db,
      target,
      [...residents.values()].map(({ residentId }) => residentId),
    ),
  ]);
  return {
    zoneOf: (locationId) => zones.get(locationId) ?? target.tenant.timeZone,
    locations: new Map(
      [...locations].flatMap(([kid, { locationId }]) => (zones.has(locationId) ? [[kid, locationId]] : [])),
    ),
    units: new Map(
      [...units].flatMap(([kid, { locationId, unitId }]) => {
        const unit = foundUnits.get(`${locationId}/${unitId}`);
        return unit === undefined ? [] : [[kid, unit]];
      }),
    ),
    residents: new Map(
      [...residents].flatMap(([kid, { residentId }]) => (foundResidents.has(residentId) ? [[kid, residentId]] : [])),
    ),
  };
}

/** Those that are KIDs of the bank. */
const parseKids = <T extends 'location' | 'unit' | 'user'>(kids: ReadonlySet<string>, target: ImportTarget, type: T) =>
  new Map(
    [...kids].flatMap((text): [string, KidOf<T>][] => {
      const kid = parseKidOfBank(target, text, type);
      return kid === undefined ? [] : [[text, kid]];
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
    .where(({ ref }) => db.dialect.inList(ref('location_id'), [...new Set(ids)]))
    .execute();
  const resolveZone = createTimeZoneResolver(tenant);
  return new Map(rows.map(({ location_id, time_zone }) => [location_id, resolveZone(time_zone)]));
}

/** Units of different locations can have the same id: all of these are read. */
async function listUnits(
  db: Db,
  { bank }: ImportTarget,
  unitIds: readonly number[],
): Promise<ReadonlyMap<string, NamedUnit>> {
  if (unitIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('units')
    .select(['location_id', 'unit_id', 'unit_type', 'packed_type', 'deleted_at'])
    .where('bank_id', '=', bank.bankId)
    .where(({ ref }) => db.dialect.inList(ref('unit_id'), [...new Set(unitIds)]))
    .execute();
  return new Map(
    rows.map(({ location_id: locationId, unit_id: unitId, deleted_at, ...type }) => [
      `${locationId}/${unitId}`,
      { ...type, locationId, unitId, isDeleted: deleted_at !== null },
    ]),
  );
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
