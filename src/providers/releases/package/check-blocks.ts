// Compares the files of a package with its block map: each file must be listed with its size, and each block with its
// hash.

import { createHash } from 'node:crypto';
import { blockBytes, blockMapFile, type MappedFile } from './block-map.ts';
import type { ByteSource } from './byte-source.ts';
import { streamContent } from './entry-content.ts';
import { PackageFault } from './package-fault.ts';
import type { PackageEntry } from './zip-directory.ts';

/** Throws PackageFault. `entries` are the files that the block map must list. */
export async function checkBlocks(
  source: ByteSource,
  entries: readonly PackageEntry[],
  files: readonly MappedFile[],
): Promise<void> {
  const filesByName = new Map(files.map((file) => [file.name, file]));
  if (filesByName.size !== files.length) throw new PackageFault(`${blockMapFile} lists a file twice`);
  const names = new Set(entries.map(mappedNameOf));
  const missing = files.find(({ name }) => !names.has(name));
  if (missing !== undefined)
    throw new PackageFault(`${blockMapFile} lists ${missing.name}, which is not in the archive, or must not be listed`);
  for (const entry of entries) {
    const file = filesByName.get(mappedNameOf(entry));
    if (file === undefined) throw new PackageFault(`${entry.name} is in the archive, but not in ${blockMapFile}`);
    checkSizes(entry, file);
    await checkHashes(source, entry, file);
  }
}

const mappedNameOf = ({ decodedName }: PackageEntry): string => decodedName.replaceAll('/', '\\');

function checkSizes({ name, method, size, headerSize, compressedSize }: PackageEntry, file: MappedFile): void {
  if (file.size !== size) throw new PackageFault(`${name} has ${size} bytes, and ${blockMapFile} says ${file.size}`);
  if (file.headerSize !== headerSize)
    throw new PackageFault(
      `the header of ${name} has ${headerSize} bytes, and ${blockMapFile} says ${file.headerSize}`,
    );
  if (file.blocks.length !== Math.ceil(size / blockBytes))
    throw new PackageFault(`${name} does not have the ${file.blocks.length} blocks that ${blockMapFile} lists`);
  const compressedSizes = file.blocks.map((block) => block.compressedSize);
  if (compressedSizes.some((each) => (each === undefined) !== (method === 'stored')))
    throw new PackageFault(`${blockMapFile} is wrong about whether the blocks of ${name} are compressed`);
  const blocksSize = compressedSizes.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  if (blocksSize > compressedSize)
    throw new PackageFault(`${blockMapFile} has larger compressed blocks of ${name} than the archive`);
}

async function checkHashes(source: ByteSource, entry: PackageEntry, { blocks }: MappedFile): Promise<void> {
  let blockIndex = 0;
  let blockHash = createHash('sha256');
  let bytesInBlock = 0;
  const endBlock = (): void => {
    if (blockHash.digest('base64') !== blocks[blockIndex]?.hash)
      throw new PackageFault(`block ${blockIndex + 1} of ${entry.name} does not have the hash of ${blockMapFile}`);
    blockIndex += 1;
    blockHash = createHash('sha256');
    bytesInBlock = 0;
  };
  for await (const piece of streamContent(source, entry)) {
    for (let index = 0; index < piece.length;) {
      const part = piece.subarray(index, index + blockBytes - bytesInBlock);
      blockHash.update(part);
      bytesInBlock += part.length;
      index += part.length;
      if (bytesInBlock === blockBytes) endBlock();
    }
  }
  if (bytesInBlock > 0) endBlock();
}
