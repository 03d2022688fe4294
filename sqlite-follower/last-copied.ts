// Finds where a copy ends, so that it can go on there.

import { noLog, type WalPosition } from './read-committed.ts';
import { parseWalHeader } from './wal-format.ts';
import { listGenerations, readSegment } from './read-copy.ts';
import type { PartHead } from './copy-lines.ts';
import type { CopyTarget } from './write-copy.ts';

type LastCopied = {
  readonly generation: string;
  readonly baseAtMs: number | undefined;
  /** Undefined where the generation has none. */
  readonly part: PartHead | undefined;
  readonly position: WalPosition;
};

/** Undefined where there is no generation. Throws CopyError where the last segment cannot be read. */
export async function readLastCopied(target: CopyTarget): Promise<LastCopied | undefined> {
  const last = (await listGenerations(target.folder)).at(-1);
  if (last === undefined) return undefined;
  const baseAtMs = last.bases.at(-1)?.atMs;
  let part: PartHead | undefined;
  const segment = last.segments.at(-1);
  if (segment !== undefined) for await (const { head } of readSegment(target, last.name, segment)) part = head;
  if (part === undefined) return { generation: last.name, baseAtMs, part, position: noLog };
  const position = { header: parseWalHeader(Buffer.from(part.header, 'base64')), place: part.to };
  return { generation: last.name, baseAtMs, part, position };
}
