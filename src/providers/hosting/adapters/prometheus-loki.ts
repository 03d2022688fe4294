// Reads metrics from Prometheus (https://prometheus.io/docs/prometheus/latest/querying/api/) and logs from Loki
// (https://grafana.com/docs/loki/latest/reference/loki-http-api/), or from services with the same APIs. The operator
// provides all queries.

import type { PrometheusLokiResource } from '../hosting-settings.ts';
import {
  HostingSourceError,
  metricNames,
  requireByteCount,
  type HostedApplication,
  type LogLines,
  type LogSource,
  type ReadMetric,
} from '../hosting.ts';
import { readMatrix, readResult, requireObject, toSeries } from '../prometheus-matrix.ts';
import type { HostingClient } from '../hosting-client.ts';
import { dayMs, minuteMs } from '../../../lib/time/durations.ts';

type PrometheusLokiAccess = {
  readonly prometheus: HostingClient | undefined;
  readonly loki: HostingClient | undefined;
};

export function createPrometheusLokiApplication(
  { queries, logs, componentLabel, instanceLabel }: PrometheusLokiResource,
  { prometheus, loki }: PrometheusLokiAccess,
): HostedApplication {
  const labels = { component: componentLabel, instance: instanceLabel };
  const metrics = metricNames.flatMap((name) => {
    const query = queries[name];
    if (query === undefined || prometheus === undefined) return [];
    const read: ReadMetric = async ({ fromMs, toMs }) =>
      toSeries(readMatrix(await queryRange(prometheus, query, { fromMs, toMs })), labels);
    return [[name, read] as const];
  });
  const { bandwidth } = queries;
  return {
    metrics: Object.fromEntries(metrics),
    ...(bandwidth === undefined || prometheus === undefined
      ? {}
      : { readBandwidth: (dateUtc: string) => readBandwidth(prometheus, bandwidth, dateUtc) }),
    ...(logs === undefined || loki === undefined ? {} : { logs: createLogSource(loki, logs) }),
  };
}

const secondMs = 1000;

/** A server returns at most 11,000 points of a series; these are enough for a graph. */
const maxPointsOfWindow = 1000;

const queryRange = (
  prometheus: HostingClient,
  query: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<unknown> => {
  const stepMs = Math.max(minuteMs, Math.ceil((toMs - fromMs) / maxPointsOfWindow / secondMs) * secondMs);
  return prometheus.post('api/v1/query_range', {
    query,
    start: String(fromMs / secondMs),
    end: String(toMs / secondMs),
    step: String(stepMs / secondMs),
  });
};

/** The value at the end of the day, which is the sum of the day's bytes if the query ranges over `[1d]`. */
async function readBandwidth(prometheus: HostingClient, query: string, dateUtc: string): Promise<string | null> {
  const atMs = Date.parse(`${dateUtc}T00:00:00Z`) + dayMs;
  const series = readMatrix(await queryRange(prometheus, query, { fromMs: atMs, toMs: atMs }));
  const counts = series.flatMap(({ values }) => values.slice(0, 1).filter(isMeasured).map(toWholeBytes));
  if (counts.length === 0) return null;
  return requireByteCount(String(counts.reduce((sum, each) => sum + each, 0n)));
}

/** Prometheus writes NaN for a missing number. */
const isMeasured = (value: unknown): boolean => !(Array.isArray(value) && value[1] === 'NaN');

/** A rate over a day is seldom a whole number. The digits are kept exactly, unlike in a float. */
function toWholeBytes(value: unknown): bigint {
  const [, text] = Array.isArray(value) ? (value as unknown[]) : [];
  const [, whole] = typeof text === 'string' ? (/^(\d{1,20})(?:\.\d+)?$/.exec(text) ?? []) : [];
  return BigInt(requireByteCount(whole));
}

function createLogSource(loki: HostingClient, query: string): LogSource {
  return {
    dependsOnTenant: false,
    read: async ({ nowMs, maxLines }) => {
      const body = await loki.get('loki/api/v1/query_range', {
        query,
        // One more line shows whether there are more.
        limit: String(maxLines + 1),
        start: toNanoseconds(nowMs - dayMs),
        end: toNanoseconds(nowMs),
        direction: 'backward',
      });
      return readStreams(body, maxLines);
    },
  };
}

const toNanoseconds = (ms: number): string => String(BigInt(Math.floor(ms)) * 1_000_000n);

type Entry = { readonly atNs: bigint; readonly line: string };

/** The newest lines of all streams together. */
function readStreams(body: unknown, maxLines: number): LogLines {
  const entries = readResult(body, 'streams').flatMap((each): Entry[] => {
    const { values } = requireObject(each);
    // The direction is backward: of lines with the same time, the last one comes first.
    return Array.isArray(values) ? values.map(readEntry).toReversed() : [];
  });
  const sorted = entries.toSorted((a, b) => (a.atNs < b.atNs ? -1 : Number(a.atNs > b.atNs)));
  return { lines: sorted.slice(-maxLines).map(({ line }) => line), truncated: sorted.length > maxLines };
}

function readEntry(value: unknown): Entry {
  const [at, line] = Array.isArray(value) ? (value as unknown[]) : [];
  if (typeof at !== 'string' || !/^\d{1,20}$/.test(at) || typeof line !== 'string')
    throw new HostingSourceError('a line of another shape');
  return { atNs: BigInt(at), line };
}
