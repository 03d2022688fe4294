// The explicit list of features, in the order in which they are documented.

import type { FastifyInstance } from 'fastify';
import { bankViews } from './features/account/bank-view.ts';
import { sharedRevisions } from './features/account/revisions.ts';
import { accountRoutes } from './features/account/routes.ts';
import { bookingRulesRoutes } from './features/bookings/booking-rules/routes.ts';
import { bookingsRoutes } from './features/bookings/routes.ts';
import { iconRendering } from './features/icons/rendering.ts';
import { iconsRoutes } from './features/icons/routes.ts';
import { imageCaches, type ImageCaches } from './features/images/image-caches.ts';
import { ImageRenderer } from './features/images/image-renderer.ts';
import { imagesRoutes } from './features/images/routes.ts';
import { openingHoursRoutes } from './features/opening-hours/routes.ts';
import { placesRoutes } from './features/places/routes.ts';
import { receiptsRoutes } from './features/receipts/routes.ts';
import { databaseAccessIndicator } from './features/sessions/database-access.ts';
import { sessionDirectory } from './features/sessions/directory.ts';
import { managerLogin } from './features/sessions/login.ts';
import { sessionRoutes } from './features/sessions/routes.ts';
import { settlementsRoutes } from './features/settlements/routes.ts';
import { statisticsRoutes } from './features/statistics/routes.ts';
import { unitsRoutes } from './features/units/routes.ts';
import { mountHealth } from './http/health.ts';
import { mount } from './http/mount.ts';
import type { Operation } from './http/operation.ts';
import { mountReference } from './http/reference.ts';
import { rateLimiter } from './http/rate-limit.ts';
import { buildPorch } from './http/server.ts';
import { xlsFiles } from './providers/spreadsheet/xls.ts';
import type { Services } from './services.ts';

/** Every operation of the service. */
export function allOperations(services: Services): {
  operations: Operation[];
  sessions: ReturnType<typeof sessionDirectory>;
  databaseAccess: ReturnType<typeof databaseAccessIndicator>;
  caches: ImageCaches;
} {
  const { config, databases, clock, log, passwords, demo } = services;
  const sessions = sessionDirectory(databases, clock);
  const databaseAccess = databaseAccessIndicator(databases);
  const caches = imageCaches({ directory: config.cache, log, clock });
  const { renderVersion } = caches;
  const pictures = { renderVersion, cache: caches.pictures };
  const renderers = {
    logos: new ImageRenderer('logos', pictures),
    gradients: new ImageRenderer('gradients', pictures),
    circles: new ImageRenderer('circles', pictures),
    icons: new ImageRenderer('icons', { renderVersion, cache: caches.icons, dated: true }),
  };
  const operations: Operation[] = [];
  operations.push(
    ...sessionRoutes({
      sessions,
      databaseAccess,
      login: managerLogin(passwords, demo),
      allOperations: () => operations,
    }),
    ...statisticsRoutes({ databaseAccess }),
    ...placesRoutes(),
    ...unitsRoutes(),
    ...openingHoursRoutes(),
    ...accountRoutes({ views: bankViews(), revisions: sharedRevisions(databases), xls: xlsFiles() }),
    ...bookingRulesRoutes(),
    ...bookingsRoutes(),
    ...receiptsRoutes(),
    ...settlementsRoutes(),
    ...imagesRoutes({ render: (family, key, draw) => renderers[family].svg(key, draw) }),
    ...iconsRoutes({ clock, render: iconRendering(renderers.icons) }),
  );
  return { operations, sessions, databaseAccess, caches };
}

export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, databases, clock, log, metrics } = services;
  const { operations, sessions, databaseAccess, caches } = allOperations(services);
  const limiter = rateLimiter(config.rateLimit);
  const { tenants, domain, allowedOrigins, tlsCert, tlsKey } = config;
  const tls = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey };
  const app = await buildPorch({ tenants, domain, allowedOrigins, tls, log, limiter, metrics, operations, clock });
  mount(app, operations, { databases, sessions, limiter, clock });
  app.addHook('onClose', () => caches.close());
  mountHealth(app, { tenants: tenants.map(({ name }) => name), databases, databaseAccess });
  mountReference(app, operations);
  return app;
}
