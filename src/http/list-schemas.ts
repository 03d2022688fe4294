// The query parameters and the response that all lists have in common.

import { Type, type TSchema } from 'typebox';
import { stringEnum, closedObject, int32 } from './schema-types.ts';

const offset = int32({ minimum: 0, maximum: 100_000, default: 0, description: 'Number of items to skip.' });
const limit = int32({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of items to return.' });

/** The part of a list that a request asks for. */
export type Pagination = { readonly offset: number; readonly limit: number };

/** The query of a list that is only paged. */
export const paginationQuery = { offset, limit };

export type SortDirection = 'asc' | 'desc';

/** The query of a list that can be searched and sorted; the first sort is the default. */
export const listQuery = <const S extends string>(sorts: readonly [S, ...S[]], searchedFields: string) => ({
  filter: Type.Optional(
    Type.String({ maxLength: 128, description: `Text to search for in ${searchedFields}; case-insensitive.` }),
  ),
  sort: stringEnum(sorts, 'Sort field.', { default: sorts[0] }),
  direction: stringEnum(['asc', 'desc'], 'asc: ascending; desc: descending.', { default: 'asc' }),
  ...paginationQuery,
});

/** The response of a list. */
export const listResponse = <T extends TSchema>(item: T) =>
  closedObject({
    items: Type.Array(item),
    offset: Type.Integer(),
    limit: Type.Integer(),
    hasMore: Type.Boolean({ description: 'True if more items follow.' }),
  });
