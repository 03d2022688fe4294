// The schemas of the operations on hosting.

import { Type, type Static } from 'typebox';
import { namedEnum, namedObject, nullable, useOf } from '../../http/schemas/named-schemas.ts';
import { closedObject, Environment, instant } from '../../http/schemas/schema-types.ts';
import { hostingApplications, loggedApplications, metricNames } from '../../providers/hosting/hosting.ts';

const environment = useOf(Environment, { description: 'The environment of the answer.' });
const environmentOfQuery = useOf(Environment, {
  description: 'The environment to read, whatever the request host is.',
  default: 'beta',
});

/** The applications that have logs and live logs. */
export const LoggedApplication = namedEnum('LoggedApplication', loggedApplications, 'An application that has logs.');
const HostingApplication = namedEnum(
  'HostingApplication',
  hostingApplications,
  'An application, or the database (mysql).',
);

export const HostingLogsQuery = closedObject({
  environment: environmentOfQuery,
  application: useOf(LoggedApplication, { default: 'portal-api' }),
});
export type HostingLogsQuery = Static<typeof HostingLogsQuery>;

const windowHours = [1, 6, 24] as const;

export const HostingMetricsQuery = closedObject({
  environment: environmentOfQuery,
  application: useOf(HostingApplication, { default: 'portal-api' }),
  hours: Type.Unsafe<(typeof windowHours)[number]>({
    type: 'integer',
    enum: windowHours,
    default: 24,
    description: 'How many hours to look back.',
  }),
});
export type HostingMetricsQuery = Static<typeof HostingMetricsQuery>;

export const HostingLogs = namedObject('HostingLogs', {
  environment,
  application: LoggedApplication,
  fetchedAtUtc: instant('When the lines were read.'),
  lines: Type.Array(Type.String(), {
    maxItems: 100,
    description: 'Plain text, oldest first; at most 100 lines, of 256 KiB together.',
  }),
  truncated: Type.Boolean({ description: 'Whether older lines, or parts of lines, were left out.' }),
});
export type HostingLogs = Static<typeof HostingLogs>;

export const hostingSourceUnavailable = 'hosting-source-unavailable';

const errorCode = nullable(
  Type.String({
    description: `\`${hostingSourceUnavailable}\` if the source failed; null otherwise, even if it has no data.`,
  }),
);

const HostingMetricPoint = namedObject('HostingMetricPoint', {
  timestampUtc: instant('When it was measured.'),
  value: nullable(Type.Number({ description: 'Null if nothing was measured, never zero.' })),
});

const HostingMetricSeries = namedObject('HostingMetricSeries', {
  component: Type.String({ description: 'Label for display: a number where the source has none. No identity.' }),
  instance: Type.String({ description: 'Label for display: a number where the source has none. No identity.' }),
  points: Type.Array(HostingMetricPoint, { description: 'By time.' }),
});
export type HostingMetricSeries = Static<typeof HostingMetricSeries>;

const HostingMetric = namedObject('HostingMetric', {
  name: namedEnum(
    'HostingMetricName',
    metricNames,
    'Applications have cpu, memory and restarts; mysql has cpu, memory, disk and connections.',
  ),
  unit: namedEnum('HostingMetricUnit', ['percent', 'count'], 'Unit of the values.'),
  series: Type.Array(HostingMetricSeries, { description: 'Empty if data is missing.' }),
  errorCode,
});
export type HostingMetric = Static<typeof HostingMetric>;

const HostingBandwidth = namedObject('HostingBandwidth', {
  dateUtc: Type.String({ format: 'date', description: 'Yesterday in UTC, whatever `hours` is.' }),
  bytes: nullable(
    Type.String({
      pattern: '^[0-9]{1,20}$',
      description: 'Bytes sent on that day: an unsigned 64-bit number in decimal digits; null if it is not known.',
    }),
  ),
  errorCode,
});
export type HostingBandwidth = Static<typeof HostingBandwidth>;

export const HostingMetrics = namedObject('HostingMetrics', {
  environment,
  application: HostingApplication,
  fromUtc: instant('Start of the window.'),
  toUtc: instant('End of the window.'),
  fetchedAtUtc: instant('When the measurements were read.'),
  refreshAfterSeconds: Type.Integer({ format: 'int32', description: 'The answer stays the same for this time.' }),
  metrics: Type.Array(HostingMetric),
  bandwidth: nullable(HostingBandwidth),
});
export type HostingMetrics = Static<typeof HostingMetrics>;
