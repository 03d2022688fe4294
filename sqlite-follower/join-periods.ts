// Decides which segments of a copy become one file: those of a period that has passed. Nothing depends on the clock: a period
// has passed when a segment of another one has been written.

import type { Generation, SegmentName } from './copy-names.ts';

export type JoinLimits = {
  readonly periodMs: number;
  /** So much more room is needed while a file is joined. */
  readonly maxBytes: number;
};

export const defaultJoinLimits: JoinLimits = { periodMs: 3_600_000, maxBytes: 256 * 1_048_576 };

/** The number of the period in which a segment was written. */
export const periodOf = (atMs: number, { periodMs }: JoinLimits): number => Math.floor(atMs / periodMs);

/** The segments that follow each other in a period and are not joined yet. `isEnded` is of a generation that nothing follows. */
export function listPassedPeriods(
  { segments }: Pick<Generation, 'segments'>,
  limits: JoinLimits,
  { isEnded }: { readonly isEnded: boolean },
): SegmentName[][] {
  const runs: SegmentName[][] = [];
  let before: SegmentName | undefined;
  for (const segment of segments) {
    const goesOn =
      before?.isJoined === segment.isJoined &&
      before.last + 1 === segment.first &&
      periodOf(before.atMs, limits) === periodOf(segment.atMs, limits);
    if (goesOn) runs.at(-1)?.push(segment);
    else runs.push([segment]);
    before = segment;
  }
  const passed = isEnded ? runs : runs.slice(0, -1);
  return passed.filter(([first]) => first?.isJoined === false);
}

export type SizedSegment = SegmentName & { readonly bytes: number };

/** Cuts what would become too large a file. A segment that remains alone is left as it is. */
export function cutBySize(segments: readonly SizedSegment[], { maxBytes }: JoinLimits): SizedSegment[][] {
  const groups: SizedSegment[][] = [];
  let size = 0;
  for (const segment of segments) {
    size += segment.bytes;
    if (groups.length > 0 && size <= maxBytes) groups.at(-1)?.push(segment);
    else {
      groups.push([segment]);
      size = segment.bytes;
    }
  }
  return groups.filter((group) => group.length > 1);
}
