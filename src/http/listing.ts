// What lists have in common on the wire: what they are asked with, and the frame around their items.

import { Type, type TSchema } from 'typebox';
import { choice, closed, int32 } from './fields.ts';

const offset = int32({ minimum: 0, maximum: 100_000, default: 0, description: 'Items to skip.' });
const limit = int32({ minimum: 1, maximum: 200, default: 50, description: 'Items to answer.' });

/** Where in a list, and how much of it. */
export type Page = { readonly offset: number; readonly limit: number };

/** The query of a list that is only paged. */
export const paging = { offset, limit };

export type Direction = 'asc' | 'desc';

/** The query of a list that can be searched and sorted; the first sort is the default. */
export const listing = <const S extends string>(sorts: readonly [S, ...S[]], filtered: string) => ({
  filter: Type.Optional(
    Type.String({ maxLength: 128, description: `Literal text to be found in ${filtered}, whatever its case.` }),
  ),
  sort: choice(sorts, 'What items are sorted by.', { default: sorts[0] }),
  direction: choice(['asc', 'desc'], 'asc: ascending; desc: descending.', { default: 'asc' }),
  ...paging,
});

/** The answer of a list. */
export const listOf = <T extends TSchema>(item: T) =>
  closed({
    items: Type.Array(item),
    offset: Type.Integer(),
    limit: Type.Integer(),
    hasMore: Type.Boolean({ description: 'There are items beyond these.' }),
  });
