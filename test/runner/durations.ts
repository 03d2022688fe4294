// Remembers how long each test file took, so that the next run can start with the longest.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './test-files.ts';

const path = join(root, 'node_modules/.cache/test-durations.json');

type Durations = Record<string, number>;

export interface DurationLog {
  add(file: string, durationMs: number): void;
  /** Files that are not known yet come first. */
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
    longestFirst: (files) => files.toSorted((a, b) => (before[b] ?? Infinity) - (before[a] ?? Infinity) || 0),
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

function readDurations(): Partial<Record<string, Durations>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<string, Durations>>;
  } catch {
    // There was no run yet.
    return {};
  }
}
