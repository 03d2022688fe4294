// Reports failures: completely when they happen, and briefly again at the end of a run, where people read the log of CI
// first.
import { inspect } from 'node:util';

const maxBriefLines = 8;

/** A test that failed; without a name, the file as a whole. */
export interface Failure {
  readonly file: string;
  /** The suites that contain it, and its own name. */
  readonly name: string;
  readonly error: unknown;
  /** What else node:test told of it. */
  readonly notes?: readonly string[];
}

/** Its file and name, and its complete error. */
export function describeFailure(failure: Failure): string[] {
  return [titleOf(failure), ...[...describeError(failure.error).split('\n'), ...(failure.notes ?? [])].map(indent)];
}

/** The lines of the list at the end: of each failure the first lines of its message; none where nothing failed. */
export function describeFailuresInBrief(failures: readonly Failure[]): string[] {
  if (failures.length === 0) return [];
  return ['Failed:', ...failures.flatMap(describeInBrief).map((line) => `  ${line}`)];
}

function describeInBrief(failure: Failure): string[] {
  const [message = ''] = describeError(failure.error).split(/\n\s+at /, 1);
  const lines = [...message.split('\n'), ...(failure.notes ?? [])].filter((line) => line.trim() !== '');
  const more = lines.length > maxBriefLines ? ['…'] : [];
  return [titleOf(failure), ...[...lines.slice(0, maxBriefLines), ...more].map(indent)];
}

const titleOf = ({ file, name }: Failure): string => `✖ ${file}${name === '' ? '' : `: ${name}`}`;

/** node:test wraps what a test threw, and how the process of a file ended. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  const { exitCode, signal } = error as { exitCode?: number | null; signal?: string | null };
  if (exitCode !== undefined) return `its process ended with ${signal ?? exitCode}`;
  return inspect(error.cause ?? error);
}

const indent = (line: string): string => `    ${line}`;
