// Declares GetHostingLogs and GetHostingMetrics.

import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import type { LogLines } from '../../providers/hosting/hosting.ts';
import { logsAccess, metricsAccess } from './access.ts';
import { getHostingLogs, logsMaxAgeMs, type GetHostingLogsDependencies } from './operations/get-hosting-logs.ts';
import { getHostingMetrics, metricsMaxAgeMs, type MetricsSnapshot } from './operations/get-hosting-metrics.ts';
import { ResultCache } from './process/result-cache.ts';
import { HostingLogs, HostingMetrics, HostingLogsQuery, HostingMetricsQuery } from './schemas.ts';

const common = {
  method: 'GET',
  openApiDocuments: ['portal'],
  group: 'Hosting',
  // A source must answer within 8 seconds.
  deadlineMs: 10_000,
  validationProblem: 'invalid-hosting-selection',
  problemCodes: ['hosting-not-configured', 'hosting-unavailable'],
} as const;

export function hostingRoutes({ hosting, clock }: Pick<GetHostingLogsDependencies, 'hosting' | 'clock'>): Operation[] {
  const createCache = <T>(maxAgeMs: number): ResultCache<T> => new ResultCache({ maxAgeMs, clock });
  const logs = createCache<LogLines>(logsMaxAgeMs);
  const snapshots = createCache<MetricsSnapshot>(metricsMaxAgeMs);
  const bandwidths = createCache<string | null>(metricsMaxAgeMs);
  return [
    defineManagerOperation({
      ...common,
      id: 'GetHostingLogs',
      path: '/api/v1/hosting/logs',
      summary: 'Read the newest runtime log lines of an application',
      description:
        'At most 100 lines and 256 KiB. Show them as text, never as HTML. Results and failures are cached for 10 seconds: do not poll faster. Snapshots can overlap. There are no logs of the database, of builds, deployments or crashes.',
      access: logsAccess,
      // Services are kept out, as from the live logs: they have their own logs.
      managersOnly: true,
      query: HostingLogsQuery,
      response: jsonOf(HostingLogs),
      run: ({ query }, context) => getHostingLogs(context, query, { hosting, clock, cache: logs }),
    }),
    defineManagerOperation({
      ...common,
      id: 'GetHostingMetrics',
      path: '/api/v1/hosting/metrics',
      summary: 'Read measurements of an application or of the database',
      description:
        'Results and failures are cached for a minute. A source that failed has an `errorCode`, and the others have their data. An empty series or a null value means that data is missing, never zero. The measurements are those of resources that all tenants share.',
      access: metricsAccess,
      query: HostingMetricsQuery,
      response: jsonOf(HostingMetrics),
      run: ({ query }, context) => getHostingMetrics(context, query, { hosting, clock, snapshots, bandwidths }),
    }),
  ];
}
