// Renders an SVG as a raster image off the event loop. sharp uses the threads of libuv, which password hashing and file
// access share, so that few images are rendered at the same time.

import PQueue from 'p-queue';
import { DeflatedBytes } from '../../lib/deflated-bytes.ts';
import { encoders } from './encoders.ts';
import { releaseBuffer, type SharpBackground, type SharpFunction } from './render-strips.ts';

export type RasterFormat = keyof typeof encoders;

export const rasterFormats = [
  'png',
  'jpg',
  'jpeg',
  'gif',
  'bmp',
  'tif',
  'tiff',
  'webp',
  'ppm',
  'tga',
  'ico',
] as const satisfies readonly RasterFormat[];

const mediaTypes: Readonly<Record<RasterFormat, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  webp: 'image/webp',
  ppm: 'image/x-portable-pixmap',
  tga: 'image/x-tga',
  ico: 'image/vnd.microsoft.icon',
};

export const mediaTypeOf = (format: RasterFormat): string => mediaTypes[format];

/** Channels 0..255, alpha 0..1. */
export type Background = {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
};

export type RenderOptions = {
  /** Pixels a side, as the SVG has it; an ICO has at most 256. */
  readonly size: number;
  /** What the SVG has painted behind its picture. */
  readonly background?: Background | undefined;
};

export type Rasteriser = {
  /**
   * Renders an SVG that begins with its root element, whose width and height are `size`. Transparent where the format
   * can be, else on white. A large file of raw pixels is
   * deflated. Throws what the renderer throws.
   */
  render(svg: string, format: RasterFormat, options: RenderOptions): Promise<Buffer | DeflatedBytes>;
};

/** Pixels a side. Larger images take long to render, and are rendered one at a time. */
export const maxLightSize = 512;

const white: SharpBackground = { r: 255, g: 255, b: 255 };

export function createRasteriser({ atOnce: concurrency = 2 }: { atOnce?: number } = {}): Rasteriser {
  const renderQueue = new PQueue({ concurrency });
  // One of 4096 pixels a side takes some 150 MB while it is worked on. Small images always have a place beside it.
  const largeImageQueue = new PQueue({ concurrency: 1 });
  let sharpLoading: Promise<SharpFunction> | undefined;
  return {
    render: (svg, format, { size, background }) => {
      const job = { svg, size, background: toSharpBackground(background) };
      const work = async (): Promise<Buffer | DeflatedBytes> =>
        copyToOwnMemory(await encoders[format](await (sharpLoading ??= loadSharp()), job));
      return size > maxLightSize ? largeImageQueue.add(() => renderQueue.add(work)) : renderQueue.add(work);
    },
  };
}

const smallBytes = 256 * 1024;

/**
 * The renderer's threads have memory of their own, out of which a small image that is kept for long would hold on to a
 * piece many times its size.
 */
function copyToOwnMemory(image: Buffer | DeflatedBytes): Buffer | DeflatedBytes {
  if (image instanceof DeflatedBytes || image.length > smallBytes) return image;
  const own = Buffer.allocUnsafeSlow(image.length);
  image.copy(own);
  releaseBuffer(image);
  return own;
}

/** It takes a while to load, and not every process draws. */
async function loadSharp(): Promise<SharpFunction> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

/** What shows in formats without alpha: a background that is not opaque is itself on white. */
function toSharpBackground(background: Background | undefined): SharpBackground {
  if (background === undefined || background.alpha < 1) return white;
  return { r: background.red, g: background.green, b: background.blue };
}
