// Writes the files of a copy, each whole or not at all.

import { join } from 'node:path';
import { formatBaseName, formatSegmentName } from './copy-names.ts';
import { formatCopyLine, type BaseHead, type PartHead } from './copy-lines.ts';
import { writeWholeFile, type Sink } from './whole-file.ts';

/**
 * How the content of a file is kept: it has to find out a file that is damaged or cut short, and may compress and encrypt.
 * `read` throws CopyError with what is wrong.
 */
export type Container = {
  write(content: AsyncIterable<Uint8Array>, sink: Sink): Promise<void>;
  read(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
};

export type CopyTarget = {
  /** The folder of the copy. */
  readonly folder: string;
  /** The name of the database, which each file of the copy repeats. */
  readonly tenant: string;
  readonly container: Container;
};

export async function writeBase(
  { folder, tenant, container }: CopyTarget,
  head: Omit<BaseHead, 'tenant'>,
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  const content = async function* (): AsyncGenerator<Buffer, void> {
    yield Buffer.from(formatCopyLine({ tenant, ...head }));
    yield* pieces;
  };
  await writeFile(join(folder, head.generation, formatBaseName(head)), content(), container);
}

export type Part = { readonly head: Omit<PartHead, 'tenant' | 'generation'>; readonly frames: Buffer };

export async function writeSegment(
  { folder, tenant, container }: CopyTarget,
  generation: string,
  { head, frames }: Part,
): Promise<void> {
  const content = async function* (): AsyncGenerator<Buffer, void> {
    yield Buffer.from(formatCopyLine({ ...head, tenant, generation }));
    yield frames;
  };
  const name = formatSegmentName({ first: head.part, last: head.part, atMs: head.readMs });
  await writeFile(join(folder, generation, name), content(), container);
}

/** A file of this name is one that was written, and of which it is not known whether it outlives a loss of power. */
const writeFile = (path: string, content: AsyncIterable<Buffer>, container: Container): Promise<void> =>
  writeWholeFile(path, (sink) => container.write(content, sink), { replaces: true });
