// Columns that list banks and locations.

import { splitWords } from '../../../lib/values/field-values.ts';
import type { Field } from '../import-kind.ts';

const placeNames =
  'A KID, a key that only one has, or a key of locations of a bank, such as `sund-B1001/house-1`; a space in it is `%20`.';

/** A field whose parser takes KIDs, as a column that also takes other names: they are looked up. */
export const listsPlaces = <Subject>({ description, parse, ...field }: Field<Subject>): Field<Subject> => ({
  ...field,
  ...(parse === undefined ? {} : { parsePlaces: parse }),
  description: `${description} ${placeNames}`,
  parse: (text) => ({ value: splitWords(text).join(' ') }),
});
