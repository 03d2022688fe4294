// Reads the answer that Prometheus gives to a range query, which providers of its kind give too.

import { HostingSourceError, type MetricPoint, type MetricSeries } from './hosting.ts';

/** More would be no figure that anybody can read. */
const maxSeries = 64;
const maxPoints = 2000;

/** The labels that name a series; undefined: none does. */
export type SeriesLabels = { readonly component: string | undefined; readonly instance: string | undefined };

type Members = Readonly<Record<string, unknown>>;

/** The samples of a series as they came: a time in seconds, and a number as a text. */
export type RawSeries = { readonly labels: Members; readonly values: readonly unknown[] };

/** Throws HostingSourceError where the body is no matrix. */
export function readMatrix(body: unknown): readonly RawSeries[] {
  const { status, data } = requireObject(body);
  const { resultType, result } = requireObject(data);
  if (status !== 'success' || resultType !== 'matrix' || !Array.isArray(result))
    throw new HostingSourceError('an answer of another shape');
  return result.slice(0, maxSeries).map((each: unknown) => {
    const { metric, values } = requireObject(each);
    if (!Array.isArray(values)) throw new HostingSourceError('a series of another shape');
    return { labels: requireObject(metric ?? {}), values };
  });
}

/** Throws HostingSourceError where the value is none. */
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

/** The newest points, by time. */
function toPoints(values: readonly unknown[]): MetricPoint[] {
  const points = values.flatMap((value): MetricPoint[] => {
    const [seconds, text] = Array.isArray(value) ? (value as unknown[]) : [];
    const atMs = typeof seconds === 'number' ? Math.round(seconds * 1000) : Number.NaN;
    return isTime(atMs) ? [{ atMs, value: readValue(text) }] : [];
  });
  return points.toSorted((a, b) => a.atMs - b.atMs).slice(-maxPoints);
}

const endOfTimeMs = Date.parse('9999-01-01T00:00:00Z');

/** One that RFC 3339 has a year for. */
const isTime = (atMs: number): boolean => atMs >= 0 && atMs < endOfTimeMs;

/** NaN and infinities are no measurements. */
function readValue(text: unknown): number | null {
  if (typeof text !== 'string' || !/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
