// Makes the service's long-lived parts from its config: databases, clock, log, metrics, password hasher, geocoder, mailer,
// hosting, releases.

import { join } from 'node:path';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Config } from './config.ts';
import { openDatabases, type Databases } from './database/databases.ts';
import { createPasswordHasher } from './features/passwords/process/password-hasher.ts';
import { countWaitingLines } from './features/inflow/queries/held-lines.ts';
import { createEquipmentMetrics } from './http/monitoring/equipment-metrics.ts';
import { createHttpMetrics, type HttpMetrics } from './http/monitoring/metrics.ts';
import { unsentLimits } from './http/limits/limits.ts';
import { createLog } from './log.ts';
import { createDemoGeocoder } from '../demo/demo-geocoder.ts';
import { createGeocoder } from './providers/geocoding/create-geocoder.ts';
import type { Geocoder } from './providers/geocoding/geocoder.ts';
import { createConfiguredGeocoder } from './providers/geocoding/create-configured-geocoder.ts';
import { createHosting } from './providers/hosting/create-hosting.ts';
import {
  createEmbeddedDatabaseGauge,
  createServerGauge,
  type DatabaseGauge,
} from './providers/hosting/machine/database-gauge.ts';
import { MachineMonitor } from './providers/hosting/machine/machine-monitor.ts';
import { createOwnLogSource } from './providers/hosting/machine/own-logs.ts';
import { readServerStatus } from './providers/hosting/queries/server-status.ts';
import { createLiveLog } from './lib/live-log/live-log.ts';
import { createLiveLogSources } from './providers/live-logs/live-log-sources.ts';
import { createMailer } from './providers/mail/create-mailer.ts';
import { openReleases } from './providers/releases/releases.ts';
import { readPostalCity } from './providers/geocoding/queries/postal-codes.ts';
import { createRecentLogLines } from './recent-log-lines.ts';

export type Dependencies = ReturnType<typeof createDependencies>;

type DependenciesOptions = {
  readonly demo: boolean;
  /** Epoch milliseconds. */
  readonly clock?: () => number;
  /** In place of the one that the config asks for. */
  readonly geocoder?: Geocoder;
  /** The number of this process, if it is one of several workers. */
  readonly worker?: number;
};

export function createDependencies(config: Config, { demo, clock = Date.now, geocoder, worker }: DependenciesOptions) {
  const logLines = createRecentLogLines();
  const liveLog = createLiveLog(clock);
  const log = createLog(config.logLevel, undefined, { lines: logLines, liveLog, worker });
  const databases = openDatabases(config.storage, (node, failed) => {
    if (failed === undefined) log.info({ node }, 'the node can be used again');
    else log.warn({ node, ...failed }, 'the node cannot be used');
  });
  const registry = new Registry();
  const metrics = createHttpMetrics(registry);
  return {
    config,
    /** The service runs with demo data and accepts the demo password. */
    demo,
    databases,
    /** Epoch milliseconds. */
    clock,
    log,
    /** What the log got lately, for managers. */
    liveLog,
    /** What the log got lately of the Equipment API: its many requests displace nothing else. */
    equipmentLiveLog: createLiveLog(clock),
    /** The sources by which other programs of the operator tell what they logged lately. */
    liveLogSources: createLiveLogSources(config.liveLogs),
    metrics,
    equipmentMetrics: createEquipmentMetrics(registry, () => countHeldLines(config, databases)),
    passwordHasher: createPasswordHasher(),
    geocoder: geocoder ?? selectGeocoder(config, demo, { databases, log, metrics }),
    mailer: createMailer({
      smtp: config.smtp,
      from: config.mailFrom ?? { name: '', address: `portal@${config.domain}` },
      outbox: config.mailOutbox,
      clock,
    }),
    releases: openReleases({ root: selectReleases(config, demo), log }),
    hosting: createHosting(config.hosting, {
      log,
      monitor: new MachineMonitor({
        folder: config.hostingState,
        clock,
        log,
        countSentBytes: () => metrics.countSentBytes(),
        database: createDatabaseGauge(config, databases),
      }),
      ownLogs: {
        'portal-api': createOwnLogSource(logLines, 'portal-api'),
        'equipment-api': config.equipment ? createOwnLogSource(logLines, 'equipment-api') : undefined,
      },
    }),
    unsentLimits,
    /** The folder into which the build has put the console. */
    consoleFolder: join(import.meta.dirname, '../console/dist'),
  };
}

// Somebody waits for the metrics.
const heldLinesDeadlineMs = 2000;

/** A tenant whose database does not answer is left out. */
async function countHeldLines({ tenants }: Config, databases: Databases): Promise<Map<string, number>> {
  const read = { deadlineMs: heldLinesDeadlineMs };
  const counts = await Promise.allSettled(
    tenants.map(async ({ name }) => [name, await databases.forTenant(name).read(read, countWaitingLines)] as const),
  );
  return new Map(counts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
}

const demoReleases = join(import.meta.dirname, '../assets/releases');

/** The folder of the settings; without one, that of the demo or none. */
function selectReleases({ releases }: Config, demo: boolean): string | undefined {
  if (releases !== '') return releases;
  return demo ? demoReleases : undefined;
}

// Between two requests that ask for a graph.
const serverStatusDeadlineMs = 3000;

/** All tenants are on one server, or in one folder: the first one stands for them. */
function createDatabaseGauge({ storage, tenants }: Config, databases: Databases): DatabaseGauge {
  if (storage.engine === 'sqlite') return createEmbeddedDatabaseGauge(storage.directory);
  const [tenant] = tenants;
  if (tenant === undefined) throw new Error('the service has no tenants');
  const read = { deadlineMs: serverStatusDeadlineMs };
  return createServerGauge(() => databases.forTenant(tenant.name).read(read, readServerStatus));
}

// Somebody waits for the answer, which is a single row.
const postalCityDeadlineMs = 2000;

/** The geocoder of the settings; without them, that of the demo or none. */
function selectGeocoder(
  { geocoder: settings }: Config,
  demo: boolean,
  { databases, log, metrics }: { readonly databases: Databases; readonly log: Logger; readonly metrics: HttpMetrics },
): Geocoder {
  if (settings === undefined) return demo ? createDemoGeocoder() : createGeocoder(new Map());
  return createConfiguredGeocoder(settings, {
    log,
    countLookup: (labels) => metrics.geocoderLookupEnded(labels),
    readPostalCity: (query) =>
      databases.forTenant(query.tenant).read({ deadlineMs: postalCityDeadlineMs }, (db) => readPostalCity(db, query)),
  });
}
