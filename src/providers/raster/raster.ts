// Renders an SVG as a raster image off the event loop. sharp uses the threads of libuv, which password hashing and file
// access share, so that only few images are rendered at the same time.

import { DeflatedBytes } from '../../lib/bytes/deflated-bytes.ts';
import type { Color } from '../../lib/color.ts';
import { FairQueue } from '../../lib/queues/fair-queue.ts';
import { encoders } from './encoders.ts';
import { releaseBuffer, type SharpBackground, type SharpFunction } from './render-strips.ts';

export type RasterFormat = keyof typeof encoders;

export const rasterFormats = Object.keys(encoders) as readonly RasterFormat[];

export const mediaTypeOf = (format: RasterFormat): string => encoders[format].mediaType;

type RasteriseOptions = {
  /** Pixels per side, as in the SVG; an ICO has at most 256. */
  readonly size: number;
  /** The background that the SVG has painted. */
  readonly background?: Color | undefined;
};

export type Rasteriser = {
  /**
   * Renders an SVG that begins with its root element, whose width and height are `size`. The image is transparent if
   * the format can be, otherwise on white. A large file of raw pixels is deflated. Throws the renderer's errors.
   */
  render(svg: string, format: RasterFormat, options: RasteriseOptions): Promise<Buffer | DeflatedBytes>;
};

/** Pixels per side. Larger images take long to render, and are rendered one at a time. */
export const maxLightSize = 512;

const white: SharpBackground = { r: 255, g: 255, b: 255 };

export function createRasteriser({ atOnce: maxConcurrent = 2 }: { atOnce?: number } = {}): Rasteriser {
  const renderQueue = new FairQueue({ maxConcurrent });
  // An image of 4096 pixels per side takes some 150 MB while it is rendered. Small images never wait for all large
  // ones.
  const largeImageQueue = new FairQueue({ maxConcurrent: 1 });
  let sharpLoading: Promise<SharpFunction> | undefined;
  return {
    render: (svg, format, { size, background }) => {
      const job = { svg, size, background: toSharpBackground(background) };
      const work = async (): Promise<Buffer | DeflatedBytes> =>
        copyToOwnMemory(await encoders[format].encode(await (sharpLoading ??= loadSharp()), job));
      return size > maxLightSize ? largeImageQueue.run(() => renderQueue.run(work)) : renderQueue.run(work);
    },
  };
}

const smallBytes = 256 * 1024;

/**
 * The renderer's threads have their own memory, of which a small image that is cached for long would retain a piece
 * many times its size.
 */
function copyToOwnMemory(image: Buffer | DeflatedBytes): Buffer | DeflatedBytes {
  if (image instanceof DeflatedBytes || image.length > smallBytes) return image;
  const own = Buffer.allocUnsafeSlow(image.length);
  image.copy(own);
  releaseBuffer(image);
  return own;
}

/** Loading takes a while, and not every process renders images. */
async function loadSharp(): Promise<SharpFunction> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

/** The background for formats without alpha: white, if the given one is not opaque. */
function toSharpBackground(background: Color | undefined): SharpBackground {
  if (background === undefined || background.alpha < 1) return white;
  return { r: background.red, g: background.green, b: background.blue };
}
