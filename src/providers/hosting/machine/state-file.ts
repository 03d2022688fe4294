// Stores the measurements of a process in a file of its own, so that they outlive the process. All processes of a
// machine have their files in one folder, and show each other's.

import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFileMode, privateFolderMode } from '../../../lib/bytes/file-modes.ts';
import { readingNames, type Readings, type Sample } from './samples.ts';

export type MachineState = {
  readonly instance: string;
  /** How often the service was started. */
  readonly starts: number;
  /** Bytes by day in UTC, such as `2026-05-31`. */
  readonly sentBytes: ReadonlyMap<string, bigint>;
  readonly samples: readonly Sample[];
};

const version = 1;
const suffix = '.json';
/** One machine does not run more processes. */
const maxFiles = 64;

export const stateFileName = (instance: string): string => `${instance.replaceAll(/[^\w.-]/g, '_')}${suffix}`;

/** Undefined if there is no such file. Throws if it cannot be read or has another format. */
export async function readState(folder: string, fileName: string): Promise<MachineState | undefined> {
  let text: string;
  try {
    text = await readFile(join(folder, fileName), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return parseState(text);
}

/** The states of the other processes; files with another format are left out. */
export async function readOtherStates(folder: string, ownFileName: string): Promise<MachineState[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const others = names.filter((name) => name.endsWith(suffix) && name !== ownFileName).toSorted();
  const states = await Promise.all(
    others.slice(0, maxFiles).map((name) => readState(folder, name).catch(() => undefined)),
  );
  return states.filter((state) => state !== undefined);
}

/** Replaces the whole file: a crash leaves the previous one. */
export async function writeState(folder: string, fileName: string, state: MachineState): Promise<void> {
  await mkdir(folder, { recursive: true, mode: privateFolderMode });
  const path = join(folder, fileName);
  const file = await open(`${path}.new`, 'w', privateFileMode);
  try {
    await file.writeFile(formatState(state));
    // Without this, a power failure may leave the name without its contents.
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

const formatState = ({ instance, starts, sentBytes, samples }: MachineState): string =>
  JSON.stringify({
    version,
    instance,
    starts,
    sentBytes: Object.fromEntries([...sentBytes].map(([day, bytes]) => [day, String(bytes)])),
    samples: samples.map((sample) => [sample.atMs, ...readingNames.map((name) => roundReading(sample[name]))]),
  });

const roundReading = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);

/** Throws an Error if the text is not a state of this version. */
function parseState(text: string): MachineState {
  const state = JSON.parse(text) as Record<string, unknown> | null;
  const { instance, starts, sentBytes, samples } = state ?? {};
  if (
    state?.['version'] !== version ||
    typeof instance !== 'string' ||
    !Number.isSafeInteger(starts) ||
    typeof sentBytes !== 'object' ||
    sentBytes === null ||
    !Array.isArray(samples)
  )
    throw new Error('the file has no measurements of this version');
  return {
    instance,
    starts: starts as number,
    sentBytes: new Map(Object.entries(sentBytes).map(([day, bytes]) => [day, BigInt(String(bytes))])),
    samples: samples.map(parseSample),
  };
}

function parseSample(value: unknown): Sample {
  const [atMs, ...readings] = Array.isArray(value) ? (value as unknown[]) : [];
  const isReading = (each: unknown): boolean => each === null || typeof each === 'number';
  if (typeof atMs !== 'number' || readings.length !== readingNames.length || !readings.every(isReading))
    throw new Error('the file has an invalid sample');
  return {
    atMs,
    ...(Object.fromEntries(readingNames.map((name, index) => [name, readings[index]])) as unknown as Readings),
  };
}
