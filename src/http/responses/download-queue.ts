// Bounds the concurrent downloads in one process, however slow their clients are: in total, of a tenant and of a
// manager. The next one belongs to the tenant, and then to the manager, with the fewest running.

import type { FastifyRequest } from 'fastify';
import { FairQueue, type FairQueueOptions, type Release } from '../../lib/fair-queue.ts';
import { Problem } from '../../lib/problem.ts';
import { queueKeyOf } from '../context/principal.ts';
import { tenantHostOf } from '../requests/request-context.ts';

const options: FairQueueOptions = {
  maxConcurrent: 16,
  maxConcurrentPerKey: [8, 4],
  order: 'fewest-running',
  maxWaitingPerKey: 8,
  maxWaitMs: 2000,
  // A download takes seconds, so that an earlier retry would be refused too.
  createRefusal: () =>
    new Problem('storage-busy', {
      retryAfterSeconds: 5,
      detail: 'Too many downloads are running at the same time.',
    }),
};

export type DownloadQueue = { acquire(request: FastifyRequest): Promise<Release> };

export function createDownloadQueue(): DownloadQueue {
  const queue = new FairQueue(options);
  return {
    acquire: async (request) => {
      const { principal } = request.requestContext;
      // A public download reads no storage.
      if (principal === undefined) return () => {};
      return queue.acquire({ key: queueKeyOf(tenantHostOf(request).tenant, principal) });
    },
  };
}
