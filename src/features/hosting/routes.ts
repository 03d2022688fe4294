// Declares GetHostingLogs and GetHostingMetrics.

import { defineManagerOperation, type Operation } from '../../http/operation.ts';
import { logsAccess, metricsAccess } from './access.ts';
import { createGetHostingLogs, type HostingDependencies } from './operations/get-hosting-logs.ts';
import { createGetHostingMetrics } from './operations/get-hosting-metrics.ts';
import { HostingLogs, HostingMetrics, LogsQuery, MetricsQuery } from './schemas.ts';

const common = {
  method: 'GET',
  documents: ['portal'],
  group: 'Hosting',
  // A source has 8 seconds.
  deadlineMs: 10_000,
  validationProblem: 'invalid-hosting-selection',
  problemCodes: ['hosting-not-configured', 'hosting-unavailable'],
} as const;

const createLogsOperation = (dependencies: HostingDependencies): Operation => {
  const getHostingLogs = createGetHostingLogs(dependencies);
  return defineManagerOperation({
    ...common,
    id: 'GetHostingLogs',
    path: '/api/v1/hosting/logs',
    summary: 'Read the newest runtime log lines of an application',
    description:
      'At most 100 lines and 256 KiB. Show them as text, never as HTML. What was read, or failed, is kept for 10 seconds: poll no faster. Snapshots may overlap. There are no logs of the database, of builds, deployments or crashes.',
    access: logsAccess,
    // As the live logs: programs have logs of their own.
    managersOnly: true,
    query: LogsQuery,
    response: HostingLogs,
    run: ({ query }, context) => getHostingLogs(context, query),
  });
};

const createMetricsOperation = (dependencies: HostingDependencies): Operation => {
  const getHostingMetrics = createGetHostingMetrics(dependencies);
  return defineManagerOperation({
    ...common,
    id: 'GetHostingMetrics',
    path: '/api/v1/hosting/metrics',
    summary: 'Read measurements of an application or of the database',
    description:
      'What was read, or failed, is kept for a minute. A source that failed has an `errorCode`, while the others have their data. An empty series, and a value of null, say that data is missing; they never mean zero. The measurements are of what all tenants share.',
    access: metricsAccess,
    query: MetricsQuery,
    response: HostingMetrics,
    run: ({ query }, context) => getHostingMetrics(context, query),
  });
};

export const hostingRoutes = (dependencies: HostingDependencies): Operation[] => [
  createLogsOperation(dependencies),
  createMetricsOperation(dependencies),
];
