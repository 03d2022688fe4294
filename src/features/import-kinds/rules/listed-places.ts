// Reads columns that list banks and locations.

import type { FieldResult } from '../../../lib/values/field-values.ts';

/** For the documentation. */
export const placeNames =
  'A KID, a key that only one has, or a key of locations of a bank, such as `sund-B1001/house-1`; a space in it is `%20`.';

/** The words of a text, each once. */
export const splitWords = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))];

/** Places are looked up by their names. */
export const keepWords = (text: string): FieldResult => ({ value: splitWords(text).join(' ') });
