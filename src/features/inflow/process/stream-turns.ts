// Bounds the requests to streams in one process: one of each stream, and a few of each bank at a time. Banks take turns.

import { FairQueue, type FairQueueOptions } from '../../../lib/fair-queue.ts';
import { Problem } from '../../../lib/problem.ts';

const maxRetrySeconds = 3;

/** Computers that were refused together do not come back together. */
const createBusyProblem = (): Problem =>
  new Problem('stream-busy', { retryAfterSeconds: 1 + Math.floor(Math.random() * maxRetrySeconds) });

/** Of all tenants, of a tenant, and of a bank: a bank whose writes wait leaves room for those of others. */
const defaultOptions: FairQueueOptions = {
  maxConcurrent: 32,
  maxConcurrentPerKey: [16, 2],
  maxWaiting: 1000,
  maxWaitingPerKey: 100,
  maxWaitMs: 4000,
};

type StreamTurn = {
  readonly tenant: string;
  readonly bankId: number;
  readonly computerId: number;
  readonly stream: string;
};

export type StreamTurns = {
  /** Throws 429 `stream-busy` where a request of the stream is running, or too many wait. */
  run<T>(turn: StreamTurn, work: () => Promise<T>): Promise<T>;
};

export function createStreamTurns(options: Partial<FairQueueOptions> = {}): StreamTurns {
  const queue = new FairQueue({ ...defaultOptions, ...options, createRefusal: createBusyProblem });
  const running = new Set<string>();
  return {
    run: async ({ tenant, bankId, computerId, stream }, work) => {
      const name = `${tenant}/${bankId}/${computerId}/${stream}`;
      if (running.has(name)) throw createBusyProblem();
      running.add(name);
      try {
        return await queue.run(work, { key: [tenant, String(bankId)] });
      } finally {
        running.delete(name);
      }
    },
  };
}
