// The formats an icon comes in, by the ending of its path.

import { mediaTypeOf, type RasterFormat } from '../../../providers/raster/raster.ts';

/** One name a format: `jpg` and `tif` are other endings of the same files. */
const iconRasterFormats = [
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

export type IconRasterFormat = (typeof iconRasterFormats)[number];
export type IconFormat = IconRasterFormat | 'svg';

export const iconMediaTypes: readonly string[] = ['image/svg+xml', ...iconRasterFormats.map(mediaTypeOf)];

const formatByExtension: ReadonlyMap<string, IconFormat> = new Map([
  ...iconRasterFormats.map((format) => [format, format] as const),
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
]);

/** An ending in any case; one that is unknown is an SVG. */
export const parseIconFormat = (extension: string): IconFormat =>
  formatByExtension.get(extension.toLowerCase()) ?? 'svg';

const minSizePixels = 16;
const maxSizePixels = 4096;
/** The directory of an ICO file has a byte for each side of a picture, 0 standing for 256. */
const maxIcoSizePixels = 256;

/** The nearest size that a format has. */
export function clampIconSize(size: number, format: IconFormat): number {
  return Math.min(Math.max(size, minSizePixels), format === 'ico' ? maxIcoSizePixels : maxSizePixels);
}
