// Caches the graphs of finished documents on disk. A key has everything in it that a graph depends on, so that none shows
// an old name, or lacks samples that came late.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { DeflatedBytes } from '../../lib/deflated-bytes.ts';
import { VariantCache } from '../../providers/cache/variant-cache.ts';
import { computeRenderVersion } from '../images/render-version.ts';
import type { VersionedHead } from './read-document.ts';

const mebibyte = 1_048_576;

const limits = {
  maxVariants: 256,
  maxBytes: 128 * mebibyte,
  maxVariantBytes: 16 * mebibyte,
  memoryBytes: 16 * mebibyte,
  ttlMs: 86_400_000,
  updateAgeOnGet: false,
};

const drawingSources = [
  'src/features/documents/**/*.ts',
  'src/features/units/{catalogue,rules}/*.ts',
  'src/lib/*.ts',
  'locales/en.json',
  'package.json',
];

export type SvgCacheKey = string & { readonly svgCacheKey: true };

export type SvgCache = {
  /** The manager's rights are checked before. */
  find(key: SvgCacheKey): Promise<Uint8Array | undefined>;
  keyOf(tenant: string, document: VersionedHead, width: number): SvgCacheKey;
  put(key: SvgCacheKey, svg: Uint8Array): void;
  close(): Promise<void>;
};

export type SvgCacheOptions = {
  readonly directory: string;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

export function createSvgCache({ directory, log, clock }: SvgCacheOptions): SvgCache {
  const cache = new VariantCache({ directory: join(directory, 'documents'), log, clock, ...limits });
  let version: string | undefined;
  return {
    find: async (key) => {
      const { body } = cache.get(key) ?? (await cache.read(key)) ?? {};
      if (body === undefined || body instanceof DeflatedBytes) return undefined;
      return typeof body === 'string' ? Buffer.from(body) : body;
    },
    keyOf: (tenant, { head, samplesVersion }, width) => {
      version ??= computeRenderVersion(drawingSources);
      const content = hash('sha256', JSON.stringify([head, samplesVersion]), 'base64url');
      return `${tenant}/${version}/${width}/${content}` as SvgCacheKey;
    },
    put: (key, svg) => {
      cache.put(key, { type: 'image/svg+xml', body: Buffer.from(svg), etag: '""' });
    },
    close: () => cache.close(),
  };
}
