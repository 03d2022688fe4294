// Reads all objects of a kind as rows of the file that an import reads: with the keys that they were imported with.

import type { Db } from '../../database/db.ts';
import type { ExportedRow, ExportViewer, ImportKind, RowValues } from './kinds/import-kind.ts';
import { findKeysOfObjects } from './queries/import-keys.ts';
import { keySpaceOf, type Source } from './read-drafts.ts';
import { importKinds } from './kinds/import-kinds.ts';
import { readNamesOfPlaces } from './read-place-names.ts';
import { splitWords } from './rules/installer-rows.ts';
import { keyField } from './rules/plan-row.ts';

/** In batches, in the order of their ids. Objects that have no key of the source have their KIDs. */
export async function* readExportedRows(db: Db, source: Source, viewer?: ExportViewer): AsyncGenerator<RowValues[]> {
  const { kind, target } = source;
  const referring = kind.columns.filter(({ references }) => references !== undefined);
  const listing = kind.columns.filter(({ parsePlaces }) => parsePlaces !== undefined).map(({ field }) => field);
  for await (const rows of kind.exportRows(db, target, viewer)) {
    const own = await readKeys(
      db,
      source,
      Array.from(rows, ({ objectKid }) => objectKid),
    );
    const references = await Promise.all(
      referring.map(async ({ field, references: name }) => {
        const kids = [...new Set(rows.flatMap(({ values }) => values[field] || []))];
        return [field, await readReferences(db, { ...source, kind: importKinds[name!] }, kind, kids)] as const;
      }),
    );
    const places = await readListedNames(db, source, rows, listing);
    yield rows.map(({ objectKid, values }) => {
      const row: Record<string, string> = { [keyField]: own.get(objectKid) ?? objectKid, ...values };
      for (const field of listing)
        row[field] = splitWords(row[field] ?? '')
          .map((kid) => places.get(kid) ?? kid)
          .join(' ');
      for (const [field, texts] of references) {
        const { [field]: kid = '' } = row;
        row[field] = texts.get(kid) ?? '';
        // Whose it is, nobody who reads the file can know.
        if (kid !== '' && row[field] === '' && field === 'resident' && 'anonymous' in row) row['anonymous'] = 'true';
      }
      return row;
    });
  }
}

/** KID of a bank or location -> how the file names it. A word that is no KID stays. */
function readListedNames(
  db: Db,
  source: Source,
  rows: readonly ExportedRow[],
  listing: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const words = rows.flatMap(({ values }) => listing.flatMap((field) => splitWords(values[field] ?? '')));
  return readNamesOfPlaces(db, source, words);
}

/**
 * KID -> how the file names the object. One that was deleted is not in the export of its kind: its KID could be that of
 * another object where the file is read, so that it is left out.
 */
async function readReferences(
  db: Db,
  source: Source,
  referring: ImportKind,
  kids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (kids.length === 0) return new Map();
  const keys = await readKeys(db, source, kids);
  const rows = kids.map((objectKid, position) => ({ position, key: objectKid, objectKid, values: {} }));
  const found = source.kind === referring ? [] : await source.kind.findCurrent(db, source.target, rows);
  const isGone = (at: number): boolean => {
    const row = found[at];
    return row !== undefined && (row.current === null || row.errors.length > 0);
  };
  return new Map(kids.flatMap((kid, at) => (isGone(at) ? [] : [[kid, keys.get(kid) ?? kid] as const])));
}

const readKeys = (db: Db, source: Source, objectKids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  findKeysOfObjects(db, keySpaceOf(source), objectKids);
