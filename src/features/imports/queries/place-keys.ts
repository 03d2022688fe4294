// Reads the keys of banks and locations, in whichever bank.

import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { listedValues, partsOf } from '../../../lib/values/parts.ts';

export type PlaceKeyRow = Tables['import_keys'];

const selectPlaces = (db: Db) => db.selectFrom('import_keys').where('kind', 'in', ['banks', 'locations']);

/** What has one of these keys. */
export async function listPlacesOfKeys(
  db: Db,
  sources: readonly string[],
  keys: readonly string[],
): Promise<PlaceKeyRow[]> {
  const rows: PlaceKeyRow[] = [];
  for (const part of partsOf([...new Set(keys)], listedValues))
    rows.push(
      ...(await selectPlaces(db).selectAll().where('source', 'in', sources).where('source_key', 'in', part).execute()),
    );
  return rows;
}

/** KID -> key. */
export async function findKeysOfPlaces(
  db: Db,
  source: string,
  kids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const keys = new Map<string, string>();
  for (const part of partsOf([...new Set(kids)], listedValues)) {
    const rows = await selectPlaces(db)
      .select(['object_kid', 'source_key'])
      .where('source', '=', source)
      .where('object_kid', 'in', part)
      .execute();
    for (const { object_kid, source_key } of rows) keys.set(object_kid, source_key);
  }
  return keys;
}
