// The port for the logs and measurements of the service and its companion applications. An adapter creates the sources
// of an application; a source that fails throws HostingSourceError.

export const hostingEnvironments = ['beta', 'production'] as const;
export type HostingEnvironment = (typeof hostingEnvironments)[number];

/** The applications that have logs. */
export const loggedApplications = ['portal-api', 'equipment-api', 'portal-web'] as const;
export const hostingApplications = [...loggedApplications, 'mysql'] as const;
export type HostingApplication = (typeof hostingApplications)[number];

export const metricNames = ['cpu', 'memory', 'disk', 'restarts', 'connections'] as const;
export type MetricName = (typeof metricNames)[number];

/** The metrics of an application. */
export const metricsOfApplication = (application: HostingApplication): readonly MetricName[] =>
  application === 'mysql' ? ['cpu', 'memory', 'disk', 'connections'] : ['cpu', 'memory', 'restarts'];

/** Epoch milliseconds. */
export type TimeWindow = { readonly fromMs: number; readonly toMs: number };

/** A null value means that nothing was measured then. */
export type MetricPoint = { readonly atMs: number; readonly value: number | null };

export type MetricSeries = {
  /** Undefined if the source names none. */
  readonly component: string | undefined;
  readonly instance: string | undefined;
  /** Ordered by time. */
  readonly points: readonly MetricPoint[];
};

export type LogLines = {
  /** Oldest first and unchanged, with any control characters they have. */
  readonly lines: readonly string[];
  /** Earlier lines were left out. */
  readonly truncated: boolean;
};

/** Who reads a log whose lines belong to tenants and environments: the lines of these are shown, and those of none. */
export type LogReader = { readonly tenant: string; readonly environment: HostingEnvironment };

export type LogsQuery = LogReader & {
  readonly nowMs: number;
  /** How many of the newest lines are wanted. A source may return more. */
  readonly maxLines: number;
};

export type LogSource = {
  /** The result differs by tenant and environment. */
  readonly dependsOnTenant: boolean;
  read(query: LogsQuery): Promise<LogLines>;
  /**
   * The line as the reader may see it; undefined if the reader may not see it. Without this function, every tenant sees
   * every line.
   */
  readonly showLine?: (line: string, reader: LogReader) => string | undefined;
};

export type ReadMetric = (window: TimeWindow) => Promise<readonly MetricSeries[]>;

export type HostedApplication = {
  readonly logs?: LogSource;
  /** A metric without a function has no data. */
  readonly metrics: Readonly<Partial<Record<MetricName, ReadMetric>>>;
  /** The bytes sent on a day in UTC (`2026-05-31`), as decimal digits; null if the number is not known. */
  readonly readBandwidth?: (dateUtc: string) => Promise<string | null>;
};

export type HostingSelection = {
  readonly environment: HostingEnvironment;
  readonly application: HostingApplication;
};

export type Hosting = {
  /** Undefined if nothing is configured. */
  find(selection: HostingSelection): HostedApplication | undefined;
  /** Starts measuring this machine. `instance` names this process among the others on the machine. */
  start(instance: string): Promise<void>;
  /** Stops measuring, and stores the measurements. */
  stop(): Promise<void>;
};

/** A source that failed to return what was requested. The message is for the log. */
export class HostingSourceError extends Error {
  override name = 'HostingSourceError';
}

const maxByteCount = 2n ** 64n - 1n;

/**
 * Returns a count of bytes, which stays a text since it is an exact number. Throws HostingSourceError if it is not an
 * unsigned 64-bit number in decimal digits.
 */
export function requireByteCount(value: unknown): string {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value) || BigInt(value) > maxByteCount)
    throw new HostingSourceError('the count of bytes is not an unsigned 64-bit number');
  return value;
}
