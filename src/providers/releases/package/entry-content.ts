// Reads the contents of a file in the archive, in pieces, and checks its size and checksum.

import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { ByteSource } from './byte-source.ts';
import { PackageFault } from './package-fault.ts';
import type { PackageEntry } from './zip-directory.ts';

/** Throws PackageFault if the file is damaged, at the latest after its last piece. */
export async function* streamContent(source: ByteSource, entry: PackageEntry): AsyncGenerator<Buffer> {
  let size = 0;
  let checksum = 0;
  for await (const piece of entry.method === 'stored' ? streamData(source, entry) : inflate(source, entry)) {
    size += piece.length;
    // Checked before more is decompressed: a small file can contain a very large one.
    if (size > entry.size) throw new PackageFault(`${entry.name} holds more bytes than the archive says`);
    checksum = crc32(piece, checksum);
    yield piece;
  }
  if (size !== entry.size) throw new PackageFault(`${entry.name} holds fewer bytes than the archive says`);
  if (checksum !== entry.crc32)
    throw new PackageFault(`${entry.name} does not have the checksum that the archive says`);
}

const streamData = (
  source: ByteSource,
  { headerOffset, headerSize, compressedSize }: PackageEntry,
): AsyncGenerator<Buffer> => source.stream(headerOffset + headerSize, compressedSize);

async function* inflate(source: ByteSource, entry: PackageEntry): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw({ chunkSize: 65_536 });
  const data = Readable.from(streamData(source, entry), { objectMode: false });
  data.on('error', (error) => inflater.destroy(error)).pipe(inflater);
  try {
    for await (const piece of inflater) yield piece as Buffer;
  } catch (error) {
    if (error instanceof PackageFault || !isZlibError(error)) throw error;
    throw new PackageFault(`${entry.name} cannot be unpacked: its compressed data are damaged`);
  } finally {
    data.destroy();
    inflater.destroy();
  }
  if (inflater.bytesWritten !== entry.compressedSize)
    throw new PackageFault(`${entry.name} has bytes after the end of its compressed data`);
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

/** Reads a small file as a whole. */
export async function readContent(source: ByteSource, entry: PackageEntry, maxBytes: number): Promise<Buffer> {
  if (entry.size > maxBytes) throw new PackageFault(`${entry.name} has more than ${maxBytes} bytes`);
  return Buffer.concat(await Array.fromAsync(streamContent(source, entry)));
}
