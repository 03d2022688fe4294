// The state of a list is its address: filter, sort order and page are in the query, so that Back works and a link shows
// the same list.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { choiceIn, numberIn, type Search } from './search-values.ts';

export type ListState = {
  readonly search: Search;
  /** Begins at the first page again. @param isTyping replaces the address, so that Back does not undo single letters */
  change(changes: Search, isTyping?: boolean): void;
  goTo(offset: number): void;
  sortBy(sort: string): void;
};

export function useListState(): ListState {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (next: Search, replace = false): void =>
    void navigate({ to: '.', search: withoutEmpty(next), replace, resetScroll: false });
  return {
    search,
    change: (changes, isTyping = false) => go({ ...search, offset: undefined, ...changes }, isTyping),
    goTo: (offset) => go({ ...search, offset: offset === 0 ? undefined : String(offset) }),
    sortBy: (sort) => {
      const isDescending = search['sort'] === sort && search['direction'] !== 'desc';
      go({ ...search, offset: undefined, sort, direction: isDescending ? 'desc' : undefined });
    },
  };
}

const withoutEmpty = (search: Search): Record<string, string> =>
  Object.fromEntries(Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1])));

type PageInput<Sort extends string> = {
  filter: string | undefined;
  sort: Sort | undefined;
  direction: 'asc' | 'desc' | undefined;
  offset: number | undefined;
};

/** What every list takes, as the address has it. */
export const pageInput = <Sort extends string>(search: Search, sorts: readonly Sort[]): PageInput<Sort> => ({
  filter: search['filter'],
  sort: choiceIn(search, 'sort', sorts),
  direction: choiceIn(search, 'direction', ['asc', 'desc'] as const),
  offset: numberIn(search, 'offset'),
});
