// The schemas of the operations on hosting.

import { Type, type Static } from 'typebox';
import { namedEnum, namedObject, nullable, useOf } from '../../http/named-schemas.ts';
import { closedObject, environmentSchema, instant } from '../../http/schema-types.ts';
import { hostingApplications, loggedApplications, metricNames } from '../../providers/hosting/hosting.ts';

const environment = useOf(environmentSchema, { description: 'The environment that is looked at.' });
const environmentOfQuery = useOf(environmentSchema, {
  description: 'The environment to look at, whatever the request host is.',
  default: 'beta',
});

/** Those that have logs, and live logs. */
export const loggedApplication = namedEnum('LoggedApplication', loggedApplications, 'An application that has logs.');
const application = namedEnum('HostingApplication', hostingApplications, 'An application, or the database (mysql).');

export const LogsQuery = closedObject({
  environment: environmentOfQuery,
  application: useOf(loggedApplication, { default: 'portal-api' }),
});
export type LogsQuery = Static<typeof LogsQuery>;

export const windowHours = [1, 6, 24] as const;

export const MetricsQuery = closedObject({
  environment: environmentOfQuery,
  application: useOf(application, { default: 'portal-api' }),
  hours: Type.Unsafe<(typeof windowHours)[number]>({
    type: 'integer',
    enum: windowHours,
    default: 24,
    description: 'How many hours to look back.',
  }),
});
export type MetricsQuery = Static<typeof MetricsQuery>;

export const HostingLogs = namedObject('HostingLogs', {
  environment,
  application: loggedApplication,
  fetchedAtUtc: instant('When the lines were read.'),
  lines: Type.Array(Type.String(), {
    maxItems: 100,
    description: 'Plain text, oldest first; at most 100 lines, of 256 KiB together.',
  }),
  truncated: Type.Boolean({ description: 'Whether older lines, or parts of lines, were left out.' }),
});
export type HostingLogs = Static<typeof HostingLogs>;

export const sourceUnavailable = 'hosting-source-unavailable';

const errorCode = nullable(
  Type.String({
    description: `\`${sourceUnavailable}\` where the source failed; null otherwise, even where it has no data.`,
  }),
);

const MetricPoint = namedObject('HostingMetricPoint', {
  timestampUtc: instant('When it was measured.'),
  value: nullable(Type.Number({ description: 'Null where nothing was measured: never zero for that.' })),
});

const MetricSeries = namedObject('HostingMetricSeries', {
  component: Type.String({ description: 'Label for display: a number where the source has none. No identity.' }),
  instance: Type.String({ description: 'Label for display: a number where the source has none. No identity.' }),
  points: Type.Array(MetricPoint, { description: 'By time.' }),
});
export type MetricSeries = Static<typeof MetricSeries>;

const Metric = namedObject('HostingMetric', {
  name: namedEnum(
    'HostingMetricName',
    metricNames,
    'Applications have cpu, memory and restarts; mysql has cpu, memory, disk and connections.',
  ),
  unit: namedEnum('HostingMetricUnit', ['percent', 'count'], 'Of the values.'),
  series: Type.Array(MetricSeries, { description: 'Empty where data is missing.' }),
  errorCode,
});
export type Metric = Static<typeof Metric>;

const Bandwidth = namedObject('HostingBandwidth', {
  dateUtc: Type.String({ format: 'date', description: 'Yesterday in UTC, whatever `hours` is.' }),
  bytes: nullable(
    Type.String({
      pattern: '^[0-9]{1,20}$',
      description: 'Bytes sent on that day: an unsigned 64-bit number in decimal digits; null where that is not known.',
    }),
  ),
  errorCode,
});
export type Bandwidth = Static<typeof Bandwidth>;

export const HostingMetrics = namedObject('HostingMetrics', {
  environment,
  application,
  fromUtc: instant('Begin of the window.'),
  toUtc: instant('End of the window.'),
  fetchedAtUtc: instant('When the measurements were read.'),
  refreshAfterSeconds: Type.Integer({ format: 'int32', description: 'Until then the answer stays the same.' }),
  metrics: Type.Array(Metric),
  bandwidth: nullable(Bandwidth),
});
export type HostingMetrics = Static<typeof HostingMetrics>;
