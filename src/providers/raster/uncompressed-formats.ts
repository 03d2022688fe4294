// The formats that are a header and raw pixels: BMP, ICO, PPM and TGA.

import { u16, u32, u8 } from '../../lib/bytes/pack-numbers.ts';
import type { UncompressedFormat } from './encode-uncompressed.ts';

/** Planes and bits per pixel of BMP and ICO. */
const depth = u16(1, 32);

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
  const fileHeader = [Buffer.from('BM', 'latin1'), u32(bmpHeaderBytes + pixelBytes, 0, bmpHeaderBytes)];
  const infoHeader = [
    u32(bmpInfoHeaderBytes, size, size),
    depth,
    u32(bitfields, pixelBytes, dotsPerMetre, dotsPerMetre, 0, 0),
    // Masks of red, green, blue and alpha.
    u32(0x00ff0000, 0x0000ff00, 0x000000ff, 0xff000000),
    u32(srgb),
  ];
  // What is left of the header are zeros.
  return Buffer.concat([...fileHeader, ...infoHeader, Buffer.alloc(bmpHeaderBytes)], bmpHeaderBytes);
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
  const side = size % maxIcoSize;
  return Buffer.concat([
    u16(0, icon, 1),
    u8(side, side, 0, 0),
    depth,
    u32(icoInfoHeaderBytes + size * size * 4 + icoMaskBytes(size), icoDirectoryBytes),
    // The height is that of colours and mask together.
    u32(icoInfoHeaderBytes, size, size * 2),
    depth,
    Buffer.alloc(24),
  ]);
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
export const tgaFormat: UncompressedFormat = {
  pixel: 'bgra',
  rows: 'downward',
  header: (size) => createTgaHeader(size),
};

const trueColor = 2;
const alphaBits = 8;
const topLeft = 0x20;

const createTgaHeader = (size: number): Buffer =>
  Buffer.concat([u8(0, 0, trueColor), Buffer.alloc(9), u16(size, size), u8(32, topLeft | alphaBits)]);
