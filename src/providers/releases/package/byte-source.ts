// Reads an open file at given positions. Only the requested bytes are read into memory.

import type { FileHandle } from 'node:fs/promises';
import { PackageFault } from './package-fault.ts';

export type ByteSource = {
  readonly size: number;
  /** Throws PackageFault if the file has fewer bytes. */
  read(offset: number, length: number): Promise<Buffer>;
  /** The bytes of a range in pieces. */
  stream(offset: number, length: number): AsyncGenerator<Buffer>;
};

const pieceBytes = 262_144;

export function createByteSource(file: FileHandle, size: number): ByteSource {
  const read = async (offset: number, length: number): Promise<Buffer> => {
    if (offset < 0 || length < 0 || offset + length > size)
      throw new PackageFault(`bytes ${offset} to ${offset + length} are outside the file`);
    const buffer = Buffer.alloc(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await file.read(buffer, done, length - done, offset + done);
      if (bytesRead === 0) throw new PackageFault('the file became shorter while it was read');
      done += bytesRead;
    }
    return buffer;
  };
  return {
    size,
    read,
    stream: async function* (offset, length) {
      for (let index = 0; index < length; index += pieceBytes)
        yield read(offset + index, Math.min(pieceBytes, length - index));
    },
  };
}
