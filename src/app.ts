// Builds the application: the explicit list of features, in the order in which they are documented, and the server that
// serves their operations.

import type { FastifyInstance } from 'fastify';

// What everything stands on.
import { toMs2000 } from './lib/time/ms2000.ts';
import { createDatabaseAccessIndicator } from './database/checks/database-access.ts';

// What serves requests, its lowest floor first.
import { acceptsServiceKey, isOfEquipmentApi } from './http/operations/operation-properties.ts';
import type { Operation } from './http/operations/operation.ts';
import { createRateLimiter } from './http/limits/rate-limit.ts';
import { mountOperations } from './http/routes/mount-operations.ts';
import { mountOpenApiDocument, mountOpenApiDocuments } from './http/openapi/openapi-routes.ts';
import { mountReference } from './http/reference/reference.ts';
import { mountConsole } from './http/console/console.ts';
import { createServer } from './http/server/create-server.ts';
import { mountHealth } from './http/server/health.ts';

// The features, each above those that it uses.
import { createImageCaches } from './features/images/process/image-caches.ts';
import { createCommonPasswords } from './features/passwords/assets/common-passwords.ts';
import { hostingRoutes } from './features/hosting/routes.ts';
import { diagnosticsRoutes } from './features/diagnostics/routes.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { placesRoutes } from './features/places/routes.ts';
import { createComputerProvider } from './features/computers/process/computer-provider.ts';
import { computersRoutes } from './features/computers/routes.ts';
import { createLoginThrottle } from './features/sessions/process/login-throttle.ts';
import { createPrincipalCache, invalidateOnCommit } from './features/sessions/process/principal-cache.ts';
import { sessionsRoutes } from './features/sessions/routes.ts';
import { profileRoutes } from './features/profile/routes.ts';
import { createServiceProvider } from './features/services/process/service-provider.ts';
import { servicesRoutes } from './features/services/routes.ts';
import { managerAdministrationRoutes } from './features/manager-administration/routes.ts';
import { statisticsRoutes } from './features/statistics/routes.ts';
import { tenantStatusRoutes } from './features/tenant-status/routes.ts';
import { unitsRoutes } from './features/units/routes.ts';
import { unitCommandsRoutes } from './features/unit-commands/routes.ts';
import { createGraphCache } from './features/documents/process/graph-cache.ts';
import { createDocumentRenderer } from './features/documents/rendering/document-renderer.ts';
import { documentsRoutes } from './features/documents/routes.ts';
import { openingHoursRoutes } from './features/opening-hours/routes.ts';
import { addressesRoutes } from './features/addresses/routes.ts';
import { accountRoutes } from './features/account/routes.ts';
import { bookingsRoutes } from './features/bookings/routes.ts';
import { authorisationRoutes } from './features/authorisation/routes.ts';
import { createDesiredWaiters, type DesiredWaiters } from './features/desired-state/process/desired-waiters.ts';
import { eventStreamLimits } from './features/desired-state/rules/event-stream-limits.ts';
import { desiredStateRoutes } from './features/desired-state/routes.ts';
import { inflowRoutes } from './features/inflow/routes.ts';
import { receiptsRoutes } from './features/receipts/routes.ts';
import { residentAdministrationRoutes } from './features/resident-administration/routes.ts';
import { installersRoutes } from './features/installers/routes.ts';
import { appDownloadRoutes } from './features/app-download/routes.ts';
import { importProfilesRoutes } from './features/import-profiles/routes.ts';
import { createImportJobs } from './features/imports/process/import-jobs.ts';
import { importsRoutes } from './features/imports/routes.ts';
import { settlementsRoutes } from './features/settlements/routes.ts';

// This folder.
import type { Dependencies } from './dependencies.ts';
import { createImageOperations } from './image-operations.ts';
import { createTenantReadiness } from './tenant-readiness.ts';

export function createOperations(dependencies: Dependencies) {
  const { config, databases, clock, log, passwordHasher, demo, geocoder, mailer, hosting, releases } = dependencies;
  const principalCache = createPrincipalCache(databases);
  const databaseAccess = createDatabaseAccessIndicator(databases);
  const imageCaches = createImageCaches({ directory: config.cache, log, clock });
  const documentRenderer = createDocumentRenderer();
  const documentGraphCache = createGraphCache({ directory: config.cache, log, clock });
  const throttle = createLoginThrottle(databases);
  const waiters = createDesiredWaiters(databases, () => dependencies.equipmentMetrics.pollOpened());
  const importJobs = createImportJobs({ databases, tenants: config.tenants, clock: () => toMs2000(clock()), log });
  const stopping = new AbortController();
  const otherOperations: readonly Operation[] = [
    ...profileRoutes({ mailer, passwordHasher, throttle, demo, commonPasswords: createCommonPasswords() }),
    ...statisticsRoutes({ databaseAccess }),
    ...placesRoutes,
    ...unitsRoutes,
    ...unitCommandsRoutes(),
    ...documentsRoutes({ renderer: documentRenderer, graphCache: documentGraphCache }),
    ...openingHoursRoutes(),
    ...addressesRoutes({ geocoder }),
    ...accountRoutes({ databases }),
    ...bookingsRoutes,
    ...receiptsRoutes(),
    ...settlementsRoutes(),
    ...residentAdministrationRoutes({
      passwordHasher,
      formatActivationLink: (tenant, code) => formatActivationLink(config, tenant, code),
    }),
    ...installersRoutes(),
    ...servicesRoutes({ passwordHasher, listGrantableOperations: () => grantableOperations }),
    ...computersRoutes({ databases }),
    ...tenantStatusRoutes({ log }),
    ...hostingRoutes({ hosting, clock }),
    ...diagnosticsRoutes(dependencies),
    ...auditRoutes(),
    ...managerAdministrationRoutes(),
    ...importsRoutes({ databases, jobs: importJobs, eventStreamLimits, stopping: stopping.signal }),
    ...importProfilesRoutes,
    ...appDownloadRoutes({ releases, publicScheme: config.publicScheme === '' ? undefined : config.publicScheme }),
    ...createEquipmentOperations(dependencies, waiters),
    ...createImageOperations(imageCaches, clock),
  ];
  const grantableOperations = new Set(otherOperations.filter(acceptsServiceKey).map(({ id }) => id));
  const sessionOperations = sessionsRoutes({
    principalCache,
    passwordHasher,
    throttle,
    demo,
    databaseAccess,
    otherOperations,
  });
  return {
    /** Every operation of the service. */
    operations: [...sessionOperations, ...otherOperations],
    principalCache,
    databaseAccess,
    importJobs,
    /** Ends requests that wait for something to happen: the service stops. */
    stopWaiting: () => {
      waiters.close();
      stopping.abort();
    },
    /** Writes what caches still have to write, and ends threads. */
    close: async () => {
      waiters.close();
      const closed = [importJobs, imageCaches, documentGraphCache, documentRenderer, principalCache, releases];
      await Promise.all(closed.map((each) => each.close()));
    },
  };
}

/** What computers send, and what they have to know. */
const createEquipmentOperations = ({ equipmentMetrics }: Dependencies, waiters: DesiredWaiters): Operation[] => [
  ...inflowRoutes({ metrics: equipmentMetrics }),
  ...desiredStateRoutes({ waiters, eventStreamLimits }),
  ...authorisationRoutes(),
];

const formatActivationLink = (
  { activationUrl, domain }: Dependencies['config'],
  tenant: string,
  code: string,
): string => activationUrl.replaceAll('{tenant}', tenant).replaceAll('{domain}', domain).replaceAll('{code}', code);

/** `portal` has the operations of the Equipment API as well, unless the settings leave them to a process of their own. */
export type Application = 'portal' | 'equipment';

const isServed = (operation: Operation, application: Application, { equipment }: Dependencies['config']): boolean =>
  isOfEquipmentApi(operation) ? application === 'equipment' || equipment : application === 'portal';

/**
 * No other process has the same principals: only the workers of one machine share files of SQLite, and what serves the
 * Equipment API beside them knows only computers.
 */
const isAlone = ({ storage, workers }: Dependencies['config']): boolean => storage.engine === 'sqlite' && workers === 1;

type AppOptions = {
  /** Goes on with imports whose process has ended, and deletes old plans. */
  readonly looksForImports?: boolean;
  /** Aborts when the service is about to stop: until it does, it serves, but is not ready. */
  readonly stopping?: AbortSignal;
};

export async function createApp(
  dependencies: Dependencies,
  application: Application = 'portal',
  { looksForImports = false, stopping }: AppOptions = {},
): Promise<FastifyInstance> {
  const { config, databases, clock, log, liveLog, equipmentLiveLog, metrics } = dependencies;
  const made = createOperations(dependencies);
  const { operations: all, principalCache, databaseAccess, importJobs, stopWaiting, close } = made;
  const operations = all.filter((operation) => isServed(operation, application, config));
  invalidateOnCommit(databases, principalCache);
  const limiter = createRateLimiter(config.rateLimit, isAlone(config) ? undefined : { databases, log, clock });
  const { tenants, domain, allowedOrigins, trustedProxies, connections, tlsCert, tlsKey } = config;
  const tls = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey };
  const app = await createServer({
    tenants,
    domain,
    allowedOrigins,
    tls,
    log,
    liveLog,
    equipmentLiveLog,
    limiter,
    metrics,
    trustedProxies,
    connections,
    unsentLimits: dependencies.unsentLimits,
    operations,
    clock,
    stopping,
  });
  const { passwordHasher } = dependencies;
  const serviceProvider = createServiceProvider({ databases, passwordHasher });
  mountOperations(app, operations, {
    databases,
    principalProvider: principalCache,
    serviceProvider,
    computerProvider: createComputerProvider(databases),
    limiter,
    hashSecret: passwordHasher.hashSecret,
  });
  if (looksForImports) app.addHook('onListen', async () => importJobs.start());
  app.addHook('preClose', (done) => {
    stopWaiting();
    done();
  });
  app.addHook('onClose', async () => {
    await Promise.all([close(), limiter.close(), serviceProvider.close(), dependencies.hosting.stop()]);
  });
  mountHealth(app, {
    tenants: tenants.map(({ name }) => name),
    checkTenant: createTenantReadiness(dependencies, databaseAccess),
    log,
    stopping,
  });
  if (application === 'equipment') mountOpenApiDocument(app, 'equipment', all);
  else {
    mountOpenApiDocuments(app, all);
    mountReference(app);
    mountConsole(app, dependencies.consoleFolder);
  }
  return app;
}
