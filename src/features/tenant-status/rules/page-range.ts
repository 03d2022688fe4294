// Decides which rows of a snapshot a page has, and the pages before and after it.

/** Consecutive rows: how many rows are before them, and how many they are. */
export type SnapshotRange = { readonly offset: number; readonly count: number };

type SnapshotSize = { readonly totalCount: number; readonly pageSize: number };

/** The page that begins at a row, or at the last row if there are fewer. */
export function firstRange(wantedOffset: number, { totalCount, pageSize }: SnapshotSize): SnapshotRange {
  const offset = Math.max(0, Math.min(wantedOffset, totalCount - 1));
  return { offset, count: Math.min(pageSize, totalCount - offset) };
}

/** Undefined before the first row. A page shorter than others ends where the next one begins, so that no row is in both. */
export function rangeBefore({ offset }: SnapshotRange, { pageSize }: SnapshotSize): SnapshotRange | undefined {
  if (offset === 0) return undefined;
  const before = Math.max(0, offset - pageSize);
  return { offset: before, count: offset - before };
}

/** Undefined after the last row. */
export function rangeAfter(
  { offset, count }: SnapshotRange,
  { totalCount, pageSize }: SnapshotSize,
): SnapshotRange | undefined {
  const after = offset + count;
  return after < totalCount ? { offset: after, count: Math.min(pageSize, totalCount - after) } : undefined;
}
