// Settings that units were given, as they are stored; what was never given is the catalogue's to say.

import type { Db } from '../../../database/db.ts';
import { typeCodeOf, type UnitTypeColumns } from '../../places/rules/unit-types.ts';
import { selectVisibleValues } from '../catalogue/type-catalogue.ts';

export type LocationSettingRow = UnitTypeColumns & {
  readonly unit_id: number;
  readonly name: string;
  readonly value: string | null;
};

/** Those of these names, of the units of a location that are not deleted. */
export function listStoredSettings(
  db: Db,
  { bankId, locationId }: { readonly bankId: number; readonly locationId: number },
  names: readonly string[],
): Promise<LocationSettingRow[]> {
  return db
    .selectFrom('unit_settings as s')
    .innerJoin('units as u', (join) =>
      join
        .onRef('u.bank_id', '=', 's.bank_id')
        .onRef('u.location_id', '=', 's.location_id')
        .onRef('u.unit_id', '=', 's.unit_id'),
    )
    .select(['s.unit_id', 's.name', 's.value', 'u.unit_type', 'u.packed_type'])
    .where('s.bank_id', '=', bankId)
    .where('s.location_id', '=', locationId)
    .where('s.name', 'in', names)
    .where('u.deleted_at', 'is', null)
    .orderBy('s.unit_id')
    .execute();
}

/** The values given, by unit and then by name; what the type of the unit does not have is left out. */
export function groupVisibleValuesByUnit(
  rows: readonly LocationSettingRow[],
): ReadonlyMap<number, ReadonlyMap<string, string>> {
  const units = Map.groupBy(rows, ({ unit_id }) => unit_id);
  return new Map(units.entries().map(([unitId, settings]) => [unitId, visibleValuesOf(settings)]));
}

/** All of them are of one unit. */
function visibleValuesOf(settings: readonly LocationSettingRow[]): ReadonlyMap<string, string> {
  const [unit] = settings;
  const values = settings.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const]));
  return selectVisibleValues(unit && typeCodeOf(unit), new Map(values));
}
