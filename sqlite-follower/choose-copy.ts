// Chooses the files from which the database of a moment is made, and those that nobody needs any longer.

import { CopyError } from './copy-error.ts';
import type { BaseName, Generation, SegmentName } from './copy-names.ts';

export type ChosenFiles = {
  readonly generation: Generation;
  readonly base: BaseName;
  /** When the next generation can be restored, if there is one. */
  readonly nextFromMs: number | undefined;
};

/** Takes the generations in order. Throws CopyError where the moment is before all of them, or a file is missing. */
export function chooseFiles(generations: readonly Generation[], atMs: number): ChosenFiles {
  const restorable = generations.filter(({ bases }) => bases.length > 0);
  const first = restorable[0]?.bases[0];
  if (first === undefined) throw new CopyError('has no base yet: nothing can be restored from it');
  const index = restorable.findLastIndex(({ bases }) => bases.some((base) => base.atMs <= atMs));
  const generation = restorable[index];
  const base = generation?.bases.findLast((each) => each.atMs <= atMs);
  if (generation === undefined || base === undefined)
    throw new CopyError(`begins at ${formatMoment(first.atMs)}: nothing before can be restored from it`);
  requireUnbroken(
    generation,
    base,
    generation.segments.filter(({ last }) => last >= base.first),
  );
  return { generation, base, nextFromMs: restorable[index + 1]?.bases[0]?.atMs };
}

/** Throws CopyError where parts are missing between the base and the last segment. */
export function requireUnbroken({ name }: Generation, base: BaseName, segments: readonly SegmentName[]): void {
  let next = base.first;
  for (const segment of segments) {
    if (segment.first > next) throw new CopyError(explainMissingParts(name, next, segment.first - 1));
    next = segment.last + 1;
  }
  if (next <= base.last) throw new CopyError(explainMissingParts(name, next, base.last));
}

export const explainMissingParts = (generation: string, first: number, last: number): string =>
  `lacks ${first === last ? `part ${first}` : `the parts from ${first} to ${last}`} of the generation ${generation}: the file was removed`;

export const formatMoment = (ms: number): string => new Date(ms).toISOString();

/** What can be removed so that every moment from `keptFromMs` on, that could be restored, still can be. */
export function listExpired(
  generations: readonly Generation[],
  keptFromMs: number,
): { readonly generations: readonly string[]; readonly files: readonly string[] } {
  const index = generations.findLastIndex(({ bases }) => bases.some((base) => base.atMs <= keptFromMs));
  const generation = generations[index];
  const kept = generation?.bases.findLast((base) => base.atMs <= keptFromMs);
  if (generation === undefined || kept === undefined) return { generations: [], files: [] };
  const bases = generation.bases.filter((base) => base.last < kept.last || base.atMs < kept.atMs);
  const segments = generation.segments.filter(({ last }) => last < kept.first);
  return {
    generations: generations.slice(0, index).map(({ name }) => name),
    files: [...bases, ...segments].map(({ name }) => `${generation.name}/${name}`),
  };
}
