// Builds the application: the explicit list of features, in the order in which they are documented, and the server that
// serves their operations.

import type { FastifyInstance } from 'fastify';
import { createDatabaseAccessIndicator, type DatabaseAccessIndicator } from './database/database-access.ts';
import { createBankDisplayCache } from './features/account/bank-display-cache.ts';
import { createRevisionCache } from './features/account/revision-cache.ts';
import { accountRoutes } from './features/account/routes.ts';
import { bookingsRoutes } from './features/bookings/routes.ts';
import { createIconRenderer } from './features/icons/icon-renderer.ts';
import { iconsRoutes } from './features/icons/routes.ts';
import { createImageCaches, type ImageCaches } from './features/images/image-caches.ts';
import { ImageRenderer } from './features/images/image-renderer.ts';
import { imagesRoutes } from './features/images/routes.ts';
import { openingHoursRoutes } from './features/opening-hours/routes.ts';
import { placesRoutes } from './features/places/routes.ts';
import { receiptsRoutes } from './features/receipts/routes.ts';
import { createPrincipalCache, invalidateOnCommit, type PrincipalCache } from './features/sessions/principal-cache.ts';
import { sessionsRoutes } from './features/sessions/routes.ts';
import { settlementsRoutes } from './features/settlements/routes.ts';
import { statisticsRoutes } from './features/statistics/routes.ts';
import { unitsRoutes } from './features/units/routes.ts';
import { mountHealth } from './http/server/health.ts';
import { mountOperations } from './http/mount-operations.ts';
import type { Operation } from './http/operation.ts';
import { mountReference } from './http/reference.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { createServer } from './http/server/create-server.ts';
import { createXlsWriter } from './providers/spreadsheet/xls-writer.ts';
import type { Services } from './services.ts';

type Operations = {
  /** Every operation of the service. */
  readonly operations: Operation[];
  readonly principalCache: PrincipalCache;
  readonly databaseAccess: DatabaseAccessIndicator;
  readonly imageCaches: ImageCaches;
};

export function createOperations(services: Services): Operations {
  const { config, databases, clock, log, passwordHasher, demo } = services;
  const principalCache = createPrincipalCache(databases);
  const databaseAccess = createDatabaseAccessIndicator(databases);
  const imageCaches = createImageCaches({ directory: config.cache, log, clock });
  const otherOperations: readonly Operation[] = [
    ...statisticsRoutes({ databaseAccess }),
    ...placesRoutes(),
    ...unitsRoutes(),
    ...openingHoursRoutes(),
    ...accountRoutes({
      bankDisplayCache: createBankDisplayCache(),
      revisionCache: createRevisionCache(databases),
      writeXls: createXlsWriter(),
    }),
    ...bookingsRoutes(),
    ...receiptsRoutes(),
    ...settlementsRoutes(),
    ...createImageOperations(imageCaches, clock),
  ];
  const sessionOperations = sessionsRoutes({ principalCache, passwordHasher, demo, databaseAccess, otherOperations });
  return { operations: [...sessionOperations, ...otherOperations], principalCache, databaseAccess, imageCaches };
}

function createImageOperations(caches: ImageCaches, clock: () => number): Operation[] {
  const { renderVersion } = caches;
  const dependencies = { renderVersion, cache: caches.svgImages };
  const imageRenderers = {
    logos: new ImageRenderer('logos', dependencies),
    gradients: new ImageRenderer('gradients', dependencies),
    circles: new ImageRenderer('circles', dependencies),
  };
  const iconRenderer = new ImageRenderer('icons', { renderVersion, cache: caches.icons, sendsLastModified: true });
  return [...imagesRoutes(imageRenderers), ...iconsRoutes({ clock, renderIcon: createIconRenderer(iconRenderer) })];
}

export async function createApp(services: Services): Promise<FastifyInstance> {
  const { config, databases, clock, log, metrics } = services;
  const { operations, principalCache, databaseAccess, imageCaches } = createOperations(services);
  invalidateOnCommit(databases, principalCache);
  const limiter = createRateLimiter(config.rateLimit);
  const { tenants, domain, allowedOrigins, tlsCert, tlsKey } = config;
  const tls = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey };
  const app = await createServer({ tenants, domain, allowedOrigins, tls, log, limiter, metrics, operations, clock });
  mountOperations(app, operations, { databases, principalProvider: principalCache, limiter });
  app.addHook('onClose', () => imageCaches.close());
  mountHealth(app, { tenants: tenants.map(({ name }) => name), databases, databaseAccess });
  mountReference(app, operations);
  return app;
}
