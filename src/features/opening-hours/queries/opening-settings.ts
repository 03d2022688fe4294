// The units of a location with what their opening settings hold, and the location's exceptions.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import type { LocationKey } from '../../../permissions/coverage.ts';
import { typeCodeOf, type UnitTypeColumns } from '../../places/rules/unit-types.ts';
import { selectVisibleValues } from '../../units/catalogue/type-catalogue.ts';
import { openingSettings } from '../../units/catalogue/opening-settings.ts';
import type { OpeningExceptionRow } from '../rules/opening-exceptions.ts';

const openingSettingNames = openingSettings.map(({ name }) => name);

type OpeningSettingRow = UnitTypeColumns & {
  readonly unit_id: number;
  readonly name: string | null;
  readonly value: string | null;
};

/**
 * The texts of the opening settings by unit and name, of every unit that is not deleted, by id; of a type that has none,
 * none.
 */
export async function readOpeningSettings(db: Db, at: LocationKey): Promise<Map<number, ReadonlyMap<string, string>>> {
  const units = Map.groupBy(await listOpeningSettingRows(db, at), ({ unit_id }) => unit_id);
  return new Map([...units].map(([unitId, rows]) => [unitId, openingSettingsByName(rows)]));
}

/** All of them are of one unit. */
function openingSettingsByName(rows: readonly OpeningSettingRow[]): ReadonlyMap<string, string> {
  const [unit] = rows;
  const texts = rows.flatMap(({ name, value }) => (name === null || value === null ? [] : [[name, value] as const]));
  return selectVisibleValues(unit && typeCodeOf(unit), new Map(texts));
}

function listOpeningSettingRows(db: Db, at: LocationKey): Promise<OpeningSettingRow[]> {
  const values = { ...at, ...Object.fromEntries(openingSettingNames.map((name) => [name, name])) };
  return runPrepared(db, 'opening settings of a location', values, (bind) =>
    db
      .selectFrom('units as u')
      .leftJoin('unit_settings as s', (join) =>
        join
          .onRef('s.bank_id', '=', 'u.bank_id')
          .onRef('s.location_id', '=', 'u.location_id')
          .onRef('s.unit_id', '=', 'u.unit_id')
          .on(
            's.name',
            'in',
            openingSettingNames.map((name) => bind<string>(name)),
          ),
      )
      .select(['u.unit_id', 'u.unit_type', 'u.packed_type', 's.name', 's.value'])
      .where('u.bank_id', '=', bind<number>('bankId'))
      .where('u.location_id', '=', bind<number>('locationId'))
      .where('u.deleted_at', 'is', null)
      .orderBy('u.unit_id'),
  );
}

/** The exceptions of a location and its units from a day through another (`YYYY-MM-DD`). */
export function listOpeningExceptions(
  db: Db,
  at: LocationKey,
  days: { readonly fromDay: string; readonly throughDay: string },
): Promise<OpeningExceptionRow[]> {
  return runPrepared(db, 'opening exceptions', { ...at, ...days }, (bind) =>
    db
      .selectFrom('opening_exceptions')
      .select(['unit_id', 'day', 'intervals', 'text'])
      .where('bank_id', '=', bind<number>('bankId'))
      .where('location_id', '=', bind<number>('locationId'))
      .where('day', '>=', bind<string>('fromDay'))
      .where('day', '<=', bind<string>('throughDay')),
  );
}
