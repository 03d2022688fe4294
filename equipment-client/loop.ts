// Runs one kind of work again and again: at once while there is more, after a pause when it failed, or when it is woken.

import type { Next } from './attempts.ts';

export type Loop = {
  start(): void;
  /** There is work. It does not shorten a pause after a failure. */
  wake(): void;
  /** Resolves when the work that is under way has ended. */
  stop(): Promise<void>;
};

const pauseAfterErrorMs = 10_000;

/** Work that throws is tried again after a pause. */
export function createLoop(work: () => Promise<Next>, onError: (error: unknown) => void): Loop {
  let running: Promise<void> | undefined;
  const stopped = new AbortController();
  let wakeUp = (): void => {};
  let isAwake = false;

  const sleep = (waitMs: number | undefined): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = waitMs === undefined ? undefined : setTimeout(resolve, waitMs);
    wakeUp = () => {
      if (waitMs !== undefined && !stopped.signal.aborted) return;
      clearTimeout(timer);
      resolve();
    };
    if (isAwake && waitMs === undefined) resolve();
    return promise;
  };
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      isAwake = false;
      const next = await work().catch((error: unknown): Next => {
        onError(error);
        return { waitMs: pauseAfterErrorMs };
      });
      if (next === 'more' || stopped.signal.aborted) continue;
      await sleep(next === 'done' ? undefined : next.waitMs);
    }
  };
  return {
    start: () => {
      running ??= run();
    },
    wake: () => {
      isAwake = true;
      wakeUp();
    },
    stop: async () => {
      stopped.abort();
      wakeUp();
      await running;
    },
  };
}
