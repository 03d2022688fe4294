// The measurements of one process, a minute apart, and the points that are shown for them.

import type { MetricPoint, TimeWindow } from '../hosting.ts';

/** In the order of the values in a file. */
export const readingNames = [
  /** Percentage of all processors that the process may use. */
  'cpuPercent',
  /** Percentage of the memory that it may use. */
  'memoryPercent',
  /** How often the service has been restarted. */
  'restarts',
  'databaseCpuPercent',
  'databaseMemoryPercent',
  'diskPercent',
  'connections',
] as const;

/** The values of one measurement; null if one could not be taken. */
export type Readings = Readonly<Record<(typeof readingNames)[number], number | null>>;

export type Sample = Readings & { readonly atMs: number };

export const sampleIntervalMs = 60_000;

/** The samples of a day. */
const maxSamples = 1440;

/** Adds a sample, and drops samples from the future, which the clock had before it was set back. */
export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const before = samples.filter(({ atMs }) => atMs < sample.atMs && atMs > sample.atMs - maxSamples * sampleIntervalMs);
  return [...before, sample].slice(-maxSamples);
}

const dayStepMs = 5 * sampleIntervalMs;
const longestMinutelyWindowMs = 6 * 3_600_000;

/** The interval between points: a minute, or five minutes in a window of more than six hours. */
const stepOf = ({ fromMs, toMs }: TimeWindow): number =>
  toMs - fromMs > longestMinutelyWindowMs ? dayStepMs : sampleIntervalMs;

/**
 * The points of a window, from its first sample to its last: each summarizes the samples of a step, at the step's end.
 * A step without samples has the value null, which shows the gap.
 */
export function toPoints(samples: readonly Sample[], name: keyof Readings, window: TimeWindow): MetricPoint[] {
  const { fromMs, toMs } = window;
  const stepMs = stepOf(window);
  const stepNumberOf = (atMs: number): number => Math.ceil(atMs / stepMs);
  const inWindow = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const byStep = Map.groupBy(inWindow, ({ atMs }) => stepNumberOf(atMs));
  const [first] = inWindow;
  const last = inWindow.at(-1);
  if (first === undefined || last === undefined || inWindow.every((sample) => sample[name] === null)) return [];
  const from = stepNumberOf(first.atMs);
  const steps = Array.from({ length: stepNumberOf(last.atMs) - from + 1 }, (_, index) => from + index);
  return steps.map((step) => ({
    // The last step may not have ended.
    atMs: Math.min(step * stepMs, last.atMs),
    value: summarize(
      (byStep.get(step) ?? []).map((sample) => sample[name]),
      name,
    ),
  }));
}

/**
 * Counts stay whole: for restarts the last one, for connections the highest. For all other values, the mean percentage.
 */
function summarize(values: readonly (number | null)[], name: keyof Readings): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  if (name === 'restarts') return known.at(-1) ?? null;
  if (name === 'connections') return Math.max(...known);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return Math.round(mean * 100) / 100;
}
