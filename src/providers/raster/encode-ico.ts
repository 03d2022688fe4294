// ICO: a directory of one picture with 32 bits per pixel. A PNG inside would be smaller, but older decoders cannot read
// it, and some others report it as a PNG. https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10)

import type { UncompressedFormat } from './encode-uncompressed.ts';

/** The directory has a byte for each side, in which 0 means 256. */
const maxSize = 256;

const directoryBytes = 22;
const infoHeaderBytes = 40;
const headerBytes = directoryBytes + infoHeaderBytes;
const icon = 1;

export const icoFormat: UncompressedFormat = {
  pixel: 'bgra',
  rows: 'upward',
  header: createHeader,
  tailBytes: maskBytes,
};

/**
 * The colours are followed by a mask of one bit per pixel, in rows of whole words: all zero, since there is an alpha
 * channel.
 */
function maskBytes(size: number): number {
  return Math.ceil(size / 32) * 4 * size;
}

function createHeader(size: number): Buffer {
  if (size > maxSize) throw new RangeError(`an ICO has at most ${maxSize} pixels a side`);
  const bytes = Buffer.alloc(headerBytes);
  bytes.writeUInt16LE(icon, 2);
  bytes.writeUInt16LE(1, 4);
  bytes.writeUInt8(size % maxSize, 6);
  bytes.writeUInt8(size % maxSize, 7);
  writeDepth(bytes, 10);
  bytes.writeUInt32LE(infoHeaderBytes + size * size * 4 + maskBytes(size), 14);
  bytes.writeUInt32LE(directoryBytes, 18);

  const info = bytes.subarray(directoryBytes);
  info.writeUInt32LE(infoHeaderBytes, 0);
  info.writeInt32LE(size, 4);
  // The height of colours and mask together.
  info.writeInt32LE(size * 2, 8);
  writeDepth(info, 12);
  return bytes;
}

/** Planes and bits per pixel. */
function writeDepth(bytes: Buffer, at: number): void {
  bytes.writeUInt16LE(1, at);
  bytes.writeUInt16LE(32, at + 2);
}
