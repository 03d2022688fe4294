// The query parameters and the response that all lists have in common.

import { Type, type TSchema } from 'typebox';
import { namedEnum, namedObject, nullable, useOf } from './named-schemas.ts';
import { int32, stringEnum } from './schema-types.ts';

const offset = int32({ minimum: 0, maximum: 100_000, default: 0, description: 'Number of items to skip.' });
const limit = int32({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of items to return.' });

/** The position at which a page begins. Encrypted names of many letters make a cursor long. */
export const cursor = Type.Optional(
  Type.String({
    maxLength: 4096,
    description:
      '`nextCursor` of the page before, with otherwise the same parameters and language, and without an offset. No item is left out or repeated because of others that are added or deleted meanwhile.',
  }),
);

export const nextCursor = nullable(
  Type.String({ description: 'Cursor of the page after this one; null on the last page.' }),
);

/** The part of a list that a request asks for. */
export type Pagination = { readonly offset: number; readonly limit: number };

/** The query of a page as a request has it. */
export type PageQuery = Pagination & { readonly cursor?: string };

/** The query of a list that is only paged. */
export const paginationQuery = { offset, limit, cursor };

export type SortDirection = 'asc' | 'desc';
export const SortDirection = namedEnum('SortDirection', ['asc', 'desc'], 'asc: ascending; desc: descending.');

const createFilter = (searchedFields: string) =>
  Type.Optional(
    Type.String({ maxLength: 128, description: `Text to search for in ${searchedFields}; case-insensitive.` }),
  );

/** The query for searching and sorting a list and its export; the first sort is the default. */
export const namedSortQuery = <const S extends string>(
  name: string,
  sorts: readonly [S, ...S[]],
  searchedFields: string,
) => ({
  filter: createFilter(searchedFields),
  sort: useOf(namedEnum(name, sorts, 'Sort field.'), { default: sorts[0] }),
  direction: useOf(SortDirection, { default: 'asc' }),
});

/** The query of a list that can be searched, sorted and paged; the first sort is the default. */
export const listQuery = <const S extends string>(sorts: readonly [S, ...S[]], searchedFields: string) => ({
  filter: createFilter(searchedFields),
  sort: stringEnum(sorts, 'Sort field.', { default: sorts[0] }),
  direction: useOf(SortDirection, { default: 'asc' }),
  ...paginationQuery,
});

/** The response of a list; its name is that of the item followed by `Page`. */
export const listResponse = <T extends TSchema>(name: `${string}Page`, item: T) =>
  namedObject(name, {
    items: Type.Array(item),
    offset: Type.Integer({ description: 'Number of items before the page.' }),
    limit: Type.Integer({ description: 'Maximum number of items of this page.' }),
    hasMore: Type.Boolean({ description: 'True if more items follow.' }),
    nextCursor,
  });
