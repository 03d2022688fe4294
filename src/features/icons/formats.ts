// The formats an icon comes in, by the ending of its path.

import { mediaTypeOf, type RasterFormat } from '../../providers/raster/raster.ts';

/** One name a format: `jpg` and `tif` are other endings of the same files. */
const rasters = [
  'png',
  'jpeg',
  'gif',
  'bmp',
  'tiff',
  'webp',
  'ppm',
  'tga',
  'ico',
] as const satisfies readonly RasterFormat[];

export type IconRaster = (typeof rasters)[number];
export type IconFormat = IconRaster | 'svg';

export const iconMediaTypes: readonly string[] = ['image/svg+xml', ...rasters.map(mediaTypeOf)];

const endings: ReadonlyMap<string, IconFormat> = new Map([
  ...rasters.map((format) => [format, format] as const),
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
]);

/** An ending in any case; one that is unknown is an SVG. */
export const formatOf = (ending: string): IconFormat => endings.get(ending.toLowerCase()) ?? 'svg';

const smallest = 16;
const largest = 4096;
/** The directory of an ICO file has a byte for each side of a picture, 0 standing for 256. */
const largestIco = 256;

/** The nearest size that a format has. */
export function clampedSize(size: number, format: IconFormat): number {
  return Math.min(Math.max(size, smallest), format === 'ico' ? largestIco : largest);
}
