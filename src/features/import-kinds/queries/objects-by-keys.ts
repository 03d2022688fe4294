// Finds objects by keys of any source, for columns that name objects of the same file.

import type { Db } from '../../../database/db.ts';
import type { ImportKindName } from '../rules/kind-names.ts';

/** The KIDs of the objects with these keys. A key that objects of several sources have is left out. */
export async function findObjectsByKeys(
  db: Db,
  { kind, bankId }: { readonly kind: ImportKindName; readonly bankId: number },
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('import_keys')
    .select(['source_key', 'object_kid'])
    .where('kind', '=', kind)
    .where('bank_id', '=', bankId)
    .where('source_key', 'in', keys)
    .execute();
  const kidsByKey = Map.groupBy(rows, ({ source_key }) => source_key);
  return new Map(
    [...kidsByKey].flatMap(([key, found]) => {
      const kids = new Set(found.map(({ object_kid }) => object_kid));
      return kids.size === 1 ? [...kids].map((kid) => [key, kid] as const) : [];
    }),
  );
}

/** Those of these objects that an import has brought. */
export async function listImportedKids(
  db: Db,
  kind: ImportKindName,
  kids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (kids.length === 0) return new Set();
  const rows = await db
    .selectFrom('import_keys')
    .select('object_kid')
    .distinct()
    .where('kind', '=', kind)
    .where('object_kid', 'in', kids)
    .execute();
  return new Set(rows.map(({ object_kid }) => object_kid));
}
