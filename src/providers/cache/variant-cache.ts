// The cache of rendered images: the newest and most used in memory, more of them in a file that outlives the process and
// that several processes may share. It is a cache, so that whatever fails only means that an image is rendered again.

import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { openDiskStore } from './disk-store.ts';
import { etagOf } from './etag.ts';
import { isGood } from './lifetime.ts';
import type { Stored } from './protocol.ts';

export type Variant = {
  readonly type: string;
  readonly body: Buffer;
  /** Strong, with its quotes. */
  readonly etag: string;
  /** Epoch milliseconds of a whole second. */
  readonly renderedAtMs: number;
};

export type VariantCache = {
  /** Settles when the index of the file has been read, or cannot be; until then only memory is known. */
  readonly opened: Promise<void>;
  /** At once from memory, or undefined where neither memory nor disk has it; a promise where only the disk does. */
  get(key: string): Variant | Promise<Variant | undefined> | undefined;
  /** Takes it into memory at once, and to disk a little later. */
  put(key: string, type: string, body: Buffer, etag?: string): Variant;
  /** Writes what waits, and lets go of the file. Memory goes on. */
  close(): Promise<void>;
};

export type VariantCacheOptions = {
  readonly file: string;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** On disk; bodies alone count. */
  readonly maxVariants: number;
  readonly maxBytes: number;
  /** Since it was rendered. */
  readonly maxAgeMs?: number;
  /** Since it was last asked for. */
  readonly maxIdleMs?: number;
  readonly memoryBytes: number;
  /** Larger ones are not kept at all. */
  readonly maxVariantBytes?: number;
  readonly batchEveryMs?: number;
};

type Kept = { variant: Variant; readonly renderedAtMs: number; usedAtMs: number };

const maxVariantBytesByDefault = 4 * 1024 * 1024;
/** What an entry in memory takes beside its body and its key. */
const entryBytes = 400;

export function openVariantCache(options: VariantCacheOptions): VariantCache {
  const { file, log, clock, maxVariants, maxBytes, memoryBytes, batchEveryMs = 1000 } = options;
  const { maxAgeMs = Infinity, maxIdleMs = Infinity, maxVariantBytes = maxVariantBytesByDefault } = options;
  const bounds = { maxVariants, maxBytes, maxAgeMs, maxIdleMs };
  const disk = openDiskStore({ file, log, clock, bounds, batchEveryMs });
  const memory = new LRUCache<string, Kept>({
    maxSize: memoryBytes,
    sizeCalculation: ({ variant }, key) => variant.body.length + key.length * 2 + entryBytes,
  });

  const keep = (key: string, variant: Variant, nowMs: number): Variant => {
    memory.set(key, { variant, renderedAtMs: variant.renderedAtMs, usedAtMs: nowMs });
    return variant;
  };
  const fromMemory = (key: string, nowMs: number): Variant | undefined => {
    const kept = memory.get(key);
    if (kept === undefined || !isGood(kept, bounds, nowMs)) return undefined;
    kept.usedAtMs = nowMs;
    return (kept.variant = withOwnBytes(kept.variant));
  };
  const fromDisk = async (key: string, reading: Promise<Stored | undefined>): Promise<Variant | undefined> => {
    const stored = await reading;
    const now = clock();
    // It may have been rendered meanwhile.
    const newer = fromMemory(key, now);
    if (newer !== undefined || stored === undefined) return newer;
    const { type, body, etag, renderedAtMs } = stored;
    if (!isGood({ renderedAtMs, usedAtMs: now }, bounds, now)) return undefined;
    return keep(key, { type, body: Buffer.from(body.buffer, body.byteOffset, body.length), etag, renderedAtMs }, now);
  };
  return {
    opened: disk.opened,
    get: (key) => {
      const isOnDisk = disk.use(key);
      const kept = fromMemory(key, clock());
      if (kept !== undefined || !isOnDisk) return kept;
      const reading = disk.read(key);
      return reading && fromDisk(key, reading);
    },
    put: (key, type, body, etag = etagOf(body)) => {
      const now = clock();
      const variant = { type, body, etag, renderedAtMs: Math.floor(now / 1000) * 1000 };
      if (body.length > maxVariantBytes) return variant;
      disk.put({ key, ...variant, usedAtMs: now });
      return keep(key, variant, now);
    },
    close: disk.close,
  };
}

/** A slice of a shared piece of memory would hold on to all of it, for as long as it is asked for. */
function withOwnBytes(variant: Variant): Variant {
  const { body } = variant;
  if (body.length === body.buffer.byteLength) return variant;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return { ...variant, body: own };
}
