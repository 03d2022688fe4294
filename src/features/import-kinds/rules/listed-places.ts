// Columns that list banks and locations.

import { splitWords } from '../../../lib/values/field-values.ts';
import type { Field, FieldParser } from '../import-kind.ts';

export const placeNames =
  'A KID, a key that only one has, or a key of locations of a bank, such as `sund-B1001/house-1`; a space in it is `%20`.';

/** Places are looked up by their names. */
export const keepWords: FieldParser = (text) => ({ value: splitWords(text).join(' ') });

/** A field whose parser takes KIDs, as a column that also takes other names: they are looked up. */
export const listsPlaces = <Subject>({ description, parse, ...field }: Field<Subject>): Field<Subject> => ({
  ...field,
  ...(parse === undefined ? {} : { parsePlaces: parse }),
  description: `${description} ${placeNames}`,
  parse: keepWords,
});
