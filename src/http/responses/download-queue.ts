// Bounds the concurrent downloads in one process, even if clients are slow: in total, of a tenant and of a manager.

import type { FastifyRequest } from 'fastify';
import { FairQueue, type FairQueueOptions, type Release } from '../../lib/queues/fair-queue.ts';
import { Problem } from '../../lib/problem.ts';
import { queueKeyOf } from '../context/principal.ts';
import { tenantHostOf } from '../requests/request-context.ts';

const common = {
  order: 'fewest-running',
  maxWaitingPerKey: 8,
  maxWaitMs: 2000,
  // A download takes seconds, so that an earlier retry would be refused too.
  createRefusal: () =>
    new Problem('storage-busy', {
      retryAfterSeconds: 5,
      detail: 'Too many downloads are running at the same time.',
    }),
} as const satisfies Partial<FairQueueOptions>;

/** Downloads whose clients read. */
const readingOptions: FairQueueOptions = { ...common, maxConcurrent: 16, maxConcurrentPerKey: [8, 4] };

/** All downloads that have begun, since each has some rows in memory. */
const begunOptions: FairQueueOptions = { ...common, maxConcurrent: 64, maxConcurrentPerKey: [32, 4] };

export type DownloadPlace = {
  /** Gives the place to others. */
  pause(): void;
  /** Waits for a place again if it was given to others. Throws if the download has ended. */
  resume(): Promise<void>;
  end(): void;
};

export type DownloadQueue = { acquire(request: FastifyRequest): Promise<DownloadPlace> };

/** A public download reads no storage. */
const unlimitedPlace: DownloadPlace = { pause: () => {}, resume: async () => {}, end: () => {} };

/**
 * The next download belongs to the tenant, and then to the manager, with the fewest running downloads. A download whose
 * client does not read gives its place to other downloads until the client reads again. Only the places of the manager
 * of that download stay taken.
 */
export function createDownloadQueue(): DownloadQueue {
  const [begun, reading] = [new FairQueue(begunOptions), new FairQueue(readingOptions)];
  return {
    acquire: async (request) => {
      const { principal } = request.requestContext;
      if (principal === undefined) return unlimitedPlace;
      const key = queueKeyOf(tenantHostOf(request).tenant, principal);
      const endBegun = await begun.acquire({ key });
      try {
        const endReading = await reading.acquire({ key });
        const ended = new AbortController();
        let giveBack: Release | undefined = endReading;
        const pause = (): void => {
          giveBack?.();
          giveBack = undefined;
        };
        return {
          pause,
          resume: async () => {
            giveBack ??= await reading.acquire({ key, isContinued: true, signal: ended.signal });
          },
          end: () => {
            ended.abort();
            pause();
            endBegun();
          },
        };
      } catch (error) {
        endBegun();
        throw error;
      }
    },
  };
}
