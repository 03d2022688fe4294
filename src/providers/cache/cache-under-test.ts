// For tests: caches on a file of their own, a clock that stands still until it is moved, and a look into the file from
// outside.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openVariantCache, type VariantCache, type VariantCacheOptions } from './variant-cache.ts';

export const dayMs = 86_400_000;
/** Only closing writes. */
export const neverMs = 1_000_000_000;

export type TestCache = ReturnType<typeof createTestCache>;

export function createTestCache(t: Pick<TestContext, 'after'>) {
  const directory = mkdtempSync(join(tmpdir(), 'portal-cache-'));
  const file = join(directory, 'images.sqlite');
  const warnings: { msg: string; err: { message: string } }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) });
  const opened: VariantCache[] = [];
  let now = Date.UTC(2026, 5, 15, 9, 30);

  t.after(async () => {
    await Promise.all(opened.map((cache) => cache.close()));
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    directory,
    file,
    warnings,
    now: () => now,
    advance: (ms: number) => void (now += ms),
    /** Without anything in memory, unless it is said otherwise. */
    open: async (options: Partial<VariantCacheOptions> = {}): Promise<VariantCache> => {
      const bounds = { maxVariants: 100, maxBytes: 1_000_000, memoryBytes: 1, batchEveryMs: neverMs };
      const cache = openVariantCache({ file, log, clock: () => now, ...bounds, ...options });
      opened.push(cache);
      await cache.opened;
      return cache;
    },
    sql: (text: string, ...values: SQLInputValue[]): Record<string, unknown>[] => {
      const database = new DatabaseSync(file, { timeout: 5000 });
      try {
        return database.prepare(text).all(...values);
      } finally {
        database.close();
      }
    },
  };
}

export const textOf = (key: string): string => `<svg>${key}</svg>`;

export function put(cache: VariantCache, ...keys: readonly string[]): void {
  for (const key of keys) cache.put(key, 'image/svg+xml', Buffer.from(textOf(key)));
}

/** Which of the keys are answered; what is answered is what was put. */
export async function heldOf(cache: VariantCache, keys: readonly string[]): Promise<string[]> {
  const held: string[] = [];
  for (const key of keys) {
    const variant = await cache.get(key);
    if (variant === undefined) continue;
    if (variant.body.toString() !== textOf(key) || variant.type !== 'image/svg+xml') throw new Error(`wrong: ${key}`);
    held.push(key);
  }
  return held;
}

export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5);
}
