// The caches of rendered images: one for logos, gradients and circles, one for icons. A file each, opened by the first
// image that is asked for.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { computeRenderVersion } from './render-version.ts';
import { openVariantCache, type VariantCache } from '../../providers/cache/variant-cache.ts';

const mebibyte = 1_048_576;
const dayMs = 86_400_000;

export type ImageCaches = {
  /** Names the drawings as they are in this version of the service. */
  readonly renderVersion: () => string;
  readonly svgImages: () => VariantCache;
  readonly icons: () => VariantCache;
  close(): Promise<void>;
};

type ImageCacheLimits = Omit<Parameters<typeof openVariantCache>[0], 'file' | 'log' | 'clock'>;

const svgImageCacheLimits: ImageCacheLimits = {
  maxVariants: 512,
  maxBytes: 32 * mebibyte,
  maxAgeMs: dayMs,
  memoryBytes: 4 * mebibyte,
};

const iconCacheLimits: ImageCacheLimits = {
  maxVariants: 20_000,
  maxBytes: 256 * mebibyte,
  maxVariantBytes: 8 * mebibyte,
  maxIdleMs: 100 * dayMs,
  memoryBytes: 16 * mebibyte,
};

type ImageCachesOptions = {
  readonly directory: string;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

export function createImageCaches({ directory, log, clock }: ImageCachesOptions): ImageCaches {
  const open = (name: string, bounds: ImageCacheLimits): VariantCache => {
    try {
      mkdirSync(directory, { recursive: true });
    } catch {
      // The cache tells of it when it finds no place for its file, and goes on in memory.
    }
    return openVariantCache({ file: join(directory, `${name}.sqlite`), log, clock, ...bounds });
  };
  const svgImages = lazy(() => open('pictures', svgImageCacheLimits));
  const icons = lazy(() => open('icons', iconCacheLimits));
  return {
    renderVersion: lazy(computeRenderVersion).value,
    svgImages: svgImages.value,
    icons: icons.value,
    close: async () => {
      await Promise.all([svgImages.created()?.close(), icons.created()?.close()]);
    },
  };
}

/** A thing that is made when it is first asked for. */
function lazy<T>(make: () => T): { value(): T; created(): T | undefined } {
  let made: T | undefined;
  return { value: () => (made ??= make()), created: () => made };
}
