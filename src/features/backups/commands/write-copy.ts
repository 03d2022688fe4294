// Writes the files of a copy, each whole or not at all.

import { join } from 'node:path';
import { formatBaseName, formatSegmentName } from '../rules/copy-names.ts';
import { formatCopyLine, type BaseHead, type PartHead } from '../rules/copy-lines.ts';
import { copyFormat } from '../rules/prelude.ts';
import { writeBackupFile } from './backup-files.ts';
import { writeContainer } from './write-container.ts';

export type CopyTarget = {
  /** The folder of the tenant. */
  readonly folder: string;
  readonly tenant: string;
  readonly keyFile: Uint8Array | undefined;
};

export async function writeBase(
  { folder, tenant, keyFile }: CopyTarget,
  head: Omit<BaseHead, 'tenant'>,
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  const content = async function* (): AsyncGenerator<Buffer, void> {
    yield Buffer.from(formatCopyLine({ tenant, ...head }));
    yield* pieces;
  };
  await writeFile(join(folder, head.generation, formatBaseName(head)), content(), keyFile);
}

type Part = { readonly head: Omit<PartHead, 'tenant' | 'generation'>; readonly frames: Buffer };

export async function writeSegment(
  { folder, tenant, keyFile }: CopyTarget,
  generation: string,
  parts: readonly [Part, ...Part[]],
): Promise<void> {
  const [first, last] = [parts[0].head, (parts.at(-1) ?? parts[0]).head];
  const content = async function* (): AsyncGenerator<Buffer, void> {
    for (const { head, frames } of parts) {
      yield Buffer.from(formatCopyLine({ ...head, tenant, generation }));
      yield frames;
    }
  };
  const name = formatSegmentName({ first: first.part, last: last.part, atMs: last.readMs });
  await writeFile(join(folder, generation, name), content(), keyFile);
}

/** A file of this name is one that was written, and of which it is not known whether it outlives a loss of power. */
const writeFile = (path: string, content: AsyncIterable<Buffer>, keyFile: Uint8Array | undefined): Promise<void> =>
  writeBackupFile(path, (sink) => writeContainer(copyFormat, content, keyFile, sink), { replaces: true });
