// GetHostingMetrics: measurements of an application or of the database, and the bytes that an application sent yesterday.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatUtc, toMs2000 } from '../../../lib/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import {
  HostingSourceError,
  metricsOfApplication,
  type HostedApplication,
  type HostingApplication,
  type MetricName,
  type TimeWindow,
} from '../../../providers/hosting/hosting.ts';
import { ResultCache, type SourceResult } from '../result-cache.ts';
import { toShownSeries } from '../rules/shown-series.ts';
import {
  sourceUnavailable,
  type Bandwidth,
  type HostingMetrics,
  type Metric,
  type MetricSeries,
  type MetricsQuery,
} from '../schemas.ts';
import type { HostingDependencies } from './get-hosting-logs.ts';

const maxAgeMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type GetHostingMetrics = (context: ManagerContext, query: MetricsQuery) => Promise<HostingMetrics>;

type Caches = {
  readonly snapshots: ResultCache<Snapshot>;
  /** Beside the snapshots, whose windows differ while yesterday is one. */
  readonly bandwidths: ResultCache<string | null>;
};

export function createGetHostingMetrics(dependencies: HostingDependencies): GetHostingMetrics {
  const { clock } = dependencies;
  const isFailure = (error: unknown): boolean => error instanceof HostingSourceError;
  const caches: Caches = {
    snapshots: new ResultCache({ maxAgeMs, clock, isFailure }),
    bandwidths: new ResultCache({ maxAgeMs, clock, isFailure }),
  };
  return (_context, query) => getHostingMetrics(query, { ...dependencies, ...caches });
}

export async function getHostingMetrics(
  { environment, application, hours }: MetricsQuery,
  { hosting, clock, snapshots, bandwidths }: HostingDependencies & Caches,
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
    // Each time, since a snapshot would keep for another minute what was read for another window.
    application === 'mysql' ? null : readBandwidth(hosted, dateUtc, bandwidths, selected),
  ]);
  if (!snapshot.ok || hasFailed(hosted, [...snapshot.value.metrics, bandwidth]))
    throw new Problem('hosting-unavailable', { retryAfterSeconds: maxAgeMs / 1000 });
  const { window, metrics } = snapshot.value;
  return {
    environment,
    application,
    fromUtc: toUtc(window.fromMs),
    toUtc: toUtc(window.toMs),
    fetchedAtUtc: toUtc(snapshot.fetchedAt),
    refreshAfterSeconds: maxAgeMs / 1000,
    metrics,
    bandwidth,
  };
}

const toUtc = (epochMs: number): string => formatUtc(toMs2000(epochMs));

type Snapshot = {
  readonly window: TimeWindow;
  readonly metrics: Metric[];
};

const countSources = ({ metrics, readBandwidth: read }: HostedApplication): number =>
  Object.keys(metrics).length + (read === undefined ? 0 : 1);

/** Every source did. What has no source has not failed. */
const hasFailed = (hosted: HostedApplication, answers: readonly (Metric | Bandwidth | null)[]): boolean =>
  answers.filter((each) => each?.errorCode === sourceUnavailable).length === countSources(hosted);

async function readSnapshot(
  hosted: HostedApplication,
  application: HostingApplication,
  window: TimeWindow,
): Promise<Snapshot> {
  const names = metricsOfApplication(application);
  return { window, metrics: await Promise.all(names.map((name) => readMetric(hosted, name, window))) };
}

async function readMetric({ metrics }: HostedApplication, name: MetricName, window: TimeWindow): Promise<Metric> {
  const unit = name === 'restarts' || name === 'connections' ? 'count' : 'percent';
  const series = await unlessFailed(async () => toShownSeries((await metrics[name]?.(window)) ?? []));
  return series === undefined
    ? { name, unit, series: [], errorCode: sourceUnavailable }
    : { name, unit, series, errorCode: null };
}

/** Undefined where the source failed. */
async function unlessFailed(read: () => Promise<MetricSeries[]>): Promise<MetricSeries[] | undefined> {
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
): Promise<Bandwidth> {
  if (read === undefined) return { dateUtc, bytes: null, errorCode: null };
  const result: SourceResult<string | null> = await cache.get(`${selected}/${dateUtc}`, () => read(dateUtc));
  return { dateUtc, bytes: result.ok ? result.value : null, errorCode: result.ok ? null : sourceUnavailable };
}
