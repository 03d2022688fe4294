// The units of a location with what their opening settings hold, and the location's exceptions.

import type { Db } from '../../database/dialect.ts';
import { runPrepared } from '../../database/prepared.ts';
import type { LocationAt } from '../places/sight.ts';
import { openingSettings } from '../units/catalogue/opening.ts';
import type { StoredException } from './rules/schedule.ts';

const names = openingSettings.map(({ name }) => name);

type OpeningText = { readonly unit_id: number; readonly name: string | null; readonly value: string | null };

/** The texts of the opening settings by unit and name, of every unit that is not deleted, by id. */
export async function readOpeningTexts(db: Db, at: LocationAt): Promise<Map<number, Map<string, string>>> {
  const rows = await listOpeningTexts(db, at);
  const units = new Map<number, Map<string, string>>();
  for (const { unit_id, name, value } of rows) {
    const texts = units.get(unit_id) ?? new Map<string, string>();
    if (name !== null && value !== null) texts.set(name, value);
    units.set(unit_id, texts);
  }
  return units;
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
      .select(['u.unit_id', 's.name', 's.value'])
      .where('u.bank_id', '=', slot<number>('bankId'))
      .where('u.location_id', '=', slot<number>('locationId'))
      .where('u.deleted_at', 'is', null)
      .orderBy('u.unit_id'),
  );
}

/** The exceptions of a location and its units from a day (`YYYY-MM-DD`) on. */
export function listExceptions(db: Db, at: LocationAt, fromDay: string): Promise<StoredException[]> {
  return runPrepared(db, 'opening exceptions', { ...at, fromDay }, (slot) =>
    db
      .selectFrom('opening_exceptions')
      .select(['unit_id', 'day', 'intervals', 'text'])
      .where('bank_id', '=', slot<number>('bankId'))
      .where('location_id', '=', slot<number>('locationId'))
      .where('day', '>=', slot<string>('fromDay')),
  );
}
