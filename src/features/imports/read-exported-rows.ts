// Reads all objects of a kind as rows of the file that an import reads: with the keys that they were imported with.

import type { Db } from '../../database/db.ts';
import type { ExportViewer, RowValues } from './kinds/import-kind.ts';
import { findKeysOfObjects } from './queries/import-keys.ts';
import { keySpaceOf, type Source } from './read-drafts.ts';
import { importKinds } from './kinds/import-kinds.ts';
import { keyField } from './rules/plan-row.ts';

/** In batches, in the order of their ids. Objects that have no key of the source have their KIDs. */
export async function* readExportedRows(db: Db, source: Source, viewer?: ExportViewer): AsyncGenerator<RowValues[]> {
  const { kind, target } = source;
  const referring = kind.columns.filter(({ references }) => references !== undefined);
  for await (const rows of kind.exportRows(db, target, viewer)) {
    const own = await readKeys(
      db,
      source,
      Array.from(rows, ({ objectKid }) => objectKid),
    );
    const keysByField = new Map(
      await Promise.all(
        referring.map(async ({ field, references }) => {
          const kids = rows.flatMap(({ values }) => (values[field] ? [values[field]] : []));
          return [field, await readKeys(db, { ...source, kind: importKinds[references!] }, kids)] as const;
        }),
      ),
    );
    yield rows.map(({ objectKid, values }) => {
      const row: Record<string, string> = { [keyField]: own.get(objectKid) ?? objectKid, ...values };
      for (const [field, keys] of keysByField) row[field] = keys.get(row[field] ?? '') ?? row[field] ?? '';
      return row;
    });
  }
}

const readKeys = (db: Db, source: Source, objectKids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  findKeysOfObjects(db, keySpaceOf(source), objectKids);
