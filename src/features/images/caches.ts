// The caches of rendered images: one for logos, gradients and circles, one for icons. A file each, opened by the first
// image that is asked for.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { editionOf } from './edition.ts';
import { openVariantCache, type VariantCache } from '../../providers/cache/variant-cache.ts';

const mebibyte = 1_048_576;
const dayMs = 86_400_000;

export type ImageCaches = {
  /** Names the drawings as they are in this version of the service. */
  readonly edition: () => string;
  readonly pictures: () => VariantCache;
  readonly icons: () => VariantCache;
  close(): Promise<void>;
};

type Bounds = Omit<Parameters<typeof openVariantCache>[0], 'file' | 'log' | 'clock'>;

const pictureBounds: Bounds = {
  maxVariants: 512,
  maxBytes: 32 * mebibyte,
  maxAgeMs: dayMs,
  memoryBytes: 4 * mebibyte,
};

const iconBounds: Bounds = {
  maxVariants: 20_000,
  maxBytes: 256 * mebibyte,
  maxVariantBytes: 8 * mebibyte,
  maxIdleMs: 100 * dayMs,
  memoryBytes: 16 * mebibyte,
};

type Options = {
  readonly directory: string;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

export function imageCaches({ directory, log, clock }: Options): ImageCaches {
  const open = (name: string, bounds: Bounds): VariantCache => {
    try {
      mkdirSync(directory, { recursive: true });
    } catch {
      // The cache tells of it when it finds no place for its file, and goes on in memory.
    }
    return openVariantCache({ file: join(directory, `${name}.sqlite`), log, clock, ...bounds });
  };
  const pictures = once(() => open('pictures', pictureBounds));
  const icons = once(() => open('icons', iconBounds));
  return {
    edition: once(editionOf).value,
    pictures: pictures.value,
    icons: icons.value,
    close: async () => {
      await Promise.all([pictures.made()?.close(), icons.made()?.close()]);
    },
  };
}

/** A thing that is made when it is first asked for. */
function once<T>(make: () => T): { value(): T; made(): T | undefined } {
  let made: T | undefined;
  return { value: () => (made ??= make()), made: () => made };
}
