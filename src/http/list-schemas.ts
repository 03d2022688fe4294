// What lists have in common on the wire: what they are asked with, and the frame around their items.

import { Type, type TSchema } from 'typebox';
import { stringEnum, closedObject, int32 } from './schema-types.ts';

const offset = int32({ minimum: 0, maximum: 100_000, default: 0, description: 'Items to skip.' });
const limit = int32({ minimum: 1, maximum: 200, default: 50, description: 'Items to answer.' });

/** Where in a list, and how much of it. */
export type Pagination = { readonly offset: number; readonly limit: number };

/** The query of a list that is only paged. */
export const paginationQuery = { offset, limit };

export type SortDirection = 'asc' | 'desc';

/** The query of a list that can be searched and sorted; the first sort is the default. */
export const listQuery = <const S extends string>(sorts: readonly [S, ...S[]], searchedFields: string) => ({
  filter: Type.Optional(
    Type.String({ maxLength: 128, description: `Literal text to be found in ${searchedFields}, whatever its case.` }),
  ),
  sort: stringEnum(sorts, 'What items are sorted by.', { default: sorts[0] }),
  direction: stringEnum(['asc', 'desc'], 'asc: ascending; desc: descending.', { default: 'asc' }),
  ...paginationQuery,
});

/** The answer of a list. */
export const listResponse = <T extends TSchema>(item: T) =>
  closedObject({
    items: Type.Array(item),
    offset: Type.Integer(),
    limit: Type.Integer(),
    hasMore: Type.Boolean({ description: 'There are items beyond these.' }),
  });
