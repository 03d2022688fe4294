// Reads and writes the keys that sources have for objects.

import type { Db, WriteDb } from '../../../database/db.ts';
import { replaceRows } from '../../../database/statements/insert-rows.ts';
import type { ImportKindName } from '../../import-kinds/rules/kind-names.ts';

/** The keys of one source for the objects of a kind, in a bank or (with 0) in none. */
export type KeySpace = { readonly kind: ImportKindName; readonly bankId: number; readonly source: string };

const selectKeys = (db: Db, { kind, bankId, source }: KeySpace) =>
  db
    .selectFrom('import_keys as k')
    .select(['k.source_key', 'k.object_kid'])
    .where('k.kind', '=', kind)
    .where('k.bank_id', '=', bankId)
    .where('k.source', '=', source);

/** Whether the source has a key of any object of the kind. */
export const hasKeys = async (db: Db, space: KeySpace): Promise<boolean> =>
  (await selectKeys(db, space).limit(1).executeTakeFirst()) !== undefined;

/** Key -> KID of its object. */
export async function findObjectsOfKeys(
  db: Db,
  space: KeySpace,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await selectKeys(db, space)
    .where('k.source_key', 'in', [...new Set(keys)])
    .execute();
  return new Map(rows.map(({ source_key, object_kid }) => [source_key, object_kid]));
}

/** KID of an object -> its key. */
export async function findKeysOfObjects(
  db: Db,
  space: KeySpace,
  objectKids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (objectKids.length === 0) return new Map();
  const rows = await selectKeys(db, space)
    .where('k.object_kid', 'in', [...new Set(objectKids)])
    .execute();
  return new Map(rows.map(({ source_key, object_kid }) => [object_kid, source_key]));
}

/** A key whose object is gone is given to another one. */
export const storeKeys = (
  db: WriteDb,
  { kind, bankId, source }: KeySpace,
  keys: readonly { readonly key: string; readonly objectKid: string }[],
): Promise<void> =>
  replaceRows(
    db,
    'import_keys',
    keys.map(({ key, objectKid }) => ({ kind, bank_id: bankId, source, source_key: key, object_kid: objectKid })),
  );

export async function deleteKeys(
  db: WriteDb,
  { kind, bankId, source }: KeySpace,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await db
    .deleteFrom('import_keys')
    .where('kind', '=', kind)
    .where('bank_id', '=', bankId)
    .where('source', '=', source)
    .where('source_key', 'in', keys)
    .execute();
}

type KeyedObject = { readonly key: string; readonly objectKid: string };

/** Objects whose keys no row of the import has, in the order of their keys after `afterKey`. */
export async function listMissingKeys(
  db: Db,
  space: KeySpace,
  { importId, afterKey, limit }: { readonly importId: number; readonly afterKey: string; readonly limit: number },
): Promise<KeyedObject[]> {
  const rows = await selectKeys(db, space)
    .where('k.source_key', '>', afterKey)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('import_rows as r')
            .select('r.position')
            .where('r.import_id', '=', importId)
            .whereRef('r.row_key', '=', 'k.source_key'),
        ),
      ),
    )
    .orderBy('k.source_key')
    .limit(limit)
    .execute();
  return rows.map(({ source_key, object_kid }) => ({ key: source_key, objectKid: object_kid }));
}
