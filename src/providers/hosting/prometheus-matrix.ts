// Parses the answer of Prometheus to a range query, which other providers with its API return too.

import { HostingSourceError, type MetricPoint, type MetricSeries } from './hosting.ts';

/** Nobody could read a graph with more. */
const maxSeries = 64;
const maxPoints = 2000;

/** The labels that name a series; undefined if none does. */
export type SeriesLabels = { readonly component: string | undefined; readonly instance: string | undefined };

type Members = Readonly<Record<string, unknown>>;

/** The samples of a series as received: a time in seconds, and a number as text. */
type RawSeries = { readonly labels: Members; readonly values: readonly unknown[] };

/** Throws HostingSourceError if the body is not a matrix. */
export function readMatrix(body: unknown): readonly RawSeries[] {
  return readResult(body, 'matrix')
    .slice(0, maxSeries)
    .map((each) => {
      const { metric, values } = requireObject(each);
      if (!Array.isArray(values)) throw new HostingSourceError('a series of another shape');
      return { labels: requireObject(metric ?? {}), values };
    });
}

/** The result of a query. Throws HostingSourceError if it is not of this type. */
export function readResult(body: unknown, type: 'matrix' | 'streams'): readonly unknown[] {
  const { status, data } = requireObject(body);
  const { resultType, result } = requireObject(data);
  if (status !== 'success' || resultType !== type || !Array.isArray(result))
    throw new HostingSourceError('an answer of another shape');
  return result;
}

/** Throws HostingSourceError if the value is not a sample. */
export function requireObject(value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new HostingSourceError('an answer of another shape');
  return value as Members;
}

export const toSeries = (raw: readonly RawSeries[], { component, instance }: SeriesLabels): readonly MetricSeries[] =>
  raw.map(({ labels, values }) => ({
    component: readLabel(labels, component),
    instance: readLabel(labels, instance),
    points: toPoints(values),
  }));

function readLabel(labels: Members, name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : labels[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The newest points, ordered by time. */
function toPoints(values: readonly unknown[]): MetricPoint[] {
  const points = values.flatMap((value): MetricPoint[] => {
    const [seconds, text] = Array.isArray(value) ? (value as unknown[]) : [];
    const atMs = typeof seconds === 'number' ? Math.round(seconds * 1000) : Number.NaN;
    return isTime(atMs) ? [{ atMs, value: readValue(text) }] : [];
  });
  return points.toSorted((a, b) => a.atMs - b.atMs).slice(-maxPoints);
}

const endOfTimeMs = Date.parse('9999-01-01T00:00:00Z');

/** A time whose year RFC 3339 can express. */
const isTime = (atMs: number): boolean => atMs >= 0 && atMs < endOfTimeMs;

/** NaN and infinities are not measurements. */
function readValue(text: unknown): number | null {
  if (typeof text !== 'string' || !/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
