// Runs test files with node:test, in the processes assigned to them, and collects the outcome of every test.
import { relative } from 'node:path';
import { run, type EventData } from 'node:test';
import { spec } from 'node:test/reporters';
import type { Failure } from './failures.ts';
import type { Progress } from './progress.ts';
import { createTestProcesses, type TestProcesses } from './shared-processes.ts';

/** How a test or a suite ended. */
export interface TestOutcome {
  readonly name: string;
  /** Its path from the folder of the run. */
  readonly file: string;
  readonly isSuite: boolean;
  readonly passed: boolean;
  /** It was skipped, or is still to be written. */
  readonly skipped: boolean;
  /** Why it was skipped, where it said so. */
  readonly reason?: string;
}

export interface FileRunOptions {
  readonly folder: string;
  readonly concurrency: number;
  readonly testTimeoutMs: number;
  readonly fileTimeoutMs: number;
  /** How long a file can keep running after its tests have finished. */
  readonly endTimeoutMs: number;
  /** Hears of every file and failure as it comes. Without it every test is printed. */
  readonly progress: Progress | undefined;
}

export interface FileRunReport {
  readonly ok: boolean;
  readonly outcomes: readonly TestOutcome[];
  /** The milliseconds of each file that came to its end. */
  readonly finished: ReadonlyMap<string, number>;
  /** The others that are known to have failed. */
  readonly failedFiles: ReadonlySet<string>;
  readonly failures: readonly Failure[];
}

/** Of a test in a file. Node tells the file that was run as `entryFile`; `file` may be one of support. */
type Completed = EventData.TestComplete & EntryFile;

type EntryFile = { readonly entryFile?: string };

/** Runs the files, given by their paths from the folder: those of an array in one process, one after the other. */
export async function runFiles(files: readonly (readonly string[])[], options: FileRunOptions): Promise<FileRunReport> {
  const processes = createTestProcesses(options.folder, files);
  try {
    return await runProcesses(processes, options);
  } finally {
    processes.remove();
  }
}

async function runProcesses(processes: TestProcesses, options: FileRunOptions): Promise<FileRunReport> {
  const { folder, concurrency, testTimeoutMs, fileTimeoutMs, endTimeoutMs, progress } = options;
  const outcomes: TestOutcome[] = [];
  // Only a file that came to its end gives a summary; node:test itself counts one that calls process.exit(0) as passed.
  const finished = new Map<string, number>();
  const failedFiles = new Set<string>();
  const failures: Failure[] = [];
  const fail = (failure: Failure): void => {
    failures.push(failure);
    progress?.fail(failure);
  };
  let ok = true;
  const finishFile = (file: string, passed: boolean, durationMs: number): void =>
    progress?.finishFile({
      file,
      passed,
      durationMs,
      tests: outcomes.filter((outcome) => outcome.file === file && !outcome.isSuite).length,
    });
  const deadline = `./file-deadline.ts?ms=${fileTimeoutMs}&endMs=${endTimeoutMs}`;
  const events = run({
    files: [...processes.entries],
    cwd: folder,
    isolation: 'process',
    concurrency,
    // A test that waits for ever is reported by its name; whatever else does not end, by its file.
    timeout: testTimeoutMs,
    execArgv: ['./untracked-promises.ts', './unhandled-errors.ts', deadline].flatMap((file) => [
      '--import',
      import.meta.resolve(file),
    ]),
  });
  const tests = trackTests(events, folder, processes);
  // What node:test could assign to no test: it makes the process fail.
  const unassigned = new Map<string, string[]>();
  events.on('test:diagnostic', ({ entryFile, nesting, message }: EventData.TestDiagnostic & EntryFile) => {
    if (entryFile !== undefined && nesting === 0)
      unassigned.set(entryFile, [...(unassigned.get(entryFile) ?? []), message]);
  });
  events.on('test:complete', (data: Completed) => {
    const { name, details, skip, todo, entryFile } = data;
    const { passed, duration_ms: durationMs, error } = details;
    const skipped = isSet(skip) || isSet(todo);
    if (!passed && !isSet(todo)) ok = false;
    const failedItself = !passed && !isSet(todo) && failureTypeOf(error) !== 'subtestsFailed';
    // The process itself.
    if (entryFile === undefined) {
      const file = tests.runningFileOf(name);
      if (!passed) failedFiles.add(file);
      if (failedItself) fail({ file, name: '', error, notes: unassigned.get(name) ?? [] });
      return processes.filesOf(name) === undefined ? finishFile(file, passed, durationMs) : undefined;
    }
    const [file, ...names] = tests.namesOf(data);
    // The suite of a file that shares its process with others.
    if (names.length === 0) {
      finished.set(file, durationMs);
      if (!passed) failedFiles.add(file);
      if (failedItself) fail({ file, name: '', error });
      return finishFile(file, passed, durationMs);
    }
    const reason = [skip, todo].find((mark) => typeof mark === 'string');
    outcomes.push({
      name,
      file,
      isSuite: details.type === 'suite',
      passed: passed && !skipped,
      skipped,
      ...(reason === undefined ? {} : { reason }),
    });
    if (failedItself) fail({ file, name: names.join(' > '), error });
    return undefined;
  });
  events.on('test:summary', ({ file, duration_ms: durationMs }) => {
    if (file !== undefined && processes.filesOf(file) === undefined)
      finished.set(tests.runningFileOf(file), durationMs);
  });
  if (progress === undefined) for await (const chunk of events.compose(spec)) process.stdout.write(chunk);
  else {
    for (const event of ['test:stdout', 'test:stderr'] as const)
      events.on(event, ({ file, message }) => progress.print(tests.writerOf(file), message));
    for await (const event of events) void event;
  }
  return { ok, outcomes, finished, failedFiles, failures };
}

interface TestTracker {
  /** The file of a test, the suites that it stands in, and its name. */
  namesOf(test: Completed): [file: string, ...names: string[]];
  /** The file that a process runs, or has run last. */
  runningFileOf(entry: string): string;
  /** Whose output it is: what a process writes comes before the events of its tests. */
  writerOf(entry: string): string;
}

/** Learns which files and suites tests stand in. Ids count within a process. */
function trackTests(events: ReturnType<typeof run>, folder: string, processes: TestProcesses): TestTracker {
  const pathOf = (file: string): string => relative(folder, file).replaceAll('\\', '/');
  const dequeued = new Map<string, EventData.TestDequeue>();
  const runningFiles = new Map<string, string>();
  const idIn = ({ entryFile }: EntryFile, id: number): string => `${entryFile} ${id}`;
  events.on('test:dequeue', (data: EventData.TestDequeue & EntryFile) => {
    dequeued.set(idIn(data, data.testId), data);
    const { entryFile, name, nesting } = data;
    if (entryFile !== undefined && nesting === 0 && processes.filesOf(entryFile)) runningFiles.set(entryFile, name);
  });
  return {
    namesOf: (completed) => {
      const names = [completed.name];
      for (let id = completed.parentId; id !== undefined;) {
        const parent = dequeued.get(idIn(completed, id));
        if (parent !== undefined) names.unshift(parent.name);
        id = parent?.parentId;
      }
      const { entryFile = '' } = completed;
      const [first = '', ...others] = names;
      return processes.filesOf(entryFile) === undefined ? [pathOf(entryFile), ...names] : [first, ...others];
    },
    writerOf: (entry) => {
      const [first, ...others] = processes.filesOf(entry) ?? [pathOf(entry)];
      return others.length === 0 ? String(first) : `${first} or ${others.length} more`;
    },
    runningFileOf: (entry) => runningFiles.get(entry) ?? processes.filesOf(entry)?.[0] ?? pathOf(entry),
  };
}

/** https://nodejs.org/api/errors.html#err_test_failure */
const failureTypeOf = (error: unknown): unknown =>
  error instanceof Error && 'failureType' in error ? error.failureType : undefined;

/** A mark is true or the reason that was given for it. */
const isSet = (mark: string | boolean | undefined): boolean => mark !== undefined && mark !== false;
