// GetHostingMetrics: reads measurements of an application or of the database, and the bytes that an application sent
// yesterday.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatUtc, toMs2000 } from '../../../lib/time/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import {
  HostingSourceError,
  metricsOfApplication,
  type Hosting,
  type HostedApplication,
  type HostingApplication,
  type MetricName,
  type TimeWindow,
} from '../../../providers/hosting/hosting.ts';
import type { ResultCache, SourceResult } from '../process/result-cache.ts';
import { toShownSeries } from '../rules/shown-series.ts';
import {
  hostingSourceUnavailable,
  type HostingBandwidth,
  type HostingMetrics,
  type HostingMetric,
  type HostingMetricSeries,
  type HostingMetricsQuery,
} from '../schemas.ts';
import { dayMs, hourMs } from '../../../lib/time/durations.ts';

export const metricsMaxAgeMs = 60_000;

type GetHostingMetricsDependencies = {
  readonly hosting: Hosting;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly snapshots: ResultCache<MetricsSnapshot>;
  /** Cached separately: yesterday is the same for snapshots of all windows. */
  readonly bandwidths: ResultCache<string | null>;
};

export async function getHostingMetrics(
  _context: ManagerContext,
  { environment, application, hours }: HostingMetricsQuery,
  { hosting, clock, snapshots, bandwidths }: GetHostingMetricsDependencies,
): Promise<HostingMetrics> {
  const hosted = hosting.find({ environment, application });
  if (hosted === undefined || countSources(hosted) === 0) throw new Problem('hosting-not-configured');
  const selected = `${environment}/${application}`;
  const nowMs = clock();
  const dateUtc = new Date(nowMs - dayMs).toISOString().slice(0, 10);
  const [snapshot, bandwidth] = await Promise.all([
    snapshots.get(`${selected}/${hours}`, () =>
      readSnapshot(hosted, application, { fromMs: nowMs - hours * hourMs, toMs: nowMs }),
    ),
    // Not a part of the snapshot, which would cache for another minute what was read for another window.
    application === 'mysql' ? null : readBandwidth(hosted, dateUtc, bandwidths, selected),
  ]);
  if (!snapshot.ok || hasFailed(hosted, [...snapshot.value.metrics, bandwidth]))
    throw new Problem('hosting-unavailable', { retryAfterSeconds: metricsMaxAgeMs / 1000 });
  const { window, metrics } = snapshot.value;
  return {
    environment,
    application,
    fromUtc: toUtc(window.fromMs),
    toUtc: toUtc(window.toMs),
    fetchedAtUtc: toUtc(snapshot.fetchedAt),
    refreshAfterSeconds: metricsMaxAgeMs / 1000,
    metrics,
    bandwidth,
  };
}

const toUtc = (epochMs: number): string => formatUtc(toMs2000(epochMs));

export type MetricsSnapshot = { readonly window: TimeWindow; readonly metrics: HostingMetric[] };

const countSources = ({ metrics, readBandwidth: read }: HostedApplication): number =>
  Object.keys(metrics).length + (read === undefined ? 0 : 1);

/** Whether every source failed. A metric without a source has not failed. */
const hasFailed = (hosted: HostedApplication, answers: readonly (HostingMetric | HostingBandwidth | null)[]): boolean =>
  answers.filter((each) => each?.errorCode === hostingSourceUnavailable).length === countSources(hosted);

async function readSnapshot(
  hosted: HostedApplication,
  application: HostingApplication,
  window: TimeWindow,
): Promise<MetricsSnapshot> {
  const names = metricsOfApplication(application);
  return { window, metrics: await Promise.all(names.map((name) => readMetric(hosted, name, window))) };
}

async function readMetric(
  { metrics }: HostedApplication,
  name: MetricName,
  window: TimeWindow,
): Promise<HostingMetric> {
  const unit = name === 'restarts' || name === 'connections' ? 'count' : 'percent';
  const series = await unlessFailed(async () => toShownSeries((await metrics[name]?.(window)) ?? []));
  return series === undefined
    ? { name, unit, series: [], errorCode: hostingSourceUnavailable }
    : { name, unit, series, errorCode: null };
}

/** Undefined if the source failed. */
async function unlessFailed(read: () => Promise<HostingMetricSeries[]>): Promise<HostingMetricSeries[] | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HostingSourceError) return undefined;
    throw error;
  }
}

async function readBandwidth(
  { readBandwidth: read }: HostedApplication,
  dateUtc: string,
  cache: ResultCache<string | null>,
  selected: string,
): Promise<HostingBandwidth> {
  if (read === undefined) return { dateUtc, bytes: null, errorCode: null };
  const result: SourceResult<string | null> = await cache.get(`${selected}/${dateUtc}`, () => read(dateUtc));
  return { dateUtc, bytes: result.ok ? result.value : null, errorCode: result.ok ? null : hostingSourceUnavailable };
}
