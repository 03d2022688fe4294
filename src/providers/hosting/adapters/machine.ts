// Provides the logs and metrics of the machine that the service runs on: of its own process and log, and of its
// database. It sends no requests.

import type { HostedApplication, HostingApplication, LogSource, ReadMetric } from '../hosting.ts';
import type { OwnApplication } from '../own-log-lines.ts';
import type { MachineMonitor } from '../machine/machine-monitor.ts';
import type { Readings } from '../machine/samples.ts';

/** The log of this process, of each application that it serves. */
export type OwnLogs = Readonly<Record<OwnApplication, LogSource | undefined>>;

/** Undefined for applications that are not part of this service. */
export function createMachineApplication(
  application: HostingApplication,
  monitor: MachineMonitor,
  ownLogs: OwnLogs,
): HostedApplication | undefined {
  if (application === 'portal-web') return undefined;
  if (application !== 'mysql') return createOwnApplication(application, monitor, ownLogs[application]);
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

/** The figures are those of the process, whose name the series have. */
function createOwnApplication(
  application: OwnApplication,
  monitor: MachineMonitor,
  logs: LogSource | undefined,
): HostedApplication | undefined {
  if (logs === undefined) return undefined;
  const read =
    (name: keyof Readings): ReadMetric =>
    (window) =>
      monitor.readOwnSeries('portal-api', name, window);
  const metrics = { cpu: read('cpuPercent'), memory: read('memoryPercent'), restarts: read('restarts') };
  // The bytes are counted for the whole process: shown twice, they would be added up.
  return application === 'portal-api'
    ? { logs, metrics, readBandwidth: (dateUtc) => monitor.readSentBytes(dateUtc) }
    : { logs, metrics };
}
