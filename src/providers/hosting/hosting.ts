// Where the service and its companions run: their logs and measurements, whoever provides them. An adapter makes the sources
// of an application; a source that fails throws HostingSourceError.

export const hostingEnvironments = ['beta', 'production'] as const;
export type HostingEnvironment = (typeof hostingEnvironments)[number];

/** The applications that have logs. */
export const loggedApplications = ['portal-api', 'equipment-api', 'portal-web'] as const;
export const hostingApplications = [...loggedApplications, 'mysql'] as const;
export type HostingApplication = (typeof hostingApplications)[number];

export const metricNames = ['cpu', 'memory', 'disk', 'restarts', 'connections'] as const;
export type MetricName = (typeof metricNames)[number];

/** What is measured of an application. */
export const metricsOfApplication = (application: HostingApplication): readonly MetricName[] =>
  application === 'mysql' ? ['cpu', 'memory', 'disk', 'connections'] : ['cpu', 'memory', 'restarts'];

/** Epoch milliseconds. */
export type TimeWindow = { readonly fromMs: number; readonly toMs: number };

/** A null value: nothing was measured then. */
export type MetricPoint = { readonly atMs: number; readonly value: number | null };

export type MetricSeries = {
  /** Undefined where the source names none. */
  readonly component: string | undefined;
  readonly instance: string | undefined;
  /** By time. */
  readonly points: readonly MetricPoint[];
};

export type LogLines = {
  /** Oldest first; as they are, with whatever control characters they have. */
  readonly lines: readonly string[];
  /** Lines before these were left out. */
  readonly truncated: boolean;
};

export type LogsQuery = {
  /** A source whose lines concern tenants shows those of this one, and those of none. */
  readonly tenant: string;
  readonly nowMs: number;
  /** How many of the newest lines are wanted. A source may give more than that. */
  readonly maxLines: number;
};

export type LogSource = {
  /** What it reads differs by tenant. */
  readonly dependsOnTenant: boolean;
  read(query: LogsQuery): Promise<LogLines>;
  /** A line that was read as a tenant may see it; undefined: not at all. Without it, every tenant sees every line. */
  readonly showLine?: (line: string, tenant: string) => string | undefined;
};

export type ReadMetric = (window: TimeWindow) => Promise<readonly MetricSeries[]>;

export type HostedApplication = {
  readonly logs?: LogSource;
  /** A metric without a function has no data. */
  readonly metrics: Readonly<Partial<Record<MetricName, ReadMetric>>>;
  /** Bytes that were sent on a day in UTC (`2026-05-31`), as decimal digits; null where that is not known. */
  readonly readBandwidth?: (dateUtc: string) => Promise<string | null>;
};

export type HostingSelection = {
  readonly environment: HostingEnvironment;
  readonly application: HostingApplication;
};

export type Hosting = {
  /** Undefined where nothing is configured. */
  find(selection: HostingSelection): HostedApplication | undefined;
  /** Begins to measure this machine. `instance` is this process among others on it. */
  start(instance: string): Promise<void>;
  /** Ends that, and stores what was measured. */
  stop(): Promise<void>;
};

/** A source that did not give what it was asked for. Its message is for the log. */
export class HostingSourceError extends Error {
  override name = 'HostingSourceError';
}
