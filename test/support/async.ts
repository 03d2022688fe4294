// Waiting for what must come to pass, and gates by which tests put steps in order.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the condition holds; fails with its name when it does not in time, which is long: a machine may be busy. */
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
