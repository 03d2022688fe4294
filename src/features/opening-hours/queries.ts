// The units of a location with what their opening settings hold, and the location's exceptions.

import type { Db } from '../../database/dialect.ts';
import { runPrepared } from '../../database/prepared.ts';
import type { LocationAt } from '../places/sight.ts';
import { typeCodeOf, type StoredType } from '../places/unit-types.ts';
import { shownOfType } from '../units/catalogue/catalogue.ts';
import { openingSettings } from '../units/catalogue/opening.ts';
import type { StoredException } from './rules/exceptions.ts';

const names = openingSettings.map(({ name }) => name);

type OpeningText = StoredType & {
  readonly unit_id: number;
  readonly name: string | null;
  readonly value: string | null;
};

/**
 * The texts of the opening settings by unit and name, of every unit that is not deleted, by id; of a type that has none,
 * none.
 */
export async function readOpeningTexts(db: Db, at: LocationAt): Promise<Map<number, ReadonlyMap<string, string>>> {
  const units = Map.groupBy(await listOpeningTexts(db, at), ({ unit_id }) => unit_id);
  return new Map([...units].map(([unitId, rows]) => [unitId, textsOf(rows)]));
}

/** All of them are of one unit. */
function textsOf(rows: readonly OpeningText[]): ReadonlyMap<string, string> {
  const [unit] = rows;
  const texts = rows.flatMap(({ name, value }) => (name === null || value === null ? [] : [[name, value] as const]));
  return shownOfType(unit && typeCodeOf(unit), new Map(texts));
}

function listOpeningTexts(db: Db, at: LocationAt): Promise<OpeningText[]> {
  const values = { ...at, ...Object.fromEntries(names.map((name) => [name, name])) };
  return runPrepared(db, 'opening settings of a location', values, (slot) =>
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
            names.map((name) => slot<string>(name)),
          ),
      )
      .select(['u.unit_id', 'u.unit_type', 'u.packed_type', 's.name', 's.value'])
      .where('u.bank_id', '=', slot<number>('bankId'))
      .where('u.location_id', '=', slot<number>('locationId'))
      .where('u.deleted_at', 'is', null)
      .orderBy('u.unit_id'),
  );
}

/** The exceptions of a location and its units from a day through another (`YYYY-MM-DD`). */
export function listExceptions(
  db: Db,
  at: LocationAt,
  days: { readonly fromDay: string; readonly throughDay: string },
): Promise<StoredException[]> {
  return runPrepared(db, 'opening exceptions', { ...at, ...days }, (slot) =>
    db
      .selectFrom('opening_exceptions')
      .select(['unit_id', 'day', 'intervals', 'text'])
      .where('bank_id', '=', slot<number>('bankId'))
      .where('location_id', '=', slot<number>('locationId'))
      .where('day', '>=', slot<string>('fromDay'))
      .where('day', '<=', slot<string>('throughDay')),
  );
}
