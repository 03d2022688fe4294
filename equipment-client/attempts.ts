// Counts how often a request failed in a row, and says how long a computer waits before it tries again.

import { reasonOf, type Answer } from './requests.ts';

/** What to do next: more at once, or wait; `done` until there is work. */
export type Next = 'more' | 'done' | { readonly waitMs: number };

export type Attempts = {
  failed(answer: Answer): Next;
  succeeded(): Next;
  /** Undefined where the last attempt was successful. */
  lastError(): string | undefined;
};

const firstMs = 1000;
const maxMs = 60_000;

/** Exponential, with full jitter: computers that failed together do not come back together. */
export const backoffMs = (failures: number, random: number): number =>
  random * Math.min(maxMs, firstMs * 2 ** Math.min(failures, 10));

/** What the service asked for, and up to a quarter more. */
export const politePauseMs = (retryAfterMs: number, random: number): number => retryAfterMs * (1 + random / 4);

/** `random` is from 0 to 1. */
export function createAttempts(random: () => number): Attempts {
  let failures = 0;
  let lastError: string | undefined;
  return {
    failed: (answer) => {
      failures += 1;
      lastError = reasonOf(answer);
      const { retryAfterMs } = answer;
      const waitMs = retryAfterMs === undefined ? backoffMs(failures, random()) : politePauseMs(retryAfterMs, random());
      return { waitMs };
    },
    succeeded: () => {
      failures = 0;
      lastError = undefined;
      return 'more';
    },
    lastError: () => lastError,
  };
}
