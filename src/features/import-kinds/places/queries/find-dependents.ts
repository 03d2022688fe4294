// Finds what depends on banks, locations and units: as long as anything does, they are not taken back.

import { sql } from 'kysely';
import type { Db } from '../../../../database/db.ts';
import { placeDependents, type Dependent, type LevelOfPlace } from '../rules/place-dependents.ts';

export type PlaceIds = {
  readonly bankId: number;
  readonly locationId?: number | undefined;
  readonly unitId?: number | undefined;
};

const idColumns = {
  bank: ['bank_id'],
  location: ['bank_id', 'location_id'],
  unit: ['bank_id', 'location_id', 'unit_id'],
};

/** What each of the places has that depends on it, by {@link placeKeyOf}. Places that nothing depends on are left out. */
export async function findDependents(
  db: Db,
  level: LevelOfPlace,
  places: readonly PlaceIds[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (places.length === 0) return new Map();
  const wanted = new Set(places.map(placeKeyOf));
  const found = new Map<string, string[]>();
  for (const dependent of placeDependents[level])
    for (const key of await listOwners(db, level, dependent, places))
      if (wanted.has(key)) found.set(key, [...(found.get(key) ?? []), dependent.text]);
  return found;
}

export const placeKeyOf = ({ bankId, locationId, unitId }: PlaceIds): string =>
  [bankId, locationId, unitId].filter((id) => id !== undefined).join('-');

type IdRow = { readonly bank_id: number; readonly location_id?: number; readonly unit_id?: number };

async function listOwners(
  db: Db,
  level: LevelOfPlace,
  { table, column, isDeletable }: Dependent,
  places: readonly PlaceIds[],
): Promise<string[]> {
  const columns = idColumns[level];
  const idsOf: Readonly<Record<string, (place: PlaceIds) => number | undefined>> = {
    bank_id: ({ bankId }) => bankId,
    location_id: ({ locationId }) => locationId,
    unit_id: ({ unitId }) => unitId,
  };
  const conditions = columns.map((idColumn) => {
    const ids = new Set(places.map((place) => idsOf[idColumn]?.(place) ?? 0));
    return db.dialect.inList(sql.ref<number>(idColumn), [...ids]);
  });
  if (column !== undefined) conditions.push(sql<boolean>`${sql.ref(column)} is not null`);
  if (isDeletable === true) conditions.push(sql<boolean>`deleted_at is null`);
  const { rows } = await sql<IdRow>`select distinct ${sql.join(columns.map((idColumn) => sql.ref(idColumn)))}
    from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`.execute(db);
  return rows.map((row) => placeKeyOf({ bankId: row.bank_id, locationId: row.location_id, unitId: row.unit_id }));
}
