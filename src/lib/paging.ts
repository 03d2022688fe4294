// Pages of lists, and how texts in them are searched and sorted.

type PageRequest = { readonly offset: number; readonly limit: number };

/** The frame around the items of a page, cut out of all of them. */
export function slicePage<T>(all: readonly T[], { offset, limit }: PageRequest) {
  return toPage(all.slice(offset, offset + limit + 1), { offset, limit });
}

/** The same for rows that were read from `offset` on: one more than asked for tells that there is more. */
export function toPage<T>(rows: readonly T[], { offset, limit }: PageRequest) {
  return { items: rows.slice(0, limit), offset, limit, hasMore: rows.length > limit };
}

/** Whether a text is found in any of these, literally, whatever the case; nothing to find is found everywhere. */
export function matchesFilter(filter: string | undefined, ...texts: readonly string[]): boolean {
  if (filter === undefined || filter === '') return true;
  const needle = foldCase(filter);
  return texts.some((text) => foldCase(text).includes(needle));
}

const foldCase = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Compares names as readers of a language sort them, numbers in them by size. */
export function createNameComparator(language: string): (a: string, b: string) => number {
  return new Intl.Collator(language, { numeric: true }).compare;
}
