// The explicit list of features, in the order in which they are documented.

import type { FastifyInstance } from 'fastify';
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
import { createDatabaseAccessIndicator } from './database/database-access.ts';
import { createPrincipalCache } from './features/sessions/principal-cache.ts';
import { createLogin } from './features/sessions/operations/login-manager.ts';
import { sessionRoutes } from './features/sessions/routes.ts';
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

/** Every operation of the service. */
export function createOperations(services: Services): {
  operations: Operation[];
  sessions: ReturnType<typeof createPrincipalCache>;
  databaseAccess: ReturnType<typeof createDatabaseAccessIndicator>;
  caches: ImageCaches;
} {
  const { config, databases, clock, log, passwordHasher, demo } = services;
  const principalCache = createPrincipalCache(databases, clock);
  const databaseAccess = createDatabaseAccessIndicator(databases);
  const caches = createImageCaches({ directory: config.cache, log, clock });
  const { renderVersion } = caches;
  const imageRendererDependencies = { renderVersion, cache: caches.svgImages };
  const imageRenderers = {
    logos: new ImageRenderer('logos', imageRendererDependencies),
    gradients: new ImageRenderer('gradients', imageRendererDependencies),
    circles: new ImageRenderer('circles', imageRendererDependencies),
    icons: new ImageRenderer('icons', { renderVersion, cache: caches.icons, sendsLastModified: true }),
  };
  const operations: Operation[] = [];
  operations.push(
    ...sessionRoutes({
      principalCache,
      databaseAccess,
      login: createLogin(passwordHasher, demo),
      allOperations: () => operations,
    }),
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
    ...imagesRoutes({ render: (family, key, draw) => imageRenderers[family].renderSvg(key, draw) }),
    ...iconsRoutes({ clock, renderIcon: createIconRenderer(imageRenderers.icons) }),
  );
  return { operations, sessions: principalCache, databaseAccess, caches };
}

export async function createApp(services: Services): Promise<FastifyInstance> {
  const { config, databases, clock, log, metrics } = services;
  const { operations, sessions, databaseAccess, caches } = createOperations(services);
  const limiter = createRateLimiter(config.rateLimit);
  const { tenants, domain, allowedOrigins, tlsCert, tlsKey } = config;
  const tls = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey };
  const app = await createServer({ tenants, domain, allowedOrigins, tls, log, limiter, metrics, operations, clock });
  mountOperations(app, operations, { databases, sessions, limiter, clock });
  app.addHook('onClose', () => caches.close());
  mountHealth(app, { tenants: tenants.map(({ name }) => name), databases, databaseAccess });
  mountReference(app, operations);
  return app;
}
