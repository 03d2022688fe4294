// Finds the banks and locations that a list of a file names, and names those of an export.

import type { Db } from '../../database/db.ts';
import { parentKidOf, parseKid } from '../../lib/kid.ts';
import { findKeysOfPlaces, listPlacesOfKeys, type PlaceKeyRow } from './queries/place-keys.ts';
import type { ImportTarget } from '../import-kinds/import-kind.ts';
import { defaultSource } from '../import-profiles/rules/default-profile.ts';
import { formatPlaceName, splitPlaceName } from './rules/place-names.ts';

type NamingSource = {
  readonly target: ImportTarget;
  /** Whose keys name the places. */
  readonly source: string;
};

/**
 * Word -> KID, by the keys of the same source, the keys of our own files, and the KIDs. A word that names no place, or
 * several, is left out.
 */
export async function readPlacesOfNames(
  db: Db,
  { target: { tenant }, source }: NamingSource,
  words: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(words.map((word) => [word, splitPlaceName(word)]));
  const texts = [...names.values()].flatMap(({ bank, key }) => (bank === undefined ? [key] : [bank, key]));
  const ownKids = texts.filter((text) => parseKid(text, tenant.name, ['bank', 'location']) !== undefined);
  const [rows, keysOfKids] = await Promise.all([
    listPlacesOfKeys(db, [source, defaultSource], texts),
    findKeysOfPlaces(db, defaultSource, ownKids),
  ]);
  const findByKey = (key: string, isWanted: (row: PlaceKeyRow) => boolean): readonly string[] => {
    const found = rows.filter((row) => row.source_key === key && isWanted(row));
    const ofSource = found.filter((row) => row.source === source);
    return [...new Set((ofSource.length > 0 ? ofSource : found).map(({ object_kid }) => object_kid))];
  };
  /** Whoever has a KID of elsewhere as key was moved here: another KID of such a file is not that of a place here. */
  const findByKid = (kid: string): string | undefined => {
    if (!ownKids.includes(kid)) return undefined;
    const key = keysOfKids.get(kid) ?? kid;
    return key === kid || parseKid(key, tenant.name, ['bank', 'location']) === undefined ? kid : undefined;
  };
  const find = (key: string, isWanted: (row: PlaceKeyRow) => boolean): string | undefined => {
    const found = findByKey(key, isWanted);
    return found.length > 0 ? (found.length === 1 ? found[0] : undefined) : findByKid(key);
  };
  return new Map(
    [...names].flatMap(([word, { bank, key }]) => {
      if (bank === undefined)
        return toEntries(
          word,
          find(key, () => true),
        );
      const bankKid = find(bank, ({ kind }) => kind === 'banks') ?? '';
      const bankId = parseKid(bankKid, tenant.name, ['bank'])?.bankId;
      const [location, ...others] = findByKey(key, ({ kind, bank_id }) => kind === 'locations' && bank_id === bankId);
      return toEntries(word, others.length === 0 ? location : undefined);
    }),
  );
}

const toEntries = (word: string, kid: string | undefined): [string, string][] =>
  kid === undefined ? [] : [[word, kid]];

/** KID -> word. */
export async function readNamesOfPlaces(
  db: Db,
  { source }: NamingSource,
  kids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const keys = await findKeysOfPlaces(db, source, [...kids, ...kids.map(parentKidOf)]);
  return new Map(kids.map((kid) => [kid, formatPlaceName(kid, keys)]));
}
