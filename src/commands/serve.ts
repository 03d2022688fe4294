// `serve` and `equipment`: opens the databases, serves the API, reports when it is ready, and stops gracefully.

import type { FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createApp, type Application } from '../app.ts';
import type { Config } from '../config.ts';
import { createDatabaseAccessIndicator } from '../database/database-access.ts';
import { createTenantCheck } from '../database/tenant-check.ts';
import { startSimulator } from '../demo/simulator/simulator.ts';
import { logFailedCheck } from '../http/server/readiness.ts';
import { toMs2000 } from '../lib/ms2000.ts';
import { createDependencies, type Dependencies } from '../dependencies.ts';
import { CommandError } from './command-error.ts';
import { seedTenants } from './demo.ts';
import { formatWelcome } from './format-welcome.ts';
import { requireOpenFiles } from './require-open-files.ts';
import { startMetrics } from './start-metrics.ts';
import { stopOnSignal } from './stop-on-signal.ts';

// Nobody waits for it, and everything takes longer while a service starts.
const startCheckDeadlineMs = 10_000;

type Stoppable = { stop(): Promise<void> };

/** Serves the Equipment API alone, on its own port and on the same storage. */
export const serveEquipment = (config: Config): Promise<void> =>
  serve({ ...config, port: config.equipmentPort }, { demo: false, application: 'equipment' });

type ServeOptions = { readonly demo: boolean; readonly application?: Application };

export async function serve(config: Config, { demo, application = 'portal' }: ServeOptions): Promise<void> {
  const dependencies = createDependencies(config, { demo });
  try {
    await startService(dependencies, demo, application);
  } catch (error) {
    // Open databases would keep the process alive.
    await dependencies.databases.close();
    throw error;
  }
}

async function startService(dependencies: Dependencies, demo: boolean, application: Application): Promise<void> {
  const { config, log } = dependencies;
  requireOpenFiles(config, log);
  // Demo data takes a while: an address that cannot be used is reported before.
  if (demo) await tryAddress(config);
  const tenantsWithDemo = demo ? await seedDemoData(dependencies) : [];
  const app = await createApp(dependencies, application, { looksForImports: application === 'portal' });
  await listen(app, config, application);
  const { port } = app.server.address() as AddressInfo;
  // Its figures are those of the application that shows them.
  if (application === 'portal') await dependencies.hosting.start(String(port));
  const metrics = await startMetrics(dependencies, app);
  const scheme = config.tlsCert === undefined ? 'http' : 'https';
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  // It speaks to the Equipment API, which a process of its own may have.
  const simulates = demo && config.simulator && config.equipment;
  const simulator: Stoppable[] = simulates ? [simulate(dependencies, { scheme, port })] : [];
  const stopping = new AbortController();
  const checked = Promise.all([logUnusableTenants(dependencies, stopping.signal), prepareReleases(dependencies)]);

  stopOnSignal(log, async () => {
    stopping.abort();
    await Promise.all([app.close(), ...simulator.map((each) => each.stop()), metrics?.stop()]);
    // The checks of the start end with their databases: on a busy machine they take longer than a stop is allowed to.
    await Promise.all([dependencies.databases.close(), checked]);
  });
  // The process that waits for this line may send a signal right after it.
  printReadyLine({ url: `${scheme}://${host}:${port}`, metricsUrl: metrics?.url ?? null });
  if (application === 'portal' && process.stdout.isTTY)
    process.stdout.write(formatWelcome(config, { scheme, port, tenantsWithDemo }));
}

const everyAddress = new Set(['0.0.0.0', '::']);

/** The gateways of the demo talk to the service over its own address. */
function simulate(dependencies: Dependencies, { scheme, port }: { scheme: string; port: number }): Stoppable {
  const { config } = dependencies;
  const host = everyAddress.has(config.host) ? 'localhost' : config.host;
  const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const address = { url, domain: config.domain, ca: config.tlsCert };
  return startSimulator({ ...dependencies, tenants: config.tenants, address });
}

/** Throws CommandError where the address cannot be listened on. */
async function listen(app: FastifyInstance, config: Config, application: Application): Promise<void> {
  const { host, port } = config;
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw addressError(config, application, error);
  }
}

/** Listens for a moment. Throws CommandError where the address cannot be listened on. */
async function tryAddress(config: Config): Promise<void> {
  const server = createServer().listen({ host: config.host, port: config.port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw addressError(config, 'portal', error);
  }
  server.close();
  await once(server, 'close');
}

const portSettings: Readonly<Record<Application, string>> = {
  portal: 'PORTAL_PORT',
  equipment: 'PORTAL_EQUIPMENT_PORT',
};

/** By the codes of the system. */
const addressRemedies: Readonly<Record<string, (portSetting: string) => string>> = {
  EADDRINUSE: (portSetting) =>
    `another program uses it: stop that program, or choose another port with ${portSetting} (0 takes a free one)`,
  EACCES: (portSetting) => `the system reserves it: choose a port above 1023 with ${portSetting}`,
  EADDRNOTAVAIL: () => 'this machine does not have the address: choose another one with PORTAL_HOST',
  ENOTFOUND: () => 'nothing is known by the name: choose an address with PORTAL_HOST',
};

function addressError({ host, port }: Config, application: Application, error: unknown): CommandError {
  const { code = String(error) } = error as NodeJS.ErrnoException;
  const portSetting = portSettings[application];
  const remedy = addressRemedies[code]?.(portSetting);
  const reason = remedy === undefined ? code : `${code}, ${remedy}`;
  return new CommandError(`PORTAL_HOST, ${portSetting}: cannot listen on ${host} port ${port}: ${reason}`, 1);
}

/** Written at any log level, since the starting process may wait for this line. */
function printReadyLine(facts: { url: string; metricsUrl: string | null }): void {
  process.stdout.write(
    `${JSON.stringify({ level: 'info', time: new Date().toISOString(), msg: 'ready', ...facts })}\n`,
  );
}

/** Returns the names of the tenants that have demo data. */
async function seedDemoData({ config, clock, log }: Dependencies): Promise<string[]> {
  const names: string[] = [];
  await seedTenants(
    config,
    config.tenants,
    { now: toMs2000(clock()) },
    {
      onSeeded: (tenant, outcome) => {
        if (outcome === 'foreign') log.warn({ tenant }, 'the database has other data: no demo data was created');
        else {
          names.push(tenant);
          log.info({ tenant, outcome }, 'demo data');
        }
      },
      onFailed: (failed) => logFailedCheck(log, failed, 'no demo data was created'),
      onWaiting: (tenant) => log.info({ tenant }, 'waiting for another process that creates the demo data'),
      onProgress: (tenant, written, total) => log.info({ tenant, written, total }, 'creating demo data'),
    },
  );
  return names;
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
async function logUnusableTenants({ config, databases, log }: Dependencies, stopping: AbortSignal): Promise<void> {
  const databaseAccess = createDatabaseAccessIndicator(databases, startCheckDeadlineMs);
  const checkTenant = createTenantCheck(databases, databaseAccess, startCheckDeadlineMs);
  await Promise.all(
    config.tenants.map(async ({ name }) => {
      const failed = await checkTenant(name);
      if (failed !== undefined && !stopping.aborted) logFailedCheck(log, failed, 'the tenant cannot be served');
    }),
  );
}
