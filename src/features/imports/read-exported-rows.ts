// Reads all objects of a kind as rows of the file that an import reads: with the keys that they were imported with.

import type { Db } from '../../database/db.ts';
import { prefetchNext } from '../../lib/prefetch-next.ts';
import type { ExportedRow, ExportViewer, RowValues } from './kinds/import-kind.ts';
import { keySpaceOf, type Source } from './read-drafts.ts';
import { createKeyReader, createReferenceReaders } from './read-references.ts';
import { readNamesOfPlaces } from './read-place-names.ts';
import { splitWords } from './rules/installer-rows.ts';

/** In batches, in the order of their ids. Objects that have no key of the source have their KIDs. */
export async function* readExportedRows(db: Db, source: Source, viewer?: ExportViewer): AsyncGenerator<RowValues[]> {
  const { kind, target } = source;
  const readKeys = createKeyReader(db, keySpaceOf(source));
  const readers = createReferenceReaders(db, source);
  const listing = kind.columns.filter(({ parsePlaces }) => parsePlaces !== undefined).map(({ field }) => field);
  for await (const rows of prefetchNext(kind.exportRows(db, target, viewer))) {
    const [own, places, ...references] = await Promise.all([
      readKeys(rows.map(({ objectKid }) => objectKid)),
      readListedNames(db, source, rows, listing),
      ...readers.map(async ({ field, read }) => ({ field, texts: await read(rows) })),
    ]);
    yield rows.map(({ objectKid, values }) => {
      const row: Record<string, string> = { ...values, key: (own.size > 0 && own.get(objectKid)) || objectKid };
      for (const field of listing)
        row[field] = splitWords(row[field] ?? '')
          .map((kid) => places.get(kid) ?? kid)
          .join(' ');
      for (const { field, texts } of references) {
        const { [field]: kid = '' } = row;
        if (kid === '') continue;
        const text = texts.get(kid) ?? '';
        if (text !== kid) row[field] = text;
        // Whose it is, nobody who reads the file can know.
        if (text === '' && field === 'resident' && 'anonymous' in row) row['anonymous'] = 'true';
      }
      return row;
    });
  }
}

/** KID of a bank or location -> how the file names it. A word that is no KID stays. */
async function readListedNames(
  db: Db,
  source: Source,
  rows: readonly ExportedRow[],
  listing: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (listing.length === 0) return new Map();
  const words = rows.flatMap(({ values }) => listing.flatMap((field) => splitWords(values[field] ?? '')));
  return readNamesOfPlaces(db, source, words);
}
