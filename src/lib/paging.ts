// Cuts pages out of lists, and searches and sorts by names.

type PageRequest = { readonly offset: number; readonly limit: number };

/** A page out of all items. */
export function slicePage<T>(all: readonly T[], { offset, limit }: PageRequest) {
  return toPage(all.slice(offset, offset + limit + 1), { offset, limit });
}

/** A page out of rows that were read from `offset` on. The caller reads one row more than the limit, for `hasMore`. */
export function toPage<T>(rows: readonly T[], { offset, limit }: PageRequest) {
  return { items: rows.slice(0, limit), offset, limit, hasMore: rows.length > limit };
}

/** Whether one of the texts contains the filter, ignoring case. No filter matches everything. */
export function matchesFilter(filter: string | undefined, ...texts: readonly string[]): boolean {
  if (filter === undefined || filter === '') return true;
  const needle = foldCase(filter);
  return texts.some((text) => foldCase(text).includes(needle));
}

const foldCase = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Compares names in the order of a language; numbers in names are compared by value. */
export function createNameComparator(language: string): (a: string, b: string) => number {
  return new Intl.Collator(language, { numeric: true }).compare;
}
