// The explicit list of features, ground floor first: a feature may use the queries and rules of those before it.

import type { FastifyInstance } from 'fastify';
import { bankViews } from './features/account/bank-view.ts';
import { sharedRevisions } from './features/account/revisions.ts';
import { accountRoutes } from './features/account/routes.ts';
import { databaseAccessIndicator } from './features/sessions/database-access.ts';
import { sessionDirectory } from './features/sessions/directory.ts';
import { managerLogin } from './features/sessions/login.ts';
import { sessionRoutes } from './features/sessions/routes.ts';
import { statisticsRoutes } from './features/statistics/routes.ts';
import { mountHealth } from './http/health.ts';
import { mount } from './http/mount.ts';
import type { Operation } from './http/operation.ts';
import { mountReference } from './http/reference.ts';
import { rateLimiter } from './http/rate-limit.ts';
import { buildPorch } from './http/server.ts';
import type { Services } from './services.ts';

/** Every operation of the service. */
export function allOperations(services: Services): {
  operations: Operation[];
  sessions: ReturnType<typeof sessionDirectory>;
  databaseAccess: ReturnType<typeof databaseAccessIndicator>;
} {
  const { databases, clock, passwords, demo } = services;
  const sessions = sessionDirectory(databases, clock);
  const databaseAccess = databaseAccessIndicator(databases);
  const operations: Operation[] = [];
  operations.push(
    ...sessionRoutes({
      sessions,
      databaseAccess,
      login: managerLogin(passwords, demo),
      allOperations: () => operations,
    }),
    ...statisticsRoutes({ databaseAccess }),
    ...accountRoutes({ views: bankViews(), revisions: sharedRevisions(databases) }),
  );
  return { operations, sessions, databaseAccess };
}

export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, databases, clock, log, metrics } = services;
  const { operations, sessions, databaseAccess } = allOperations(services);
  const limiter = rateLimiter(config.rateLimit);
  const { tenants, domain, allowedOrigins, tlsCert, tlsKey } = config;
  const tls = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey };
  const app = await buildPorch({ tenants, domain, allowedOrigins, tls, log, limiter, metrics });
  mount(app, operations, { databases, sessions, limiter, clock });
  mountHealth(app, { tenants: tenants.map(({ name }) => name), databases, databaseAccess });
  mountReference(app, operations);
  return app;
}
