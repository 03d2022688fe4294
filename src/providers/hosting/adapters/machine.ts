// Provides the logs and metrics of the machine that the service runs on: of its own process and log, and of its
// database. It sends no requests.

import type { HostedApplication, HostingApplication, LogSource, ReadMetric } from '../hosting.ts';
import type { MachineMonitor } from '../machine/machine-monitor.ts';
import type { Readings } from '../machine/samples.ts';

/** Undefined for applications that are not part of this service. */
export function createMachineApplication(
  application: HostingApplication,
  monitor: MachineMonitor,
  logs: LogSource,
): HostedApplication | undefined {
  if (application === 'portal-api') {
    const read =
      (name: keyof Readings): ReadMetric =>
      (window) =>
        monitor.readOwnSeries(application, name, window);
    return {
      logs,
      metrics: { cpu: read('cpuPercent'), memory: read('memoryPercent'), restarts: read('restarts') },
      readBandwidth: (dateUtc) => monitor.readSentBytes(dateUtc),
    };
  }
  if (application !== 'mysql') return undefined;
  const read =
    (name: keyof Readings): ReadMetric =>
    (window) =>
      monitor.readDatabaseSeries(application, name, window);
  return {
    metrics: {
      cpu: read('databaseCpuPercent'),
      memory: read('databaseMemoryPercent'),
      disk: read('diskPercent'),
      connections: read('connections'),
    },
  };
}
