// Decides which rows of a snapshot a page has, and which the pages before and after it.

/** Some rows that follow each other: the number of those before them, and how many they are. */
export type PageRange = { readonly offset: number; readonly count: number };

type SnapshotSize = { readonly totalCount: number; readonly pageSize: number };

/** The page that begins at a row, or at the last row where there are not as many. */
export function firstRange(wantedOffset: number, { totalCount, pageSize }: SnapshotSize): PageRange {
  const offset = Math.max(0, Math.min(wantedOffset, totalCount - 1));
  return { offset, count: Math.min(pageSize, totalCount - offset) };
}

/** Undefined before the first row. A page shorter than others ends where the next one begins, so that no row is in both. */
export function rangeBefore({ offset }: PageRange, { pageSize }: SnapshotSize): PageRange | undefined {
  if (offset === 0) return undefined;
  const before = Math.max(0, offset - pageSize);
  return { offset: before, count: offset - before };
}

/** Undefined after the last row. */
export function rangeAfter(
  { offset, count }: PageRange,
  { totalCount, pageSize }: SnapshotSize,
): PageRange | undefined {
  const after = offset + count;
  return after < totalCount ? { offset: after, count: Math.min(pageSize, totalCount - after) } : undefined;
}
