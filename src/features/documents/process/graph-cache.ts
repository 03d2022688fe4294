// Caches the graphs of finished documents: a few in memory, as they are sent, and more on disk. A key contains
// everything that a graph depends on, so no graph shows an old name or lacks late samples.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { PreparedFile } from '../../../http/representations/results.ts';
import { DeflatedBytes } from '../../../lib/bytes/deflated-bytes.ts';
import { createTenantCache, createTenantCacheKey } from '../../../lib/caches/tenant-cache.ts';
import { VariantCache } from '../../../providers/cache/variant-cache.ts';
import type { Variant } from '../../../providers/cache/variant-file.ts';
import { computeRenderVersion } from '../../images/assets/render-version.ts';
import type { VersionedHead } from '../read-document.ts';
import type { FieldSelection } from '../rules/field-selection.ts';

const mebibyte = 1_048_576;
const ttlMs = 86_400_000;
const memoryBytes = 16 * mebibyte;

const diskLimits = {
  maxVariants: 256,
  maxBytes: 128 * mebibyte,
  maxVariantBytes: 16 * mebibyte,
  memoryBytes: 8 * mebibyte,
  ttlMs,
  updateAgeOnGet: false,
};

const drawingSources = [
  'src/features/documents/**/*.ts',
  'src/features/units/{catalogue,rules}/*.ts',
  'src/lib/**/*.ts',
  'locales/{units,unit-values/*}.json',
  'package.json',
];

/** The requested graph, in the spelling of the request. */
export type GraphRequest = {
  readonly tenant: string;
  readonly kid: string;
  readonly selection: FieldSelection;
  readonly width: number;
};

/** A graph that was read from the folder. */
type StoredGraph = { readonly body: Uint8Array; readonly renderedAtMs: number };

type CachedFile = {
  /** The version of the document's state that the file shows. */
  readonly version: string;
  readonly file: PreparedFile;
  /** Epoch milliseconds. */
  readonly renderedAtMs: number;
};

/** The manager's rights must be checked before a graph is read. */
export type GraphCache = {
  /** Reads from memory, if the document's state still has this version. */
  get(request: GraphRequest, version: string): PreparedFile | undefined;
  /** Reads from the folder. */
  read(request: GraphRequest, document: VersionedHead): Promise<StoredGraph | undefined>;
  /** Caches in memory what was read, and returns its file. */
  keep(request: GraphRequest, kept: CachedFile): PreparedFile;
  /** Stores a new graph in the folder. */
  put(request: GraphRequest, document: VersionedHead, graph: { readonly body: Uint8Array }): void;
  close(): Promise<void>;
};

type GraphCacheOptions = {
  readonly directory: string;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

export function createGraphCache({ directory, log, clock }: GraphCacheOptions): GraphCache {
  const folder = new VariantCache({ directory: join(directory, 'documents'), log, clock, ...diskLimits });
  const files = createTenantCache<CachedFile>({
    maxSize: memoryBytes,
    sizeCalculation: ({ file, version }, key) => file.body.byteLength + 2 * (version.length + key.length) + 1000,
  });
  let renderVersion: string | undefined;
  const folderKeyOf = ({ tenant, width }: GraphRequest, { head, samplesVersion }: VersionedHead): string => {
    renderVersion ??= computeRenderVersion(drawingSources);
    const content = hash('sha256', JSON.stringify([head, samplesVersion]), 'base64url');
    return `${tenant}/${renderVersion}/${width}/${content}`;
  };
  const isFresh = ({ renderedAtMs }: StoredGraph | CachedFile): boolean => clock() - renderedAtMs < ttlMs;
  return {
    get: (request, version) => {
      const kept = files.get(memoryKeyOf(request));
      return kept !== undefined && kept.version === version && isFresh(kept) ? kept.file : undefined;
    },
    read: async (request, document) => {
      const key = folderKeyOf(request, document);
      const graph = toStoredGraph(folder.get(key) ?? (await folder.read(key)));
      return graph !== undefined && isFresh(graph) ? graph : undefined;
    },
    keep: (request, kept) => {
      files.set(memoryKeyOf(request), kept);
      return kept.file;
    },
    put: (request, document, { body }) => {
      folder.put(folderKeyOf(request, document), { type: 'image/svg+xml', body: Buffer.from(body), etag: '""' });
    },
    close: () => folder.close(),
  };
}

const memoryKeyOf = ({ tenant, kid, selection: { states, settings }, width }: GraphRequest) =>
  createTenantCacheKey({ tenant }, kid, String(width), JSON.stringify([states, settings]));

function toStoredGraph(variant: Variant | undefined): StoredGraph | undefined {
  if (variant === undefined || variant.body instanceof DeflatedBytes) return undefined;
  const { body, renderedAtMs } = variant;
  return { body: typeof body === 'string' ? Buffer.from(body) : body, renderedAtMs };
}
