// Joins the segments of a copy that were written in a passed period to one file, as they are, so that no key is needed. The
// segments are removed only after the joined file is on the disk with all of them: whatever ends the process, and whenever,
// each part is in one of both.

import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listGenerations } from './read-copy.ts';
import { CopyError } from './copy-error.ts';
import { formatJoinedName, type SegmentName } from './copy-names.ts';
import { cutBySize, listPassedPeriods, type JoinLimits, type SizedSegment } from './join-periods.ts';
import {
  formatJoinedLine,
  joinedBeginning,
  maxJoinedLineBytes,
  parseJoinedLine,
  requireJoinedBeginning,
  requireJoinedEnd,
} from './joined-lines.ts';
import { syncFolder, writeWholeFile } from './whole-file.ts';

/** Nothing else may remove files of the copy meanwhile. Throws the signal's reason if it is aborted. */
export async function joinSegments(folder: string, limits: JoinLimits, signal: AbortSignal): Promise<void> {
  const generations = await listGenerations(folder);
  for (const [index, generation] of generations.entries()) {
    const path = join(folder, generation.name);
    for (const joined of generation.segments.filter(({ isJoined }) => isJoined))
      await removeJoinedSegments(path, joined, generation.superseded);
    for (const period of listPassedPeriods(generation, limits, { isEnded: index + 1 < generations.length }))
      for (const group of cutBySize(await measure(path, period), limits)) await joinGroup(path, group, signal);
  }
}

async function measure(path: string, segments: readonly SegmentName[]): Promise<SizedSegment[]> {
  const sized: SizedSegment[] = [];
  for (const segment of segments) sized.push({ ...segment, bytes: (await stat(join(path, segment.name))).size });
  return sized;
}

async function joinGroup(path: string, group: readonly SizedSegment[], signal: AbortSignal): Promise<void> {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return;
  const range = { first: first.first, last: last.last, atMs: last.atMs };
  const joined = { ...range, name: formatJoinedName(range), isJoined: true };
  await writeWholeFile(join(path, joined.name), (sink) => sink(readGroup(path, group, signal)), { replaces: true });
  await removeJoinedSegments(path, joined, group);
}

async function* readGroup(
  path: string,
  group: readonly SizedSegment[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(joinedBeginning);
  for (const segment of group) {
    signal.throwIfAborted();
    yield Buffer.from(formatJoinedLine(segment));
    let length = 0;
    for await (const piece of createReadStream(join(path, segment.name)) as AsyncIterable<Uint8Array>) {
      length += piece.length;
      yield piece;
    }
    if (length !== segment.bytes) throw new CopyError(`was changed while ${segment.name} was joined`);
  }
}

/** Removes those of the segments that are in the joined file, which is on the disk for good before. */
async function removeJoinedSegments(
  path: string,
  joined: SegmentName,
  segments: readonly SegmentName[],
): Promise<void> {
  const members = segments.filter(({ first, last }) => first >= joined.first && last <= joined.last);
  if (members.length === 0) return;
  // It may be there since a moment before the process was killed.
  await syncFolder(path);
  const bytesOf = new Map((await readIndex(path, joined)).map(({ name, bytes }) => [name, bytes]));
  for (const { name } of members) {
    if (bytesOf.get(name) !== (await stat(join(path, name))).size)
      throw new CopyError(`${joined.name} is not what was joined: it lacks ${name}`);
    await rm(join(path, name));
  }
}

/** Which segments are in a joined file, by its lines alone. Throws CopyError where it is not whole. */
async function readIndex(path: string, joined: SegmentName): Promise<SizedSegment[]> {
  const file = await open(join(path, joined.name), 'r');
  try {
    const { size } = await file.stat();
    const readLineAt = async (offset: number): Promise<string> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxJoinedLineBytes), 0, maxJoinedLineBytes, offset);
      const [line = ''] = buffer.toString('latin1', 0, bytesRead).split('\n', 1);
      return line;
    };
    const segments: SizedSegment[] = [];
    requireJoinedBeginning(await readLineAt(0));
    let [offset, next] = [joinedBeginning.length, joined.first];
    while (offset < size) {
      const segment = parseJoinedLine(await readLineAt(offset), next, joined);
      segments.push(segment);
      offset += formatJoinedLine(segment).length + segment.bytes;
      next = segment.last + 1;
    }
    requireJoinedEnd(next, joined);
    if (offset !== size) throw new CopyError(`${joined.name} is cut short`);
    return segments;
  } finally {
    await file.close();
  }
}
