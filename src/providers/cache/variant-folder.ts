// Keeps variants as files in a folder, which several processes may share, within bounds of count, bytes and age.

import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { mkdir, readdir, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { privateFolderMode } from '../../lib/file-modes.ts';
import { encodeVariant, readVariant, writeFileAtomically, type Variant } from './variant-file.ts';

export type FolderOptions = {
  readonly directory: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly maxVariants: number;
  /** Of whole files. */
  readonly maxBytes: number;
  readonly ttlMs: number;
  /** The time to live starts again with each use, as in lru-cache. Otherwise it starts when a variant is rendered. */
  readonly updateAgeOnGet: boolean;
  /** How long a read may take before the image is rendered instead; 250 unless told otherwise. */
  readonly maxReadMs?: number;
};

/** `sinceMs` is when the time to live started. */
export type Entry = { readonly key: string; readonly fileName: string; readonly variant: Variant; sinceMs: number };

/** The time to live started at the modification time. */
type StoredFile = { readonly name: string; readonly bytes: number; mtimeMs: number };

const ours = /^[0-9a-f]{64}(\.[0-9a-f-]{36}\.tmp)?$/;
const abandonedAfterMs = 60_000;
const touchEveryMs = 600_000;
const maxClockSkewMs = 60_000;
const defaultMaxReadMs = 250;
const maxWaitingReads = 64;

/** UTF-16 tells all strings apart; in UTF-8 lone surrogates are all alike. */
export const fileNameOf = (key: string): string => hash('sha256', Buffer.from(key, 'utf16le'), 'hex');

export class VariantFolder {
  readonly #options: FolderOptions;
  /** The files as of the last sweep and of this process's writes since then, so that a miss costs no I/O. */
  readonly #files: LRUCache<string, StoredFile>;
  /** One at a time: a disk that hangs must not hold up all threads of libuv. */
  readonly #reads = new PQueue({ concurrency: 1 });

  constructor(options: FolderOptions) {
    this.#options = options;
    this.#files = new LRUCache({ maxSize: options.maxBytes, sizeCalculation: ({ bytes }) => Math.max(bytes, 1) });
  }

  isFresh(sinceMs: number): boolean {
    const ageMs = this.#options.clock() - sinceMs;
    // A time in the future was written under a clock that has been set back since.
    return ageMs < this.#options.ttlMs && ageMs >= -maxClockSkewMs;
  }

  /** Notes a use. Whether there is a fresh file. */
  use(fileName: string): boolean {
    const file = this.#files.get(fileName);
    if (file === undefined || !this.isFresh(file.mtimeMs)) return false;
    const nowMs = this.#options.clock();
    if (this.#options.updateAgeOnGet && nowMs - file.mtimeMs >= touchEveryMs) {
      file.mtimeMs = nowMs;
      void this.#reads.add(() => utimes(this.#pathOf(fileName), nowMs / 1000, nowMs / 1000).catch(() => {}));
    }
    return true;
  }

  /** Undefined at once where there is no file, or too many wait. A slow read is given up: rendering takes less time. */
  read(key: string): Promise<Entry | undefined> | undefined {
    const fileName = fileNameOf(key);
    if (!this.use(fileName) || this.#reads.size >= maxWaitingReads) return undefined;
    const reading = this.#reads.add(() => this.#read(key, fileName).catch(() => this.#remove(fileName)));
    const { maxReadMs = defaultMaxReadMs } = this.#options;
    return Promise.race([reading, sleep(maxReadMs, undefined, { ref: false })]);
  }

  async write({ key, fileName, variant, sinceMs }: Entry): Promise<void> {
    const file = await encodeVariant(key, variant);
    this.#files.delete(fileName);
    await this.#makeRoom(file.length);
    await writeFileAtomically(this.#pathOf(fileName), file, sinceMs);
    this.#files.set(fileName, { name: fileName, bytes: file.length, mtimeMs: sinceMs });
  }

  /** Learns what other processes wrote and removed, and removes what is too old or too much. */
  async sweep(): Promise<void> {
    const { directory } = this.#options;
    await mkdir(directory, { recursive: true, mode: privateFolderMode });
    const names = new Set(await readdir(directory));
    for (const { name, mtimeMs } of this.#files.values().toArray())
      if (!names.has(name) || !this.isFresh(mtimeMs)) this.#files.delete(name);
    const found: StoredFile[] = [];
    for (const name of names) {
      const file = !ours.test(name) || this.#files.has(name) ? undefined : await this.#examine(name);
      if (file !== undefined) found.push(file);
    }
    if (found.length === 0) return;
    // The order is the same in every process, so that those that sweep at once remove the same files.
    const inOrder = (a: StoredFile, b: StoredFile) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1);
    const all = [...this.#files.values(), ...found].toSorted(inOrder);
    this.#files.clear();
    for (const file of all) {
      await this.#makeRoom(file.bytes);
      this.#files.set(file.name, file);
    }
  }

  async #read(key: string, fileName: string): Promise<Entry | undefined> {
    const variant = await readVariant(this.#pathOf(fileName), key);
    const sinceMs = this.#options.updateAgeOnGet ? this.#options.clock() : variant.renderedAtMs;
    return this.isFresh(sinceMs) ? { key, fileName, variant, sinceMs } : undefined;
  }

  /** Removes what is of no use. */
  async #examine(name: string): Promise<StoredFile | undefined> {
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

  /** What cannot be removed is found again by the next sweep. */
  async #remove(name: string): Promise<undefined> {
    this.#files.delete(name);
    await unlink(this.#pathOf(name)).catch(() => {});
    return undefined;
  }

  #pathOf(name: string): string {
    return join(this.#options.directory, name);
  }
}
