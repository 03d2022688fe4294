// Pages of lists, and how texts in them are searched and sorted.

type Page = { readonly offset: number; readonly limit: number };

/** The frame around the items of a page, cut out of all of them. */
export function pageOf<T>(all: readonly T[], { offset, limit }: Page) {
  return framed(all.slice(offset, offset + limit + 1), { offset, limit });
}

/** The same for rows that were read from `offset` on: one more than asked for tells that there is more. */
export function framed<T>(rows: readonly T[], { offset, limit }: Page) {
  return { items: rows.slice(0, limit), offset, limit, hasMore: rows.length > limit };
}

/** Whether a text is found in any of these, literally, whatever the case; nothing to find is found everywhere. */
export function foundIn(filter: string | undefined, ...texts: readonly string[]): boolean {
  if (filter === undefined || filter === '') return true;
  const wanted = folded(filter);
  return texts.some((text) => folded(text).includes(wanted));
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Compares names as readers of a language sort them, numbers in them by size. */
export function nameOrder(language: string): (a: string, b: string) => number {
  return new Intl.Collator(language, { numeric: true }).compare;
}
