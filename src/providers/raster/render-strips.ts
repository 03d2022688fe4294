// Renders an SVG strip by strip. The renderer works in tiles of up to 16 MB, of which the C library's allocator keeps
// one set per thread; strips stay far below that.

import type { Sharp, SharpOptions } from 'sharp';

export type SharpFunction = (input: Buffer, options?: SharpOptions) => Sharp;

/** An opaque colour behind the picture. */
export type SharpBackground = { readonly r: number; readonly g: number; readonly b: number };

/** From the first row of the picture to the last, or the reverse. */
export type StripOrder = 'downward' | 'upward';

/** Some rows of a picture, downward: four bytes per pixel, or three if there is a ground. */
export type Strip = { readonly top: number; readonly pixels: Buffer };

/** Up to this size, a picture is rendered in one piece. */
export const maxSinglePassSize = 1024;

const stripBytes = 2 * 1024 * 1024;

type StripOptions = {
  readonly size: number;
  readonly ground: SharpBackground | undefined;
  readonly order?: StripOrder;
};

/** A strip is valid until the next one is requested. */
export async function* renderStrips(
  sharp: SharpFunction,
  svg: string,
  { size, ground: background, order = 'downward' }: StripOptions,
): AsyncGenerator<Strip> {
  const pixelBytes = background === undefined ? 4 : 3;
  const rowsPerStrip = size <= maxSinglePassSize ? size : Math.floor(stripBytes / (size * 4));
  const count = Math.ceil(size / rowsPerStrip);
  for (let index = 0; index < count; index += 1) {
    const top = (order === 'downward' ? index : count - 1 - index) * rowsPerStrip;
    const rows = Math.min(rowsPerStrip, size - top);
    const drawing = sharp(Buffer.from(rows === size ? svg : formatStripSvg(svg, { size, top, rows })));
    const pixels = await (background === undefined ? drawing : drawing.flatten({ background })).raw().toBuffer();
    if (pixels.length !== size * rows * pixelBytes) throw new Error('the rendered size differs from the requested one');
    yield { top, pixels };
    releaseBuffer(pixels);
  }
}

function formatStripSvg(svg: string, { size, top, rows }: { size: number; top: number; rows: number }): string {
  const part = `width="${size}" height="${rows}" viewBox="0 ${top} ${size} ${rows}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${part}>${svg}</svg>`;
}

/** Releases memory at once: much of it would accumulate before the garbage collector runs. */
export function releaseBuffer({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
