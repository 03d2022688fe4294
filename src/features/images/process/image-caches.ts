// The caches of rendered images: one for logos, gradients and circles, one for icons.

import { join } from 'node:path';
import type { Logger } from 'pino';
import { VariantCache } from '../../../providers/cache/variant-cache.ts';
import { computeRenderVersion } from '../assets/render-version.ts';
import { dayMs } from '../../../lib/time/durations.ts';

const mebibyte = 1_048_576;

const svgImageLimits = {
  maxVariants: 512,
  maxBytes: 32 * mebibyte,
  maxVariantBytes: 4 * mebibyte,
  memoryBytes: 4 * mebibyte,
  ttlMs: dayMs,
  updateAgeOnGet: false,
};

const iconLimits = {
  maxVariants: 20_000,
  maxBytes: 256 * mebibyte,
  maxVariantBytes: 8 * mebibyte,
  memoryBytes: 16 * mebibyte,
  ttlMs: 100 * dayMs,
  updateAgeOnGet: true,
};

type ImageCachesOptions = {
  readonly directory: string;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

export type ImageCaches = ReturnType<typeof createImageCaches>;

export function createImageCaches({ directory, log, clock }: ImageCachesOptions) {
  const svgImages = new VariantCache({ directory: join(directory, 'pictures'), log, clock, ...svgImageLimits });
  const icons = new VariantCache({ directory: join(directory, 'icons'), log, clock, ...iconLimits });
  let version: string | undefined;
  return {
    svgImages,
    icons,
    renderVersion: (): string => (version ??= computeRenderVersion()),
    close: async (): Promise<void> => {
      await Promise.all([svgImages.close(), icons.close()]);
    },
  };
}
