// How lists of banks and locations name them in a file: by their keys where they have some, so that another database, where
// they have other KIDs, finds the same places. Pure.

import { parentKidOf, parseKid, tenantOfKid, type KidOf } from '../../../lib/kid.ts';

/** Parses the KID of a place of whichever tenant. */
const parsePlaceKid = (text: string): KidOf<'bank' | 'location'> | undefined =>
  parseKid(text, tenantOfKid(text), ['bank', 'location']);

/**
 * A key that is a KID of elsewhere names one place of all. Another key of a location is one of its bank, and stands behind
 * it and a slash.
 */
export function formatPlaceName(kid: string, keys: ReadonlyMap<string, string>): string {
  const key = keys.get(kid);
  if (key !== undefined && parsePlaceKid(key) !== undefined) return key;
  const isLocation = parsePlaceKid(kid)?.type === 'location';
  return key !== undefined && isLocation ? `${formatPlaceName(parentKidOf(kid), keys)}/${encodeKey(key)}` : kid;
}

type PlaceName = { readonly bank: string | undefined; readonly key: string };

export function splitPlaceName(word: string): PlaceName {
  const slash = word.indexOf('/');
  return slash === -1
    ? { bank: undefined, key: decodeKey(word) }
    : { bank: word.slice(0, slash), key: decodeKey(word.slice(slash + 1)) };
}

/** Encodes what parts the names of a list. */
const encodeKey = (key: string): string => key.replaceAll(/[\s,;/%]/g, (character) => encodeURIComponent(character));

/** A per cent sign with two digits behind it: what it stands for. */
const decodeKey = (text: string): string =>
  text.replaceAll(/(?:%[\dA-F]{2})+/gi, (codes) => Buffer.from(codes.replaceAll('%', ''), 'hex').toString('utf8'));
