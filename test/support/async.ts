// Waits for conditions, and provides gates with which tests order steps.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the condition holds, and fails with its name after a long timeout: a machine can be busy. */
export async function waitUntil(
  name: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const until = performance.now() + withinMs;
  while (!(await condition())) {
    assert.ok(performance.now() < until, `${name}: not within ${withinMs} ms`);
    await sleep(10);
  }
}

export type Deferred = { readonly promise: Promise<void>; resolve(): void };

export function createDeferred(): Deferred {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, resolve };
}

/** The milliseconds that the work takes from now on. */
export async function measureMs(work: Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work;
  return performance.now() - from;
}

/** For assert.rejects: a failure of storage of this kind. */
export const storageError = (failure: string): { name: string; failure: string } => ({
  name: 'StorageError',
  failure,
});
