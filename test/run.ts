// `npm test [-- --quick] [part of a file's name ...]`: runs the test files, each in a process of its own, with one MariaDB
// server for all of them. After a run of all files it checks that every claimed rule was proven (conformance.ts).
// `--quick` leaves out what needs MariaDB.
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { checkRun, type TestOutcome } from './runner/conformance.ts';
import { createDurationLog, type DurationLog } from './runner/durations.ts';
import { findTestFiles, isUnitTest, root, unitTestRunner } from './runner/test-files.ts';
import { noMariaDb, shareWithTestFiles, startMariaDb } from './support/mariadb-server.ts';

const testTimeoutMs = 2 * 60_000;
const fileTimeoutMs = 5 * 60_000;
const quickLimitMs = 2 * 60_000;
const concurrency = 2;

const { values, positionals: filters } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const { quick } = values;
const isFullRun = filters.length === 0;
const inCi = process.env['CI'] === 'true';
const files = findTestFiles(filters);

if (quick && inCi) reportProblems(['--quick leaves tests out: with CI=true every test has to run']);
else if (files.length === 0)
  reportProblems([`no test file has ${filters.map((filter) => `"${filter}"`).join(' or ')} in its name`]);
else await runAll();

async function runAll(): Promise<void> {
  // Test files load much the same modules, as do the servers they start.
  process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compile');
  if (quick) process.env['PORTAL_TEST_ENGINES'] = 'sqlite';
  const startedAtMs = performance.now();
  const durations = createDurationLog(quick ? 'quick' : 'full');
  const mariaDb = quick ? undefined : await startMariaDb();
  if (mariaDb) shareWithTestFiles(mariaDb);
  else if (!quick) console.warn(`\n*** Tests are SKIPPED: ${String(noMariaDb)}. ***\n`);
  try {
    const { ok, skipped, outcomes, unfinishedFiles } = await runFiles(durations);
    if (!ok) process.exitCode = 1;
    reportProblems(unfinishedFiles.map((file) => `${file} ended before its tests finished, or has no tests`));
    if (inCi && skipped > 0) reportProblems([`${skipped} skipped: with CI=true every test has to run`]);
    if (isFullRun) reportProblems(checkRun(outcomes));
    durations.save();
    if (quick) reportQuickRun(outcomes, durations, performance.now() - startedAtMs);
  } finally {
    await mariaDb?.stop();
  }
}

interface RunReport {
  ok: boolean;
  skipped: number;
  outcomes: TestOutcome[];
  unfinishedFiles: string[];
}

async function runFiles(durations: DurationLog): Promise<RunReport> {
  const outcomes: TestOutcome[] = [];
  // Only a file that came to its end gives a summary; node:test itself counts one that calls process.exit(0) as passed.
  const finishedFiles = new Set<string>();
  let ok = true;
  let skipped = 0;
  const finish = (file: string, durationMs: number): void => {
    finishedFiles.add(file);
    durations.add(file, durationMs);
  };
  const events = run({
    files: processesOf(durations),
    cwd: root,
    isolation: 'process',
    concurrency,
    // A test that waits for ever is reported by its name; whatever else does not end, by its file.
    timeout: testTimeoutMs,
    execArgv: ['--import', `${import.meta.resolve('./runner/file-deadline.ts')}?ms=${fileTimeoutMs}`],
  });
  for (const [event, passed] of [
    ['test:pass', true],
    ['test:fail', false],
  ] as const) {
    events.on(event, (data) => {
      const isSkipped = isSet(data.skip);
      const isTodo = isSet(data.todo);
      if (isSkipped) skipped += 1;
      if (!passed && !isTodo) ok = false;
      if (data.file === unitTestRunner && data.nesting === 0) finish(data.name, data.details.duration_ms);
      // A suite proves nothing by itself.
      if (data.details.type === 'suite') return;
      outcomes.push({ name: data.name, passed: passed && !isSkipped && !isTodo, skipped: isSkipped || isTodo });
    });
  }
  events.on('test:summary', ({ file, duration_ms }) => {
    if (file !== undefined) finish(relative(root, file).replaceAll('\\', '/'), duration_ms);
  });
  for await (const chunk of events.compose(spec)) process.stdout.write(chunk);
  return { ok, skipped, outcomes, unfinishedFiles: files.filter((file) => !finishedFiles.has(file)) };
}

/** What is run in a process each. In a quick run unit tests share one: most of their time goes into starting it. */
function processesOf(durations: DurationLog): string[] {
  const shared = quick && isFullRun ? files.filter(isUnitTest) : [];
  const others = durations.longestFirst(files.filter((file) => !shared.includes(file)));
  return [...(shared.length > 0 ? [unitTestRunner] : []), ...others.map((file) => join(root, file))];
}

/** A mark is true or the reason that was given for it. */
function isSet(mark: string | boolean | undefined): boolean {
  return mark !== undefined && mark !== false;
}

function reportQuickRun(outcomes: readonly TestOutcome[], durations: DurationLog, tookMs: number): void {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  console.log(`quick: ${outcomes.length} tests in ${seconds(tookMs)}, on SQLite alone; the slowest files:`);
  for (const [file, durationMs] of durations.slowest(10)) console.log(`  ${seconds(durationMs).padStart(7)}  ${file}`);
  if (tookMs > quickLimitMs) console.warn(`*** A quick run should take no more than ${seconds(quickLimitMs)}. ***`);
}

function reportProblems(problems: string[]): void {
  for (const problem of problems) console.error(`✖ ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
