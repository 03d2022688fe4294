// Creates the hosting of a settings file, with access to its log.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createHosting } from '../../../src/providers/hosting/create-hosting.ts';
import { parseHostingSettings } from '../../../src/providers/hosting/hosting-settings.ts';
import {
  HostingSourceError,
  type Hosting,
  type HostingApplication,
  type LogLines,
  type LogSource,
  type MetricName,
  type MetricSeries,
} from '../../../src/providers/hosting/hosting.ts';
import { createEmbeddedDatabaseGauge } from '../../../src/providers/hosting/machine/database-gauge.ts';
import { MachineMonitor } from '../../../src/providers/hosting/machine/machine-monitor.ts';

/** The result of a source that failed. */
export const failed = Symbol('failed');

export type ObservedHosting = {
  readonly hosting: Hosting;
  readonly logLines: string[];
  readLogs(application?: HostingApplication): Promise<LogLines | typeof failed>;
  readMetric(name: MetricName, application?: HostingApplication): Promise<readonly MetricSeries[] | typeof failed>;
  readBandwidth(dateUtc: string): Promise<string | null | typeof failed>;
};

export const nowMs = Date.parse('2026-06-15T09:30:00Z');
const window = { fromMs: nowMs - 6 * 3_600_000, toMs: nowMs };

const noLines: LogSource = { dependsOnTenant: true, read: async () => ({ lines: [], truncated: false }) };

/** The applications are those of production. */
export function createTestHosting(providers: object, applications: object): ObservedHosting {
  const logLines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
  const settings = { providers, applications: { production: applications } };
  const monitor = new MachineMonitor({
    folder: join(tmpdir(), 'unused'),
    clock: () => nowMs,
    log,
    countSentBytes: () => 0,
    database: createEmbeddedDatabaseGauge(tmpdir()),
  });
  const hosting = createHosting(parseHostingSettings(JSON.stringify(settings), tmpdir()), {
    log,
    monitor,
    ownLogs: { 'portal-api': noLines, 'equipment-api': noLines },
  });
  const find = (application: HostingApplication) => {
    const found = hosting.find({ environment: 'production', application });
    if (found === undefined) throw new Error(`${application} is not configured`);
    return found;
  };
  return {
    hosting,
    logLines,
    readLogs: (application = 'portal-api') =>
      unlessFailed(find(application).logs?.read({ tenant: 'sund', environment: 'production', nowMs, maxLines: 100 })),
    readMetric: (name, application = 'portal-api') => unlessFailed(find(application).metrics[name]?.(window)),
    readBandwidth: (dateUtc) => unlessFailed(find('portal-api').readBandwidth?.(dateUtc)),
  };
}

async function unlessFailed<T>(work: Promise<T> | undefined): Promise<T | typeof failed> {
  if (work === undefined) throw new Error('there is no such source');
  try {
    return await work;
  } catch (error) {
    if (error instanceof HostingSourceError) return failed;
    throw error;
  }
}
