// The names of the files of a copy: `backup follow` writes a folder for each tenant, in it one for each generation, and in
// that bases, which are the whole database, and segments, which are what was committed. Later, several segments become one
// joined file.

/** `20260601T030000123Z` */
const timePattern = String.raw`\d{8}T\d{9}Z`;
const generationPattern = new RegExp(`^${timePattern}$`);
const basePattern = new RegExp(String.raw`^base-(\d{10})-(\d{10})-(${timePattern})\.copy$`);
const segmentPattern = new RegExp(String.raw`^segment-(\d{10})-(\d{10})-(${timePattern})\.copy$`);
const joinedPattern = new RegExp(String.raw`^joined-(\d{10})-(\d{10})-(${timePattern})\.copy$`);

export type BaseName = {
  readonly name: string;
  /** The number of the first part that goes on it. */
  readonly first: number;
  /** The number of the last part without which it is not the database of any moment. */
  readonly last: number;
  readonly atMs: number;
};

export type SegmentName = {
  readonly name: string;
  /** Whether it is a joined file: the segments, as they were written, one after the other. */
  readonly isJoined: boolean;
  /** The numbers of its parts. */
  readonly first: number;
  readonly last: number;
  /** When the last of them had been read. */
  readonly atMs: number;
};

/** What is committed without a gap, and can be restored from its first base on. */
export type Generation = {
  readonly name: string;
  readonly bases: readonly BaseName[];
  readonly segments: readonly SegmentName[];
  /** Segments that are in a joined file, and that were not removed yet. */
  readonly superseded: readonly SegmentName[];
};

export const formatCopyTime = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:.]/g, '');

function parseCopyTime(text: string): number {
  const [, date = '', time = ''] = /^(\d{8})T(\d{9})Z$/.exec(text) ?? [];
  const cut = (from: string, ...places: number[]): string[] =>
    places.map((place, index) => from.slice(place, places[index + 1]));
  const [hours, minutes, seconds, ms] = cut(time, 0, 2, 4, 6);
  return Date.parse(`${cut(date, 0, 4, 6).join('-')}T${hours}:${minutes}:${seconds}.${ms}Z`);
}

export const isGenerationName = (name: string): boolean => generationPattern.test(name);

const formatNumber = (number: number): string => String(number).padStart(10, '0');

export const formatBaseName = ({ first, last, atMs }: Omit<BaseName, 'name'>): string =>
  `base-${formatNumber(first)}-${formatNumber(last)}-${formatCopyTime(atMs)}.copy`;

export const formatSegmentName = (segment: PartsOf): string => formatPartsName('segment', segment);

export const formatJoinedName = (segment: PartsOf): string => formatPartsName('joined', segment);

type PartsOf = Pick<SegmentName, 'first' | 'last' | 'atMs'>;

const formatPartsName = (kind: string, { first, last, atMs }: PartsOf): string =>
  `${kind}-${formatNumber(first)}-${formatNumber(last)}-${formatCopyTime(atMs)}.copy`;

/** Undefined where the name is not one of a segment. */
export const parseSegmentName = (name: string): SegmentName | undefined =>
  parseNames([name], segmentPattern).map((segment) => ({ ...segment, isJoined: false }))[0];

/** Names of another form are left out. */
export function readGeneration(name: string, files: readonly string[]): Generation {
  const bases = parseNames(files, basePattern).toSorted((a, b) => a.last - b.last || a.atMs - b.atMs);
  const all = [
    ...parseNames(files, segmentPattern).map((segment) => ({ ...segment, isJoined: false })),
    ...parseNames(files, joinedPattern).map((segment) => ({ ...segment, isJoined: true })),
  ].toSorted((a, b) => a.first - b.first || b.last - a.last);
  const [segments, superseded]: [SegmentName[], SegmentName[]] = [[], []];
  for (const segment of all) (segment.last > (segments.at(-1)?.last ?? -1) ? segments : superseded).push(segment);
  return { name, bases, segments, superseded };
}

const parseNames = (files: readonly string[], pattern: RegExp): BaseName[] =>
  files.flatMap((name) => {
    const [, first, last, time = ''] = pattern.exec(name) ?? [];
    return first === undefined ? [] : [{ name, first: Number(first), last: Number(last), atMs: parseCopyTime(time) }];
  });
