// Encodes formats that are a header and raw pixels. It puts the rows in order a strip at a time, so that the event loop
// is never kept longer than a strip takes.

import type { Strip } from './render-strips.ts';

export type UncompressedFormat = {
  readonly pixel: 'rgb' | 'bgra';
  readonly rows: 'downward' | 'upward';
  readonly header: (size: number) => Buffer;
  /** Zeros after the pixels. */
  readonly tailBytes?: (size: number) => number;
};

export async function encodeUncompressed(
  { pixel, rows, header: createHeader, tailBytes }: UncompressedFormat,
  strips: AsyncIterable<Strip>,
  size: number,
): Promise<Buffer> {
  const header = createHeader(size);
  const rowBytes = size * pixel.length;
  const tail = header.length + size * rowBytes;
  const file = Buffer.allocUnsafeSlow(tail + (tailBytes?.(size) ?? 0));
  file.set(header);
  file.fill(0, tail);
  const pixelArea = file.subarray(header.length, tail);
  for await (const { top, pixels } of strips) {
    if (pixel === 'bgra') swapRedAndBlue(pixels);
    if (rows === 'downward') pixelArea.set(pixels, top * rowBytes);
    else copyRowsUpward(pixelArea, top, pixels, rowBytes);
  }
  return file;
}

function copyRowsUpward(all: Buffer, top: number, pixels: Buffer, rowBytes: number): void {
  let to = all.length - top * rowBytes;
  for (let from = 0; from < pixels.length; from += rowBytes) {
    to -= rowBytes;
    all.set(pixels.subarray(from, from + rowBytes), to);
  }
}

function swapRedAndBlue(pixels: Buffer): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const red = pixels[at] as number;
    pixels[at] = pixels[at + 2] as number;
    pixels[at + 2] = red;
  }
}
