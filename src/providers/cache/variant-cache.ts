// Caches rendered variants: the most recently used in memory, more of them on disk. A failure of the disk only means
// that an image is rendered again.

import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { heldBytesOf } from '../../lib/bytes/deflated-bytes.ts';
import { FairQueue } from '../../lib/queues/fair-queue.ts';
import type { Variant } from './variant-file.ts';
import { variantFileName, VariantFolder, type VariantEntry, type VariantFolderOptions } from './variant-folder.ts';

export type VariantCacheOptions = VariantFolderOptions & {
  readonly log: Logger;
  readonly memoryBytes: number;
  /** Larger ones are not stored. */
  readonly maxVariantBytes: number;
  readonly writeEveryMs?: number;
  readonly sweepEveryMs?: number;
};

/** The memory of an entry in addition to its body and its key. */
const entryBytes = 400;
const maxPending = 512;
const maxPendingBytes = 16 * 1_048_576;
/** A file costs up to a millisecond of processor time. Of a flood of variants, only some are written. */
const maxWritesAtOnce = 50;
const warnEveryMs = 60_000;

export class VariantCache {
  readonly #options: VariantCacheOptions;
  readonly #memory: LRUCache<string, VariantEntry>;
  readonly #pending: LRUCache<string, VariantEntry>;
  readonly #folder: VariantFolder;
  /** Writes and sweeps, one at a time. */
  readonly #disk = new FairQueue({ maxConcurrent: 1 });
  #opened: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sweepDueMs = -Infinity;
  #warnedAtMs = -Infinity;

  constructor(options: VariantCacheOptions) {
    this.#options = options;
    this.#folder = new VariantFolder(options);
    const sizeCalculation = ({ key, variant }: VariantEntry): number =>
      heldBytesOf(variant.body) + key.length * 2 + entryBytes;
    this.#memory = new LRUCache({ maxSize: options.memoryBytes, sizeCalculation });
    const max = Math.min(options.maxVariants, maxPending);
    this.#pending = new LRUCache({ max, maxSize: maxPendingBytes, sizeCalculation });
  }

  /** Settles when the files are known. The first `read` or `put` starts this, too. */
  opened(): Promise<void> {
    if (this.#opened === undefined) {
      const writeSome = (): void => {
        if (this.#disk.waiting === 0) void this.#work(maxWritesAtOnce);
      };
      this.#timer = setInterval(writeSome, this.#options.writeEveryMs ?? 1000).unref();
      this.#opened = this.#work(0);
    }
    return this.#opened;
  }

  /** Reads from memory only. */
  get(key: string): Variant | undefined {
    const entry = this.#memory.get(key);
    if (entry === undefined || !this.#folder.isFresh(entry.sinceMs)) return undefined;
    if (this.#options.updateAgeOnGet) entry.sinceMs = this.#options.clock();
    this.#folder.use(entry.fileName);
    return entry.variant;
  }

  /** Reads from disk. Returns undefined, not a promise, if the variant is not there. */
  read(key: string): Promise<Variant | undefined> | undefined {
    void this.opened();
    return this.#folder.read(key)?.then((entry) => {
      // It may have been rendered meanwhile.
      const newer = this.get(key);
      if (newer !== undefined || entry === undefined) return newer;
      this.#memory.set(key, entry);
      return entry.variant;
    });
  }

  /** Stores it in memory at once, and on disk soon. */
  put(key: string, { type, body, etag }: Omit<Variant, 'renderedAtMs'>): Variant {
    void this.opened();
    const sinceMs = this.#options.clock();
    const variant = { type, body, etag, renderedAtMs: Math.floor(sinceMs / 1000) * 1000 };
    if (heldBytesOf(body) > this.#options.maxVariantBytes) return variant;
    const entry = { key, fileName: variantFileName(key), variant, sinceMs };
    this.#memory.set(key, entry);
    this.#pending.set(key, entry);
    return variant;
  }

  /** Writes what is pending. The cache in memory still works afterwards. */
  async close(): Promise<void> {
    if (this.#opened === undefined) return;
    clearInterval(this.#timer);
    await this.#work(maxPending);
    // Together with the files of other processes, the folder may exceed its bounds.
    this.#sweepDueMs = -Infinity;
    await this.#work(0);
  }

  #work(maxWrites: number): Promise<void> {
    return this.#disk.run(() => this.#sweepAndWrite(maxWrites).catch((error: unknown) => this.#warn(error)));
  }

  async #sweepAndWrite(maxWrites: number): Promise<void> {
    if (performance.now() >= this.#sweepDueMs) {
      await this.#folder.sweep();
      this.#sweepDueMs = performance.now() + (this.#options.sweepEveryMs ?? 60_000);
    }
    for (let count = 0; count < maxWrites; count += 1) {
      const entry = this.#pending.pop();
      if (entry === undefined) return;
      await this.#folder.write(entry);
    }
  }

  #warn(error: unknown): void {
    // The folder may be gone: a sweep creates it again.
    this.#sweepDueMs = -Infinity;
    if (performance.now() - this.#warnedAtMs < warnEveryMs) return;
    this.#warnedAtMs = performance.now();
    const { directory, log } = this.#options;
    log.warn({ err: error, directory }, 'the cache continues only in memory for now');
  }
}
