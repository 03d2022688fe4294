// Creates the hosting of the operator's file; without a file, that of this machine for both environments. It logs
// failures, without URLs and tokens.

import type { Logger } from 'pino';
import { createDigitalOceanApp, createDigitalOceanDatabase } from './adapters/digitalocean.ts';
import { createMachineApplication, type OwnLogs } from './adapters/machine.ts';
import { createPrometheusLokiApplication } from './adapters/prometheus-loki.ts';
import type { EndpointSettings, HostingResource, HostingSettings } from './hosting-settings.ts';
import {
  hostingApplications,
  hostingEnvironments,
  HostingSourceError,
  type HostedApplication,
  type Hosting,
  type HostingApplication,
  type HostingSelection,
} from './hosting.ts';
import type { MachineMonitor } from './machine/machine-monitor.ts';
import { showLine } from './own-log-lines.ts';
import { createHostingClient, type HostingClient } from './hosting-client.ts';

type CreateHostingDependencies = {
  readonly log: Logger;
  readonly monitor: MachineMonitor;
  readonly ownLogs: OwnLogs;
};

/** Returns the hosting of this machine if there are no settings. */
export function createHosting(settings: HostingSettings | undefined, dependencies: CreateHostingDependencies): Hosting {
  const { monitor } = dependencies;
  const createApplication = createApplicationFactory(settings, dependencies);
  const applications = new Map(
    hostingEnvironments.flatMap((environment) =>
      hostingApplications.map((application) => {
        const selection = { environment, application };
        const created = createApplication(selection);
        if (created === undefined) return [keyOf(selection), undefined];
        const observed = observeFailures(created, selection, dependencies.log);
        return [keyOf(selection), hideOtherTenants(observed, selection)];
      }),
    ),
  );
  return {
    find: (selection) => applications.get(keyOf(selection)),
    start: (instance) => monitor.start(instance),
    stop: () => monitor.stop(),
  };
}

const keyOf = ({ environment, application }: HostingSelection): string => `${environment}/${application}`;

function createApplicationFactory(
  settings: HostingSettings | undefined,
  { monitor, ownLogs }: CreateHostingDependencies,
): (selection: HostingSelection) => HostedApplication | undefined {
  const ofMachine = (application: HostingApplication) => createMachineApplication(application, monitor, ownLogs);
  if (settings === undefined) return ({ application }) => ofMachine(application);
  const findAccess = createClientFinder();
  return ({ environment, application }) => {
    const resource: HostingResource | undefined = settings.resources[environment][application];
    switch (resource?.type) {
      case 'digitalocean-app':
        return createDigitalOceanApp(resource, findAccess(resource.provider.api));
      case 'digitalocean-database':
        return createDigitalOceanDatabase(resource, findAccess(resource.provider.api));
      case 'prometheus-loki': {
        const { prometheus, loki } = resource.provider;
        return createPrometheusLokiApplication(resource, {
          prometheus: prometheus === undefined ? undefined : findAccess(prometheus),
          loki: loki === undefined ? undefined : findAccess(loki),
        });
      }
      case 'machine':
        return ofMachine(application);
      case undefined:
        return undefined;
    }
  };
}

/** Resources of one provider share its client, and so its request rate. */
function createClientFinder(): (settings: EndpointSettings) => HostingClient {
  const clients = new Map<EndpointSettings, HostingClient>();
  return (settings) => clients.getOrInsertComputed(settings, createHostingClient);
}

/** The log of this service has lines of all tenants, wherever it is stored. */
function hideOtherTenants(hosted: HostedApplication, { application }: HostingSelection): HostedApplication {
  const { logs } = hosted;
  const isOfService = application === 'portal-api' || application === 'equipment-api';
  if (!isOfService || logs === undefined || logs.dependsOnTenant) return hosted;
  return { ...hosted, logs: { ...logs, showLine } };
}

/** Turns everything that is thrown into a HostingSourceError, and logs it. */
function observeFailures(
  { logs, metrics, readBandwidth }: HostedApplication,
  selection: HostingSelection,
  log: Logger,
): HostedApplication {
  const observe =
    <Query, Answer>(source: string, read: (query: Query) => Promise<Answer>) =>
    async (query: Query): Promise<Answer> => {
      try {
        return await read(query);
      } catch (error) {
        const facts = { ...selection, source };
        if (!(error instanceof HostingSourceError)) {
          log.error({ err: error, ...facts }, 'a source of hosting has a defect');
          throw new HostingSourceError('a defect', { cause: error });
        }
        log.warn({ ...facts, reason: error.message }, 'a source of hosting failed');
        throw error;
      }
    };
  const observed = Object.entries(metrics).map(([name, read]) => [name, observe(name, read)]);
  return {
    metrics: Object.fromEntries(observed) as HostedApplication['metrics'],
    ...(logs === undefined ? {} : { logs: { ...logs, read: observe('logs', logs.read) } }),
    ...(readBandwidth === undefined ? {} : { readBandwidth: observe('bandwidth', readBandwidth) }),
  };
}
