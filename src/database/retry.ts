// Runs work again that was rolled back and so provably stored nothing: a bounded number of times, within its deadline.

import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from './errors.ts';

const maxAttempts = 8;
const firstDelayMs = 15;
const maxDelayMs = 500;

/** Longer after each attempt, and random, so that two conflicting transactions do not meet again. */
const delayMs = (attempt: number): number =>
  Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1)) * (0.5 + Math.random());

/** `run` gets the time that is left. Throws StorageError `unavailable` after the last attempt. */
export async function retryRolledBack<T>(deadlineMs: number, run: (remainingMs: number) => Promise<T>): Promise<T> {
  const deadlineAtMs = performance.now() + deadlineMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(Math.max(1, deadlineAtMs - performance.now()));
    } catch (error) {
      const isRolledBack = error instanceof StorageError && error.failure === 'rolled-back';
      if (!isRolledBack) throw error;
      if (attempt >= maxAttempts) throw new StorageError('unavailable', error);
      await pause(delayMs(attempt));
    }
  }
}
