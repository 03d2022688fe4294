// Caches on a folder of their own, with a clock that stands still until a test moves it.

import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { VariantCache, type VariantCacheOptions } from '../../src/providers/cache/variant-cache.ts';
import { variantFileName } from '../../src/providers/cache/variant-folder.ts';

export const dayMs = 86_400_000;
/** Only closing writes. */
export const neverMs = 1_000_000_000;
export const svg = 'image/svg+xml';

export const testBounds = {
  maxVariants: 100,
  maxBytes: 1_000_000,
  maxVariantBytes: 1_000_000,
  // Nothing fits into memory.
  memoryBytes: 1,
  ttlMs: Infinity,
  updateAgeOnGet: false,
};

export type CacheUnderTest = ReturnType<typeof cacheUnderTest>;

export function cacheUnderTest(t: { after(release: () => Promise<void>): void }) {
  const parent = mkdtempSync(join(tmpdir(), 'portal-cache-'));
  const directory = join(parent, 'images');
  const warnings: { msg: string; err: { message: string } }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) });
  const opened: VariantCache[] = [];
  let now = Date.UTC(2026, 5, 15, 9, 30);

  t.after(async () => {
    await Promise.all(opened.map((cache) => cache.close()));
    rmSync(parent, { recursive: true, force: true });
  });
  return {
    parent,
    directory,
    warnings,
    now: () => now,
    advance: (ms: number) => void (now += ms),
    open: async (options: Partial<VariantCacheOptions> = {}): Promise<VariantCache> => {
      // Reads are given up only where a test wants that: a busy machine is no broken disk.
      const timing = { writeEveryMs: neverMs, sweepEveryMs: neverMs, maxReadMs: 20_000 };
      const cache = new VariantCache({ directory, log, clock: () => now, ...testBounds, ...timing, ...options });
      opened.push(cache);
      await cache.opened();
      return cache;
    },
    fileOf: (key: string): string => join(directory, variantFileName(key)),
    files: (): string[] => filesIn(directory),
  };
}

/** The files of variants. A process that was killed may have left temporary ones. */
export function filesIn(directory: string): string[] {
  return readdirSync(directory).filter((name) => /^[0-9a-f]{64}$/.test(name));
}

export function bytesIn(directory: string): number {
  const sizes = filesIn(directory).map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Makes whoever reads these files wait until they are released, and fail then: as on a disk that hangs. */
export function hang(paths: readonly string[]): { release(): void } {
  for (const path of paths) rmSync(path);
  execFileSync('mkfifo', [...paths]);
  const descriptors = paths.map((path) => openSync(path, constants.O_RDWR));
  return {
    release: () => {
      for (const path of paths) rmSync(path, { force: true });
      for (const descriptor of descriptors) closeSync(descriptor);
    },
  };
}

/** UTF-8 has no lone surrogates, and JSON escapes them. */
export const textOf = (key: string): string => `<svg>${JSON.stringify(key).slice(1, -1)}</svg>`;

export function put(cache: VariantCache, ...keys: readonly string[]): void {
  for (const key of keys) cache.put(key, { type: svg, body: textOf(key), etag: `"${key.length}"` });
}

/** Which of the keys are answered. Throws where something else is answered than was put. */
export async function listCachedKeys(cache: VariantCache, keys: readonly string[]): Promise<string[]> {
  const held: string[] = [];
  for (const key of keys) {
    const variant = cache.get(key) ?? (await cache.read(key));
    if (variant === undefined) continue;
    const { body, type, etag } = variant;
    if (body !== textOf(key) || type !== svg || etag !== `"${key.length}"`) throw new Error(`wrong: ${key}`);
    held.push(key);
  }
  return held;
}

export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5);
}
