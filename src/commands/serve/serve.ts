// `serve` and `equipment`: opens the databases, serves the API, reports when it is ready, and stops gracefully; in this
// process, or in several workers of it.

import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '../../app.ts';
import type { Config } from '../../config.ts';
import { createDatabaseAccessIndicator } from '../../database/checks/database-access.ts';
import { createTenantCheck } from '../../database/checks/tenant-check.ts';
import { startSimulator } from '../../../demo/simulator/simulator.ts';
import { logFailedCheck } from '../../http/server/readiness.ts';
import { limits } from '../../http/limits/limits.ts';
import type { Tenant } from '../../tenants.ts';
import { createDependencies, type Dependencies } from '../../dependencies.ts';
import { listen, tryAddress } from './listen.ts';
import { reportReady } from './report-ready.ts';
import { requireOpenFiles } from './require-open-files.ts';
import { beginDemoData } from './seed-demo-data.ts';
import type { ServeOptions } from './supervise-workers.ts';
import { startMetrics } from './start-metrics.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { superviseWorkers } from './supervise-workers.ts';
import { connectToSupervisor, type SupervisorLink } from './supervisor-link.ts';

// Nobody waits for it, and everything takes longer while a service starts.
const startCheckDeadlineMs = 10_000;

type Stoppable = { stop(): Promise<void> };

/** Serves the Equipment API alone, on its own port and on the same storage. */
export const serveEquipment = (config: Config): Promise<void> =>
  serve({ ...config, port: config.equipmentPort }, { demo: false, application: 'equipment' });

export async function serve(config: Config, { demo, application = 'portal' }: Partial<ServeOptions>): Promise<void> {
  const options: ServeOptions = { demo: demo === true, application };
  if (config.workers > 1 && cluster.isPrimary) await superviseWorkers(config, options);
  else await serveInProcess(config, options, config.workers > 1 ? await connectToSupervisor() : undefined);
}

/** `supervisor` is that of a worker. */
async function serveInProcess(config: Config, options: ServeOptions, supervisor?: SupervisorLink): Promise<void> {
  const { worker } = supervisor ?? {};
  const dependencies = createDependencies(config, { demo: options.demo, ...(worker === undefined ? {} : { worker }) });
  try {
    await startService(dependencies, options, supervisor);
  } catch (error) {
    // Open databases would keep the process alive.
    await dependencies.databases.close();
    supervisor?.release();
    throw error;
  }
}

async function startService(
  dependencies: Dependencies,
  { demo, application }: ServeOptions,
  supervisor: SupervisorLink | undefined,
): Promise<void> {
  const { config, log, metrics } = dependencies;
  const seeds = demo && supervisor === undefined;
  requireOpenFiles(config, log);
  // Demo data takes a while: an address that cannot be used is reported before.
  if (seeds) await tryAddress(config, application);
  const demoData = seeds ? await beginDemoData(dependencies) : undefined;
  const stopping = new AbortController();
  const looksForImports = application === 'portal';
  const app = await createApp(dependencies, application, { looksForImports, stopping: stopping.signal });
  await listen(app, config, application);
  const { port } = app.server.address() as AddressInfo;
  // Its figures are those of the application that shows them.
  if (application === 'portal')
    await dependencies.hosting.start(supervisor === undefined ? String(port) : `${port}-${supervisor.worker}`);
  const listening =
    supervisor === undefined
      ? await startMetrics({ metrics, config, log }, (request, response) => app.routing(request, response))
      : undefined;
  const scheme = config.tlsCert === undefined ? 'http' : 'https';
  // One of several workers does what is done once.
  const isFirst = supervisor === undefined || supervisor.worker === 1;
  // It speaks to the Equipment API, which a process of its own may have.
  const simulates = demo && config.simulator && config.equipment && isFirst;
  const simulator: Stoppable[] = [];
  const begin = async (tenants: readonly Tenant[]): Promise<void> => {
    if (simulates && !stopping.signal.aborted) simulator.push(simulate(dependencies, tenants, { scheme, port }));
    if (isFirst) await logUnusableTenants(dependencies, tenants, stopping.signal);
  };
  const { others = [], tenantsWithDemo = [] } = demoData ?? {};
  const checked = Promise.all([
    begin(config.tenants.filter((tenant) => !others.includes(tenant))),
    others.length === 0 ? undefined : demoData?.createOthers(stopping.signal).then(() => begin(others)),
    prepareReleases(dependencies),
  ]);

  const delayMs = config.stopDelaySeconds * 1000;
  stopOnSignal(log, delayMs + limits.shutdownMs, async () => {
    stopping.abort();
    // A load balancer learns of it, and sends no more requests.
    if (delayMs > 0) await pause(delayMs);
    await Promise.all([app.close(), ...simulator.map((each) => each.stop()), listening?.stop()]);
    // The checks of the start end with their databases: on a busy machine they take longer than a stop is allowed to.
    await Promise.all([dependencies.databases.close(), checked]);
  });
  // The process that waits for this may send a signal right after it.
  if (supervisor === undefined)
    reportReady(config, { scheme, port, metricsUrl: listening?.url, application, tenantsWithDemo });
  else supervisor.reportReady(dependencies, app, { scheme, port });
}

const everyAddress = new Set(['0.0.0.0', '::']);

/** The gateways of the demo talk to the service over its own address. */
function simulate(
  dependencies: Dependencies,
  tenants: readonly Tenant[],
  { scheme, port }: { scheme: string; port: number },
): Stoppable {
  const { config } = dependencies;
  const host = everyAddress.has(config.host) ? 'localhost' : config.host;
  const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const address = { url, domain: config.domain, ca: config.tlsCert };
  return startSimulator({ ...dependencies, tenants, address });
}

/** A failure here meets the requests too, which answer for it. */
async function prepareReleases({ config, releases, log }: Dependencies): Promise<void> {
  const environments = ['production', 'beta'] as const;
  const sites = config.tenants.flatMap(({ name }) =>
    environments.map((environment) => ({ tenant: name, environment })),
  );
  try {
    await releases.prepare(sites);
  } catch (error) {
    log.error({ err: error }, 'the releases of the Windows app could not be read');
  }
}

/**
 * What fails at the start keeps no other tenant from being served, and is looked at again with each request. What fails
 * because the service stops is not logged.
 */
async function logUnusableTenants(
  { databases, log }: Dependencies,
  tenants: readonly Tenant[],
  stopping: AbortSignal,
): Promise<void> {
  const databaseAccess = createDatabaseAccessIndicator(databases, startCheckDeadlineMs);
  const checkTenant = createTenantCheck(databases, databaseAccess, startCheckDeadlineMs);
  await Promise.all(
    tenants.map(async ({ name }) => {
      const failed = await checkTenant(name);
      if (failed !== undefined && !stopping.aborted) logFailedCheck(log, failed, 'the tenant cannot be served');
    }),
  );
}
