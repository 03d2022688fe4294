// Reads and writes imported postal codes in a tenant's database. A new import is written in batches while the old one
// is read, and replaces it in one step.

import type { Db, WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';

/** The city of a postal code: null if it has several, undefined if the code is unknown. */
export async function readPostalCity(
  db: Db,
  { country, postcode }: { readonly country: string; readonly postcode: string },
): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('postal_imports')
    .innerJoin('postal_codes', (join) =>
      join
        .onRef('postal_codes.country', '=', 'postal_imports.country')
        .onRef('postal_codes.import_id', '=', 'postal_imports.current_import'),
    )
    .select('postal_codes.city')
    .where('postal_imports.country', '=', country)
    .where('postal_codes.postcode', '=', postcode)
    .executeTakeFirst();
  return row?.city;
}

/** Returns the id of a new import of the country. */
export async function beginPostalImport(db: WriteDb, country: string): Promise<number> {
  await db.dialect.upsertRows(db, 'postal_imports', [{ country, current_import: 0, last_import: 1 }], {
    key: ['country'],
    sum: ['last_import'],
  });
  const { last_import: id } = await selectImport(db, country).executeTakeFirstOrThrow();
  return id;
}

export type PostalCity = { readonly postcode: string; /** Null where it has several. */ readonly city: string | null };

export async function insertPostalCities(
  db: WriteDb,
  country: string,
  importId: number,
  cities: readonly PostalCity[],
): Promise<void> {
  const rows = cities.map(({ postcode, city }) => ({ country, import_id: importId, postcode, city }));
  await insertRows(db, 'postal_codes', rows);
}

/**
 * Replaces the current import with this one. Returns false if it does not have that many postal codes, since another
 * import has begun and deleted some of them as leftovers.
 */
export async function finishPostalImport(
  db: WriteDb,
  country: string,
  importId: number,
  count: number,
): Promise<boolean> {
  await db.updateTable('postal_imports').set({ current_import: importId }).where('country', '=', country).execute();
  const { written } = await db
    .selectFrom('postal_codes')
    .select(({ fn }) => fn.countAll<number>().as('written'))
    .where('country', '=', country)
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow();
  return written === count;
}

/** Deletes some postal codes of imports that are neither current nor being written. Returns whether any may be left. */
export async function deleteOtherPostalCodes(
  db: WriteDb,
  country: string,
  importId: number,
  limit: number,
): Promise<boolean> {
  const { current_import: current } = await selectImport(db, country).executeTakeFirstOrThrow();
  const others = await db
    .selectFrom('postal_codes')
    .select(['import_id', 'postcode'])
    .where('country', '=', country)
    .where('import_id', 'not in', [current, importId])
    .orderBy('import_id')
    .orderBy('postcode')
    .limit(limit)
    .execute();
  const last = others.at(-1);
  if (last === undefined) return false;
  await db
    .deleteFrom('postal_codes')
    .where('country', '=', country)
    .where('import_id', 'not in', [current, importId])
    .where(({ eb, and, or }) =>
      or([
        eb('import_id', '<', last.import_id),
        and([eb('import_id', '=', last.import_id), eb('postcode', '<=', last.postcode)]),
      ]),
    )
    .execute();
  return others.length === limit;
}

const selectImport = (db: Db, country: string) =>
  db.selectFrom('postal_imports').select(['current_import', 'last_import']).where('country', '=', country);
