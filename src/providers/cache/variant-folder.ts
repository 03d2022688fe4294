// Keeps variants as files in a folder, which several processes may share, within bounds of count, bytes and age.

import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { mkdir, readdir, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue } from '../../lib/queues/fair-queue.ts';
import { privateFolderMode } from '../../lib/bytes/file-modes.ts';
import { encodeVariant, readVariant, writeFileAtomically, type Variant } from './variant-file.ts';

export type VariantFolderOptions = {
  readonly directory: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly maxVariants: number;
  /** The size of whole files. */
  readonly maxBytes: number;
  readonly ttlMs: number;
  /** The time to live starts again with each use, as in lru-cache. Otherwise it starts when a variant is rendered. */
  readonly updateAgeOnGet: boolean;
  /** How long a read may take before the image is rendered instead; 250 by default. */
  readonly maxReadMs?: number;
};

/** `sinceMs` is when the time to live started. */
export type VariantEntry = {
  readonly key: string;
  readonly fileName: string;
  readonly variant: Variant;
  sinceMs: number;
};

/** The time to live started at the modification time. */
type FoundVariantFile = { readonly name: string; readonly bytes: number; mtimeMs: number };

const ours = /^[0-9a-f]{64}(\.[0-9a-f-]{36}\.tmp)?$/;
const abandonedAfterMs = 60_000;
const touchEveryMs = 600_000;
const maxClockSkewMs = 60_000;
const defaultMaxReadMs = 250;
const maxWaitingReads = 64;

/** UTF-16 keeps all strings distinct; UTF-8 would encode all lone surrogates alike. */
export const variantFileName = (key: string): string => hash('sha256', Buffer.from(key, 'utf16le'), 'hex');

export class VariantFolder {
  readonly #options: VariantFolderOptions;
  /** The files as of the last sweep and of this process's writes since then, so that a miss costs no I/O. */
  readonly #files: LRUCache<string, FoundVariantFile>;
  /** One read at a time: a disk that hangs must not block all threads of libuv. */
  readonly #reads = new FairQueue({ maxConcurrent: 1 });

  constructor(options: VariantFolderOptions) {
    this.#options = options;
    this.#files = new LRUCache({ maxSize: options.maxBytes, sizeCalculation: ({ bytes }) => Math.max(bytes, 1) });
  }

  isFresh(sinceMs: number): boolean {
    const ageMs = this.#options.clock() - sinceMs;
    // A time in the future comes from a clock that has been set back since.
    return ageMs < this.#options.ttlMs && ageMs >= -maxClockSkewMs;
  }

  /** Records a use. Returns whether there is a fresh file. */
  use(fileName: string): boolean {
    const file = this.#files.get(fileName);
    if (file === undefined || !this.isFresh(file.mtimeMs)) return false;
    const nowMs = this.#options.clock();
    if (this.#options.updateAgeOnGet && nowMs - file.mtimeMs >= touchEveryMs) {
      file.mtimeMs = nowMs;
      void this.#reads.run(() => utimes(this.#pathOf(fileName), nowMs / 1000, nowMs / 1000).catch(() => {}));
    }
    return true;
  }

  /**
   * Returns undefined, not a promise, if there is no file or too many reads wait. A slow read is abandoned: rendering
   * is faster.
   */
  read(key: string): Promise<VariantEntry | undefined> | undefined {
    const fileName = variantFileName(key);
    if (!this.use(fileName) || this.#reads.waiting >= maxWaitingReads) return undefined;
    const reading = this.#reads.run(() => this.#read(key, fileName).catch(() => this.#remove(fileName)));
    const { maxReadMs = defaultMaxReadMs } = this.#options;
    return Promise.race([reading, sleep(maxReadMs, undefined, { ref: false })]);
  }

  async write({ key, fileName, variant, sinceMs }: VariantEntry): Promise<void> {
    const file = await encodeVariant(key, variant);
    this.#files.delete(fileName);
    await this.#makeRoom(file.length);
    await writeFileAtomically(this.#pathOf(fileName), file, sinceMs);
    this.#files.set(fileName, { name: fileName, bytes: file.length, mtimeMs: sinceMs });
  }

  /** Learns which files other processes wrote and removed, and removes files that are too old or exceed the bounds. */
  async sweep(): Promise<void> {
    const { directory } = this.#options;
    await mkdir(directory, { recursive: true, mode: privateFolderMode });
    const names = new Set(await readdir(directory));
    for (const { name, mtimeMs } of this.#files.values().toArray())
      if (!names.has(name) || !this.isFresh(mtimeMs)) this.#files.delete(name);
    const found: FoundVariantFile[] = [];
    for (const name of names) {
      const file = !ours.test(name) || this.#files.has(name) ? undefined : await this.#examine(name);
      if (file !== undefined) found.push(file);
    }
    if (found.length === 0) return;
    // The order is the same in every process, so that concurrent sweeps remove the same files.
    const inOrder = (a: FoundVariantFile, b: FoundVariantFile) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1);
    const all = [...this.#files.values(), ...found].toSorted(inOrder);
    this.#files.clear();
    for (const file of all) {
      await this.#makeRoom(file.bytes);
      this.#files.set(file.name, file);
    }
  }

  async #read(key: string, fileName: string): Promise<VariantEntry | undefined> {
    const variant = await readVariant(this.#pathOf(fileName), key);
    const sinceMs = this.#options.updateAgeOnGet ? this.#options.clock() : variant.renderedAtMs;
    return this.isFresh(sinceMs) ? { key, fileName, variant, sinceMs } : undefined;
  }

  /** Removes an unusable file. */
  async #examine(name: string): Promise<FoundVariantFile | undefined> {
    const stats = await stat(this.#pathOf(name)).catch(() => undefined);
    if (stats?.isFile() !== true) return undefined;
    const { size: bytes, mtimeMs } = stats;
    const isTemporary = name.endsWith('.tmp');
    if (isTemporary && this.#options.clock() - mtimeMs < abandonedAfterMs) return undefined;
    if (!isTemporary && bytes <= this.#options.maxBytes && this.isFresh(mtimeMs)) return { name, bytes, mtimeMs };
    return this.#remove(name);
  }

  async #makeRoom(bytes: number): Promise<void> {
    const { maxVariants, maxBytes } = this.#options;
    while (this.#files.size >= maxVariants || this.#files.calculatedSize + bytes > maxBytes) {
      const [leastRecentlyUsed] = this.#files.rkeys();
      if (leastRecentlyUsed === undefined) return;
      await this.#remove(leastRecentlyUsed);
    }
  }

  /** The next sweep finds a file again that could not be removed. */
  async #remove(name: string): Promise<undefined> {
    this.#files.delete(name);
    await unlink(this.#pathOf(name)).catch(() => {});
    return undefined;
  }

  #pathOf(name: string): string {
    return join(this.#options.directory, name);
  }
}
