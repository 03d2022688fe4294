// Pictures as pixels, and how far two of them lie apart.

import sharp from 'sharp';

/** RGBA, a byte a channel, row by row. */
export type Pixels = { readonly data: Buffer; readonly width: number; readonly height: number };

export async function decodePixels(picture: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Our own raster of an SVG that has a size. */
export const rasterizeSvg = (svg: string): Promise<Pixels> => decodePixels(Buffer.from(svg));

/** One pixel, its colour weighed by its alpha: what a clear pixel would be does not show. */
export function premultipliedPixelAt({ data, width }: Pixels, x: number, y: number): [number, number, number, number] {
  const at = (Math.floor(y) * width + Math.floor(x)) * 4;
  const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
  return [(red * alpha) / 255, (green * alpha) / 255, (blue * alpha) / 255, alpha];
}

/** How far two pictures of one size lie apart, in levels of 255: on average, and the share of pixels beyond `far`. */
export function comparePixels(one: Pixels, other: Pixels, far = 24): { mean: number; farShare: number } {
  const { width, height } = one;
  if (other.width !== width || other.height !== height)
    throw new Error(`${width}x${height} compared with ${other.width}x${other.height}`);
  let sum = 0;
  let beyond = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const there = premultipliedPixelAt(other, x, y);
      const gaps = premultipliedPixelAt(one, x, y).map((level, channel) => Math.abs(level - (there[channel] ?? 0)));
      const worst = Math.max(...gaps);
      sum += worst;
      if (worst > far) beyond += 1;
    }
  }
  return { mean: sum / (width * height), farShare: beyond / (width * height) };
}
