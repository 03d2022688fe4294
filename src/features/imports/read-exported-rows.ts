// Reads all objects of a kind as rows of the file that an import reads: with the keys that they were imported with.

import type { Db } from '../../database/db.ts';
import { prefetchNext } from '../../lib/queues/prefetch-next.ts';
import { splitWords } from '../../lib/values/field-values.ts';
import { keyField, type ExportedRow, type ImportColumn, type RowValues } from '../import-kinds/import-kind.ts';
import { importKinds } from '../import-kinds/import-kinds.ts';
import { answerEach } from '../import-kinds/rules/answers.ts';
import { findKeysOfObjects, hasKeys, type KeySpace } from './queries/import-keys.ts';
import { keySpaceOf, type Source } from './resolve-rows.ts';
import { readNamesOfPlaces } from './read-place-names.ts';

/** In batches, in the order of their ids. Objects that have no key of the source have their KIDs. */
export async function* readExportedRows(db: Db, source: Source): AsyncGenerator<RowValues[]> {
  const { kind, target } = source;
  const readKeys = createKeyReader(db, keySpaceOf(source));
  const readers = createReferenceReaders(db, source);
  const listing = kind.columns.filter(({ parsePlaces }) => parsePlaces !== undefined).map(({ field }) => field);
  for await (const rows of prefetchNext(kind.exportRows(db, target))) {
    const [own, places, ...references] = await Promise.all([
      readKeys(rows.map(({ objectKid }) => objectKid)),
      readListedNames(db, source, rows, listing),
      ...readers.map(async ({ read, ...column }) => ({ ...column, texts: await read(rows) })),
    ]);
    yield rows.map(({ objectKid, values: row }) => {
      row[keyField] = (own.size > 0 && own.get(objectKid)) || objectKid;
      for (const field of listing)
        row[field] = splitWords(row[field] ?? '')
          .map((kid) => places.get(kid) ?? kid)
          .join(' ');
      for (const { field, whenGone, texts } of references) {
        const { [field]: kid = '' } = row;
        if (kid === '') continue;
        const text = texts.get(kid) ?? '';
        if (text !== kid) row[field] = text;
        if (text === '') Object.assign(row, whenGone);
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

/** KID of an object -> a text. */
type TextsOfKids = ReadonlyMap<string, string>;
type ReadKeys = (objectKids: readonly string[]) => Promise<TextsOfKids>;

const noKeys: TextsOfKids = new Map();

/** KID of an object -> its key. Where the source has no keys of the kind, none are looked for. */
function createKeyReader(db: Db, space: KeySpace): ReadKeys {
  let hasSome: Promise<boolean> | undefined;
  return async (objectKids) => {
    hasSome ??= hasKeys(db, space);
    return (await hasSome) ? findKeysOfObjects(db, space, objectKids) : noKeys;
  };
}

/** A bank can have at most so many residents. What more rows refer to is read again. */
const maxKnownObjects = 100_000;

type ReferenceReader = Pick<ImportColumn, 'field' | 'whenGone'> & {
  /** KID -> how the file names the object. */
  read(rows: readonly ExportedRow[]): Promise<TextsOfKids>;
};

/** One for each column that refers to objects. */
const createReferenceReaders = (db: Db, source: Source): ReferenceReader[] =>
  source.kind.columns.flatMap(({ field, references, whenGone = {} }) => {
    if (references === undefined) return [];
    const readNames = createNameReader(
      db,
      { ...source, kind: importKinds[references] },
      source.kind === importKinds[references],
    );
    const known = new Map<string, string>();
    const read = async (rows: readonly ExportedRow[]): Promise<TextsOfKids> => {
      if (known.size > maxKnownObjects) known.clear();
      const unknown = new Set<string>();
      for (const { values } of rows) {
        const { [field]: kid = '' } = values;
        if (kid !== '' && !known.has(kid)) unknown.add(kid);
      }
      if (unknown.size > 0) for (const [kid, name] of await readNames([...unknown])) known.set(kid, name);
      return known;
    };
    return [{ field, whenGone, read }];
  });

/**
 * One that was deleted is not in the export of its kind: its KID could be that of another object where the file is read, so
 * that it has no name. Objects of the kind that is exported are not deleted.
 */
function createNameReader(
  db: Db,
  source: Source,
  isExportedKind: boolean,
): (kids: readonly string[]) => Promise<(readonly [kid: string, name: string])[]> {
  const readKeys = createKeyReader(db, keySpaceOf(source));
  return async (kids) => {
    const rows = kids.map((objectKid, position) => ({ position, key: objectKid, objectKid, values: {} }));
    const [keys, found] = await Promise.all([
      readKeys(kids),
      isExportedKind ? undefined : source.kind.findCurrent(db, source.target, rows),
    ]);
    const nameOf = (kid: string): string => keys.get(kid) ?? kid;
    if (found === undefined) return kids.map((kid) => [kid, nameOf(kid)]);
    return Array.from(answerEach(rows, found), ([{ objectKid: kid }, { current, errors }]) => {
      const isGone = current === null || errors.length > 0;
      return [kid, isGone ? '' : nameOf(kid)];
    });
  };
}
