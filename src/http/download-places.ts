// The places of downloads: a bounded number of them is under way in one process, however slow their clients are, and no
// manager or tenant has them all.

import type { FastifyRequest } from 'fastify';
import { FairPlaces, type ReleasePlace } from '../lib/fair-places.ts';
import { Problem } from '../lib/problem.ts';
import { tenantHostOf } from './context/request-context.ts';

const limits = { places: 16, placesOfTenant: 8, placesOfManager: 4, waitingOfManager: 8, maxWaitMs: 2000 };

/** A download takes seconds. */
const retryAfterSeconds = 5;

export type DownloadPlaces = { acquire(request: FastifyRequest): Promise<ReleasePlace> };

export function createDownloadPlaces(): DownloadPlaces {
  const createRefusal = (): Problem =>
    new Problem('storage-busy', { retryAfterSeconds, detail: 'Too many downloads are under way at the same time.' });
  const places = new FairPlaces({ ...limits, createRefusal });
  return {
    acquire: async (request) => {
      const { principal } = request.requestContext;
      // A public download reads no storage.
      if (principal === undefined) return () => {};
      return places.acquire({ tenant: tenantHostOf(request).tenant.name, managerId: principal.managerId });
    },
  };
}
