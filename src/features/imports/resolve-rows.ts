// Finds what rows of a file name: the objects of their keys and KIDs, and those that their columns refer to.

import type { Db } from '../../database/db.ts';
import { parseKid, tenantOfKid, type KidType } from '../../lib/kid.ts';
import { splitWords } from '../../lib/values/field-values.ts';
import type { ImportColumn, ImportKind, ImportTarget, RowError, RowValues } from '../import-kinds/import-kind.ts';
import { importKinds } from '../import-kinds/import-kinds.ts';
import { findKeysOfObjects, findObjectsOfKeys, type KeySpace } from './queries/import-keys.ts';
import { readPlacesOfNames } from './read-place-names.ts';
import { defaultSource } from '../import-profiles/rules/default-profile.ts';
import type { ImportKindName } from '../import-kinds/rules/kind-names.ts';
import { fieldError, parseRowFields } from '../import-kinds/rules/parse-fields.ts';
import type { ResolvedRow } from './rules/decide-row.ts';
import type { ParsedRow } from './rules/parse-row.ts';

export type Source = { readonly kind: ImportKind; readonly target: ImportTarget; readonly source: string };

export const keySpaceOf = ({ kind, target, source }: Source): KeySpace => ({
  kind: kind.name,
  bankId: kind.belongsTo === 'bank' ? target.bank.bankId : 0,
  source,
});

/** The rows with their objects, as far as there are some, and with KIDs for references. */
export async function resolveRows(db: Db, source: Source, rows: readonly ParsedRow[]): Promise<ResolvedRow[]> {
  const space = keySpaceOf(source);
  const listing = listingColumns(source.kind);
  const [objects, references, places] = await Promise.all([
    findObjectsOfKeys(
      db,
      space,
      rows.map(({ key }) => key),
    ),
    readReferences(db, source, rows),
    readListedPlaces(db, source, rows, listing),
  ]);
  // A key that looks like the KID of an object is that object's, unless the object has another key, or the fields of a
  // row name its object: the file may come from elsewhere, where other objects had these KIDs.
  const keyNames = source.kind.defaultKey === undefined;
  const nameOf = ({ key, kid }: ParsedRow): string => (kid === '' && keyNames ? key : kid);
  const named = rows.flatMap((row) => (objects.has(row.key) ? [] : [nameOf(row)]));
  const keysOfNamed = await findKeysOfObjects(db, space, named);
  return rows.map((row) => {
    const { position, line, key, kid } = row;
    const replaced = replaceReferences(source.kind, row.values, references);
    const { values, errors } = listing.length === 0 ? replaced : replacePlaces(source, replaced, { listing, places });
    const found = objects.get(key);
    const ownerErrors = kid === '' ? [] : findOwnerErrors(source.target, row, found, keysOfNamed.get(kid));
    const unkeyed = nameOf(row);
    const objectKid = found ?? (isOwnKid(source.target, unkeyed) && !keysOfNamed.has(unkeyed) ? unkeyed : null);
    return {
      position,
      line,
      key,
      values,
      objectKid,
      hasKey: found !== undefined,
      namesObject: kid !== '',
      errors: [...row.errors, ...errors, ...ownerErrors],
    };
  });
}

type ListingColumn = ImportColumn & Required<Pick<ImportColumn, 'parsePlaces'>>;

const listingColumns = ({ columns }: ImportKind): readonly ListingColumn[] =>
  columns.flatMap(({ parsePlaces, ...column }) => (parsePlaces === undefined ? [] : [{ ...column, parsePlaces }]));

async function readListedPlaces(
  db: Db,
  source: Source,
  rows: readonly ParsedRow[],
  listing: readonly ListingColumn[],
): Promise<ReadonlyMap<string, string>> {
  const words = rows.flatMap(({ values }) => listing.flatMap(({ field }) => splitWords(values[field] ?? '')));
  return words.length === 0 ? new Map() : readPlacesOfNames(db, source, words);
}

type Replaced = { readonly values: RowValues; readonly errors: readonly RowError[] };

function replacePlaces(
  { target }: Source,
  { values, errors }: Replaced,
  { listing, places }: { readonly listing: readonly ListingColumn[]; readonly places: ReadonlyMap<string, string> },
): Replaced {
  const replaced = { ...values };
  const allErrors = [...errors];
  for (const column of listing) {
    const { field, parsePlaces } = column;
    const text = values[field];
    if (text === undefined) continue;
    const kids = splitWords(text).map((word) => places.get(word) ?? word);
    const { values: parsed, errors: found } = parseRowFields(
      { [field]: { ...column, parse: parsePlaces } },
      { [field]: kids.join(' ') },
      target,
    );
    Object.assign(replaced, parsed);
    allErrors.push(...found);
  }
  return { values: replaced, errors: allErrors };
}

/** Whether a text is a KID of the tenant; those of settings have the setting after it. */
const isOwnKid = ({ tenant }: ImportTarget, text: string): boolean =>
  parseKid(text.split('#', 1)[0] ?? '', tenant.name, allKidTypes) !== undefined;

const allKidTypes: readonly KidType[] = [
  'bank',
  'location',
  'unit',
  'user',
  'posting',
  'event',
  'installer',
  'manager',
];

function findOwnerErrors(
  target: ImportTarget,
  { key, kid }: ParsedRow,
  objectOfKey: string | undefined,
  keyOfObject: string | undefined,
): RowError[] {
  const refuse = (code: string, reason: string): RowError[] => [fieldError('kid', code, reason)];
  if (tenantOfKid(kid) !== target.tenant.name || !isOwnKid(target, kid))
    return refuse('invalid', 'must be a KID of this tenant');
  if (objectOfKey !== undefined && objectOfKey !== kid)
    return refuse('other-object', `the key ${JSON.stringify(key)} belongs to ${objectOfKey}`);
  return keyOfObject !== undefined && keyOfObject !== key
    ? refuse('other-key', `${kid} has the key ${JSON.stringify(keyOfObject)} already`)
    : [];
}

/** Kind -> text of a reference -> KID. */
type References = ReadonlyMap<ImportKindName, ReadonlyMap<string, string>>;

async function readReferences(db: Db, source: Source, rows: readonly ParsedRow[]): Promise<References> {
  const fieldsByKind = Map.groupBy(source.kind.columns, ({ references }) => references);
  const found = new Map<ImportKindName, ReadonlyMap<string, string>>();
  for (const [name, columns] of fieldsByKind) {
    if (name === undefined) continue;
    const fields = columns.map(({ field }) => field);
    const texts = new Set(rows.flatMap(({ values }) => fields.map((field) => values[field] ?? '')));
    texts.delete('');
    if (texts.size === 0) continue;
    found.set(name, await readReferencedKids(db, { ...source, kind: importKinds[name] }, [...texts]));
  }
  return found;
}

/**
 * By the key of the same source, by the key of our own files, by the KID, by the name: the first that there is. An object
 * that has a KID of elsewhere as its key was moved here: other KIDs of such a file are not those of objects here.
 */
async function readReferencedKids(
  db: Db,
  source: Source,
  texts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const space = keySpaceOf(source);
  const kids = texts.filter((text) => isOwnKid(source.target, text));
  const [byName = new Map<string, string>(), keysOfKids, byDefaultKey, byKey] = await Promise.all([
    source.kind.findByNames?.(db, source.target, texts),
    findKeysOfObjects(db, { ...space, source: defaultSource }, kids),
    findObjectsOfKeys(db, { ...space, source: defaultSource }, texts),
    findObjectsOfKeys(db, space, texts),
  ]);
  const byKid = kids.flatMap((kid) => {
    const key = keysOfKids.get(kid) ?? kid;
    return key !== kid && isOwnKid(source.target, key) ? [] : [[kid, kid] as const];
  });
  return new Map([...byName, ...byKid, ...byDefaultKey, ...byKey]);
}

function replaceReferences(
  { name: kindName, columns }: ImportKind,
  values: RowValues,
  references: References,
): { readonly values: RowValues; readonly errors: readonly RowError[] } {
  const replaced = { ...values };
  const errors: RowError[] = [];
  for (const { field, references: name } of columns) {
    const text = values[field] ?? '';
    if (name === undefined || text === '') continue;
    const kid = references.get(name)?.get(text);
    if (kid !== undefined) replaced[field] = kid;
    // A row before it may be that object: the kind finds out when it is applied.
    else if (name !== kindName)
      errors.push(fieldError(field, 'unknown-reference', `there is no ${JSON.stringify(text)} in ${name}`));
  }
  return { values: replaced, errors };
}
