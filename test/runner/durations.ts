// Remembers how long each test file took, so that the next run can start with the longest.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { slowFiles } from './slow-files.ts';
import { root } from './test-files.ts';

const path = join(root, 'node_modules/.cache/test-durations.json');

type Durations = Record<string, number>;

export interface DurationLog {
  add(file: string, durationMs: number): void;
  longestFirst(files: readonly string[]): string[];
  /** The files of this run that took longest. */
  slowest(count: number): [file: string, durationMs: number][];
  save(): void;
}

/** Durations differ by the kind of run, as a quick one leaves an engine out. */
export function createDurationLog(kind: 'full' | 'quick'): DurationLog {
  const remembered = readDurations();
  const before = remembered[kind] ?? {};
  const measured: Durations = {};
  return {
    add: (file, durationMs) => void (measured[file] = Math.round(durationMs)),
    longestFirst: (files) => orderLongestFirst(files, before),
    slowest: (count) =>
      Object.entries(measured)
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, count),
    save: () => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify({ ...remembered, [kind]: { ...before, ...measured } }));
    },
  };
}

/** Files that were not measured yet come first; in a first run, those that are known to be slow. */
export function orderLongestFirst(files: readonly string[], measured: Durations): string[] {
  const isFirstRun = Object.keys(measured).length === 0;
  const estimate = (file: string): number => (isFirstRun ? (slowFiles[file] ?? 0) : (measured[file] ?? Infinity));
  // Two infinities have no difference.
  return files.toSorted((a, b) => estimate(b) - estimate(a) || 0);
}

function readDurations(): Partial<Record<string, Durations>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<string, Durations>>;
  } catch {
    // There was no run yet.
    return {};
  }
}
