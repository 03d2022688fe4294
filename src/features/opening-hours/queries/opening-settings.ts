// Reads the opening settings of a location's units.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { GrantedLocation } from '../../../permissions/coverage.ts';
import { openingSettingNames } from '../../units/catalogue/opening-settings.ts';
import { groupVisibleValuesByUnit } from '../../units/rules/visible-values.ts';

/** The stored texts by name, by unit in the order of ids. Units without texts are included, deleted ones are not. */
export async function readOpeningSettings(
  db: Db,
  location: GrantedLocation,
): Promise<ReadonlyMap<number, ReadonlyMap<string, string>>> {
  const values = { ...location, ...Object.fromEntries(openingSettingNames.map((name) => [name, name])) };
  const rows = await runPrepared(db, 'opening settings of a location', values, (bind) =>
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
  return groupVisibleValuesByUnit(rows);
}
