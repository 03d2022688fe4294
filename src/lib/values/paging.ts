// Cuts pages out of lists, and searches and sorts by names.

import { collator } from '../time/intl-formats.ts';

/** The values by which a list is sorted, of its last row that was shown, and what the next page must not read again. */
export type Position = readonly (string | number | null)[];

/** A part of a list: after a position, or after `offset` rows. */
export type PageSlice<P extends Position> = {
  readonly after?: P | undefined;
  /** 0 if there is a position. */
  readonly offset: number;
  readonly limit: number;
};

export type PageRequest<P extends Position> = PageSlice<P> & {
  /** The number of items before the page. */
  readonly itemsBefore: number;
  formatCursor(position: P, itemsBefore: number): string;
};

/** A page out of the rows of its slice. The caller reads one row more than the limit, for `hasMore`. */
export function toPage<T, const P extends Position>(
  rows: readonly T[],
  { itemsBefore, limit, formatCursor }: PageRequest<P>,
  positionOf: (row: T) => P,
) {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  const nextCursor = last === undefined ? null : formatCursor(positionOf(last), itemsBefore + items.length);
  return { items, offset: itemsBefore, limit, hasMore: last !== undefined, nextCursor };
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
  return collator(language, { numeric: true }).compare;
}
