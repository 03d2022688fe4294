// The formats that are a header and raw pixels: BMP, ICO, PPM and TGA.

import type { UncompressedFormat } from './encode-uncompressed.ts';

/** Planes and bits per pixel of BMP and ICO. */
function writeDepth(bytes: Buffer, at: number): void {
  bytes.writeUInt16LE(1, at);
  bytes.writeUInt16LE(32, at + 2);
}

/**
 * 32 bits per pixel with a BITMAPV4HEADER, whose masks make decoders honour the alpha channel.
 * https://learn.microsoft.com/windows/win32/api/wingdi/ns-wingdi-bitmapv4header
 */
export const bmpFormat: UncompressedFormat = { pixel: 'bgra', rows: 'upward', header: createBmpHeader };

const bmpFileHeaderBytes = 14;
const bmpInfoHeaderBytes = 108;
const bmpHeaderBytes = bmpFileHeaderBytes + bmpInfoHeaderBytes;
const bitfields = 3;
const srgb = 0x73524742;
/** 72 dots per inch. */
const dotsPerMetre = 2835;

function createBmpHeader(size: number): Buffer {
  const pixelBytes = size * size * 4;
  const bytes = Buffer.alloc(bmpHeaderBytes);
  bytes.write('BM', 'latin1');
  bytes.writeUInt32LE(bmpHeaderBytes + pixelBytes, 2);
  bytes.writeUInt32LE(bmpHeaderBytes, 10);

  const info = bytes.subarray(bmpFileHeaderBytes);
  info.writeUInt32LE(bmpInfoHeaderBytes, 0);
  info.writeInt32LE(size, 4);
  info.writeInt32LE(size, 8);
  writeDepth(info, 12);
  info.writeUInt32LE(bitfields, 16);
  info.writeUInt32LE(pixelBytes, 20);
  info.writeInt32LE(dotsPerMetre, 24);
  info.writeInt32LE(dotsPerMetre, 28);
  // Masks of red, green, blue and alpha.
  for (const [index, mask] of [0x00ff0000, 0x0000ff00, 0x000000ff, 0xff000000].entries())
    info.writeUInt32LE(mask, 40 + 4 * index);
  info.writeUInt32LE(srgb, 56);
  return bytes;
}

/**
 * A directory of one picture with 32 bits per pixel. A PNG inside would be smaller, but older decoders cannot read it, and
 * some others report it as a PNG. https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10)
 */
export const icoFormat: UncompressedFormat = {
  pixel: 'bgra',
  rows: 'upward',
  header: createIcoHeader,
  tailBytes: icoMaskBytes,
};

/** The directory has a byte for each side, in which 0 means 256. */
const maxIcoSize = 256;
const icoDirectoryBytes = 22;
const icoInfoHeaderBytes = 40;
const icon = 1;

/**
 * The colours are followed by a mask of one bit per pixel, in rows of whole words: all zero, since there is an alpha
 * channel.
 */
function icoMaskBytes(size: number): number {
  return Math.ceil(size / 32) * 4 * size;
}

function createIcoHeader(size: number): Buffer {
  if (size > maxIcoSize) throw new RangeError(`an ICO has at most ${maxIcoSize} pixels a side`);
  const bytes = Buffer.alloc(icoDirectoryBytes + icoInfoHeaderBytes);
  bytes.writeUInt16LE(icon, 2);
  bytes.writeUInt16LE(1, 4);
  bytes.writeUInt8(size % maxIcoSize, 6);
  bytes.writeUInt8(size % maxIcoSize, 7);
  writeDepth(bytes, 10);
  bytes.writeUInt32LE(icoInfoHeaderBytes + size * size * 4 + icoMaskBytes(size), 14);
  bytes.writeUInt32LE(icoDirectoryBytes, 18);

  const info = bytes.subarray(icoDirectoryBytes);
  info.writeUInt32LE(icoInfoHeaderBytes, 0);
  info.writeInt32LE(size, 4);
  // The height of colours and mask together.
  info.writeInt32LE(size * 2, 8);
  writeDepth(info, 12);
  return bytes;
}

/** A line of text and the pixels. It has no alpha channel. https://netpbm.sourceforge.net/doc/ppm.html */
export const ppmFormat: UncompressedFormat = {
  pixel: 'rgb',
  rows: 'downward',
  header: (size) => Buffer.from(`P6\n${size} ${size}\n255\n`, 'latin1'),
};

/**
 * Uncompressed true colour of 32 bits per pixel, 8 of them alpha, from the top left. Some decoders show a picture that begins
 * at the bottom upside down. https://www.dca.fee.unicamp.br/~martino/disciplinas/ia978/tgaffs.pdf
 */
export const tgaFormat: UncompressedFormat = { pixel: 'bgra', rows: 'downward', header: createTgaHeader };

const tgaHeaderBytes = 18;
const trueColor = 2;
const alphaBits = 8;
const topLeft = 0x20;

function createTgaHeader(size: number): Buffer {
  const bytes = Buffer.alloc(tgaHeaderBytes);
  bytes.writeUInt8(trueColor, 2);
  bytes.writeUInt16LE(size, 12);
  bytes.writeUInt16LE(size, 14);
  bytes.writeUInt8(32, 16);
  bytes.writeUInt8(topLeft | alphaBits, 17);
  return bytes;
}
