// Reads logs and metrics of applications and databases from DigitalOcean's API
// (https://docs.digitalocean.com/reference/api/): App Platform, and managed MySQL.

import type { DigitalOceanApp, DigitalOceanDatabase, DigitalOceanSettings } from '../hosting-settings.ts';
import { HostingSourceError, requireByteCount, type HostedApplication, type ReadMetric } from '../hosting.ts';
import { readMatrix, requireObject, toSeries, type SeriesLabels } from '../prometheus-matrix.ts';
import type { HostingClient } from '../hosting-client.ts';
import { readRuntimeLogs, type SignedUrlGuard } from './digitalocean-logs.ts';

type Query = Readonly<Record<string, string>>;

const appLabels = { component: 'app_component', instance: 'app_component_instance' };
const noLabels = { component: undefined, instance: undefined };

export function createDigitalOceanApp(
  { appId, component, provider }: DigitalOceanApp,
  client: HostingClient,
): HostedApplication {
  const ofApp = { app_id: appId, ...(component === undefined ? {} : { app_component: component }) };
  const read = (name: string): ReadMetric => createReader(client, `apps/${name}`, ofApp, appLabels);
  const guard = createGuard(provider);
  return {
    logs: {
      dependsOnTenant: false,
      read: ({ maxLines }) => readRuntimeLogs({ appId, component, maxLines }, client, guard),
    },
    metrics: { cpu: read('cpu_percentage'), memory: read('memory_percentage'), restarts: read('restart_count') },
    readBandwidth: (dateUtc) => readBandwidth(client, appId, dateUtc),
  };
}

export function createDigitalOceanDatabase(
  { databaseId, service }: DigitalOceanDatabase,
  client: HostingClient,
): HostedApplication {
  const read = (name: string, query: Query): ReadMetric =>
    createReader(client, `database/mysql/${name}`, { db_id: databaseId, ...query }, noLabels);
  // The average over all nodes of the cluster.
  const average = { aggregate: 'avg' };
  return {
    metrics: {
      cpu: read('cpu_usage', average),
      memory: read('memory_usage', average),
      disk: read('disk_usage', average),
      connections: read('threads_connected', service === undefined ? {} : { service }),
    },
  };
}

const createReader =
  (client: HostingClient, path: string, query: Query, labels: SeriesLabels): ReadMetric =>
  async ({ fromMs, toMs }) => {
    const window = { start: toSeconds(fromMs), end: toSeconds(toMs) };
    return toSeries(readMatrix(await client.get(`v2/monitoring/metrics/${path}`, { ...query, ...window })), labels);
  };

const toSeconds = (ms: number): string => String(Math.floor(ms / 1000));

/**
 * Signed URLs have the operator's permissions for the API itself: plain HTTP and private addresses only if the API may
 * use them.
 */
const createGuard = ({ api, logHosts }: DigitalOceanSettings): SignedUrlGuard => ({
  logHosts,
  allowsPlainText: api.baseUrl.protocol === 'http:',
  allowsPrivateAddresses: api.allowsPrivateAddresses,
});

async function readBandwidth(client: HostingClient, appId: string, dateUtc: string): Promise<string | null> {
  const path = `v2/apps/${encodeURIComponent(appId)}/metrics/bandwidth_daily`;
  // The request names the date, so that differing clocks cannot change the day.
  const body = requireObject(await client.get(path, { date: `${dateUtc}T00:00:00Z` }));
  const { app_bandwidth_usage: usage, date } = body;
  if (!String(date).startsWith(`${dateUtc}T`)) throw new HostingSourceError('the bandwidth of another day');
  if (!Array.isArray(usage)) throw new HostingSourceError('an answer of another shape');
  const ofApp = usage.map(requireObject).find(({ app_id: id }) => id === appId);
  return ofApp === undefined ? null : requireByteCount(ofApp['bandwidth_bytes']);
}
