// Encodes formats that are a header and raw pixels. It encodes one strip of rows at a time, so that it never blocks the
// event loop for longer, and keeps only the deflated bytes of a large picture.

import { DeflatedBytes, deflatePieces } from '../../lib/bytes/deflated-bytes.ts';
import type { Strip, StripOrder } from './render-strips.ts';

export type UncompressedFormat = {
  readonly pixel: 'rgb' | 'bgra';
  readonly rows: StripOrder;
  readonly header: (size: number) => Buffer;
  /** Zeros after the pixels. */
  readonly tailBytes?: (size: number) => number;
};

/** A larger file is stored deflated. */
const maxPlainBytes = 256 * 1024;

/** `strips` must be in the order of the format's rows. */
export async function encodeUncompressed(
  format: UncompressedFormat,
  strips: AsyncIterable<Strip>,
  size: number,
): Promise<Buffer | DeflatedBytes> {
  const pieces = listPieces(format, strips, size);
  if (size * size * format.pixel.length > maxPlainBytes) return deflatePieces(pieces);
  const kept: Buffer[] = [];
  // A piece is valid until the next one is requested.
  for await (const piece of pieces) kept.push(Buffer.from(piece));
  return Buffer.concat(kept);
}

async function* listPieces(
  { pixel, rows, header, tailBytes }: UncompressedFormat,
  strips: AsyncIterable<Strip>,
  size: number,
): AsyncGenerator<Buffer> {
  yield header(size);
  for await (const { pixels } of strips) {
    if (pixel === 'bgra') swapRedAndBlue(pixels);
    if (rows === 'upward') turnRowsUpward(pixels, size * pixel.length);
    yield pixels;
  }
  if (tailBytes !== undefined) yield Buffer.alloc(tailBytes(size));
}

function turnRowsUpward(pixels: Buffer, rowBytes: number): void {
  const row = Buffer.allocUnsafe(rowBytes);
  for (let top = 0, bottom = pixels.length - rowBytes; top < bottom; top += rowBytes, bottom -= rowBytes) {
    pixels.copy(row, 0, top, top + rowBytes);
    pixels.copyWithin(top, bottom, bottom + rowBytes);
    pixels.set(row, bottom);
  }
}

function swapRedAndBlue(pixels: Buffer): void {
  for (let index = 0; index < pixels.length; index += 4) {
    const red = pixels[index] as number;
    pixels[index] = pixels[index + 2] as number;
    pixels[index + 2] = red;
  }
}
