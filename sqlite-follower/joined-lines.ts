// The lines of a joined file: the first one says what it is, and each other one is followed by a segment, byte for byte as
// it was in its own file. So segments are joined without being decrypted.

import { CopyError } from './copy-error.ts';
import { parseSegmentName, type SegmentName } from './copy-names.ts';
import type { SizedSegment } from './join-periods.ts';

const firstLine = 'portal-joined 1';

/** Longer than any line. */
export const maxJoinedLineBytes = 128;

export const joinedBeginning = `${firstLine}\n`;

export const formatJoinedLine = ({ name, bytes }: Pick<SizedSegment, 'name' | 'bytes'>): string => `${bytes} ${name}\n`;

/** Takes the line without its end. */
export function requireJoinedBeginning(line: string | undefined): void {
  if (line !== firstLine) throw new CopyError('is no joined file of a copy');
}

/** Takes the line without its end, and the number of the part that has to come next. */
export function parseJoinedLine(line: string, next: number, joined: SegmentName): SizedSegment {
  const [, bytes = '', name = ''] = /^([1-9]\d{0,14}) (\S+)$/.exec(line) ?? [];
  const segment = parseSegmentName(name);
  if (segment === undefined) throw new CopyError('is damaged: it has no segment where one should begin');
  if (segment.first !== next || segment.last < segment.first || segment.last > joined.last)
    throw new CopyError(`has other parts than its name says: ${name} comes before part ${next}`);
  return { ...segment, bytes: Number(bytes) };
}

/** Throws CopyError where parts are missing at the end. `next` is the number that the next part would have. */
export function requireJoinedEnd(next: number, joined: SegmentName): void {
  if (next <= joined.last) throw new CopyError(`is cut short before part ${next}`);
}
