// Finds what depends on banks, locations and units: as long as anything does, they are not taken back.

import { sql } from 'kysely';
import type { Db } from '../../../../database/db.ts';
import { placeDependents, type Dependent, type LevelOfPlace } from '../rules/place-dependents.ts';

export type PlaceIds = {
  readonly bankId: number;
  readonly locationId?: number | undefined;
  readonly unitId?: number | undefined;
};

/** The columns of the ids of each level, with what {@link PlaceIds} has in them. */
const idColumns = [
  ['bank_id', 'bankId'],
  ['location_id', 'locationId'],
  ['unit_id', 'unitId'],
] as const satisfies (readonly [column: string, property: keyof PlaceIds])[];

const depths: Readonly<Record<LevelOfPlace, number>> = { bank: 1, location: 2, unit: 3 };

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

async function listOwners(
  db: Db,
  level: LevelOfPlace,
  { table, column, isDeletable }: Dependent,
  places: readonly PlaceIds[],
): Promise<string[]> {
  const levels = idColumns.slice(0, depths[level]);
  const conditions = levels.map(([idColumn, property]) =>
    db.dialect.inList(sql.ref<number>(idColumn), [...new Set(places.map((place) => place[property] ?? 0))]),
  );
  if (column !== undefined) conditions.push(sql<boolean>`${sql.ref(column)} is not null`);
  if (isDeletable === true) conditions.push(sql<boolean>`deleted_at is null`);
  const owner = sql.join(levels.map(([idColumn, property]) => sql`${sql.ref(idColumn)} as ${sql.ref(property)}`));
  const { rows } = await sql<PlaceIds>`select distinct ${owner}
    from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`.execute(db);
  return rows.map(placeKeyOf);
}
