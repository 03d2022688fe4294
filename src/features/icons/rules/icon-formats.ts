// Defines the formats of icon images, and finds a format by its file extension.

import { mediaTypeOf, type RasterFormat } from '../../../providers/raster/raster.ts';

/** One name per format: `jpg` and `tif` are other extensions of the same formats. */
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

/** The extensions that stand for a format. */
export const iconExtensions: readonly string[] = ['svg', ...formatByExtension.keys()];

/** Not case-sensitive; an unknown extension gives an SVG. */
export const parseIconFormat = (extension: string): IconFormat =>
  formatByExtension.get(extension.toLowerCase()) ?? 'svg';

const minSizePixels = 16;
const maxSizePixels = 4096;
/** The directory of an ICO file stores each side of an image in one byte, with 0 for 256. */
const maxIcoSizePixels = 256;

/** The nearest size that the format allows. */
export const clampIconSize = (size: number, format: IconFormat): number =>
  Math.min(Math.max(size, minSizePixels), format === 'ico' ? maxIcoSizePixels : maxSizePixels);
