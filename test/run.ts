// `npm test [-- --quick] [part of a file's name ...]`: runs the test files, a few each in a process of its own and many
// in processes that they share, with one MariaDB server for all of them. After a run of all files it checks that every
// rule was proven (conformance.ts), and it ends with a list of tests that were skipped because a program is missing.
// `--quick` leaves out what needs MariaDB. `--folder` runs the files of another folder: the runner's own tests use it,
// and `--files-per-process`.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeUnproven } from './runner/unproven-list.ts';
import { checkRun } from './runner/conformance.ts';
import { describeFailuresInBrief } from './runner/failures.ts';
import { createDurationLog, type DurationLog } from './runner/durations.ts';
import { useMemoryFolder } from './runner/memory-folder.ts';
import { createProgress, formatSeconds } from './runner/progress.ts';
import { runFiles, type FileRunReport } from './runner/run-files.ts';
import { dealOut } from './runner/shared-processes.ts';
import { findTestFiles, isAwaiting, isUnitTest, root } from './runner/test-files.ts';
import { noMariaDb, shareWithTestFiles, startMariaDb } from './support/mariadb-server.ts';

/** Only what hangs takes so long: a machine that is busy with four of them makes a test of a browser wait for minutes. */
const testTimeoutMs = 5 * 60_000;
const fileTimeoutMs = 15 * 60_000;
const quickLimitMs = 2 * 60_000;
/** More than the number of cores, since some files wait for a clock, a lock or a server. */
const concurrency = availableParallelism() + 2;
/**
 * The data need not survive a crash, so pages are written only once. Half of the time to create a table goes into
 * persistent statistics, and half of the rest into its own file. Tests create thousands of tables.
 */
const serverSettings = [
  '--innodb-file-per-table=OFF',
  '--innodb-doublewrite=OFF',
  '--innodb-stats-persistent=OFF',
  '--table-definition-cache=8000',
  '--table-open-cache=4000',
];
/** Up to this number of files, every test is printed. */
const maxFilesInFull = 10;

const { values, positionals: filters } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    folder: { type: 'string', default: root },
    'end-timeout': { type: 'string', default: '10000' },
    'files-per-process': { type: 'string' },
  },
  allowPositionals: true,
});
const { quick, folder } = values;
const isOurs = folder === root;
const isFullRun = filters.length === 0;
const inCi = process.env['CI'] === 'true';
const files = findTestFiles(filters, folder);
const isPrintedInFull = isOurs && files.length <= maxFilesInFull;
const filesPerProcess = Number(values['files-per-process'] ?? (isPrintedInFull || !isOurs ? 1 : 20));

if (quick && inCi) reportProblems(['--quick leaves tests out: with CI=true every test has to run']);
else if (files.length === 0)
  reportProblems([`no test file has ${filters.map((filter) => `"${filter}"`).join(' or ')} in its name`]);
else await runAll();

async function runAll(): Promise<void> {
  // Test files load much the same modules, as do the servers they start.
  process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compile');
  const guard = `--import=${import.meta.resolve('./runner/default-resources-guard.ts')}`;
  process.env['NODE_OPTIONS'] = [process.env['NODE_OPTIONS'], guard].filter(Boolean).join(' ');
  if (quick) process.env['PORTAL_TEST_ENGINES'] = 'sqlite';
  const startedAtMs = performance.now();
  const durations = createDurationLog(quick ? 'quick' : 'full');
  const memoryFolder = isOurs ? useMemoryFolder() : undefined;
  const mariaDb = quick || !isOurs ? undefined : await startMariaDb({ settings: serverSettings });
  if (mariaDb) shareWithTestFiles(mariaDb);
  else if (!quick && isOurs) console.warn(`\n*** Tests are SKIPPED: ${String(noMariaDb)}. ***\n`);
  try {
    const report = await runFiles(processesOf(durations), {
      folder,
      concurrency,
      testTimeoutMs,
      fileTimeoutMs,
      endTimeoutMs: Number(values['end-timeout']),
      progress: isPrintedInFull ? undefined : createProgress(files.length, process.stdout),
    });
    for (const [file, durationMs] of report.finished) durations.add(file, durationMs);
    if (isOurs) durations.save();
    if (!report.ok) process.exitCode = 1;
    reportRun(report, performance.now() - startedAtMs);
    if (quick) reportQuickRun(durations, performance.now() - startedAtMs);
  } finally {
    await mariaDb?.stop();
    await memoryFolder?.end();
  }
}

/** The files of each process. */
function processesOf(durations: DurationLog): string[][] {
  const inOrder = durations.longestFirst(files);
  // Unit tests load none of the service.
  const {
    alone = [],
    service = [],
    unit = [],
  } = Object.groupBy(inOrder, (file) => {
    if (isAwaiting(file, folder)) return 'alone';
    return isUnitTest(file) ? 'unit' : 'service';
  });
  return [...dealOut(alone, 1), ...dealOut(service, filesPerProcess), ...dealOut(unit, filesPerProcess)];
}

/** Prints the result of the run: the problems, unproven rules, failures, and the counts as the last line. */
function reportRun({ outcomes, finished, failedFiles, failures }: FileRunReport, tookMs: number): void {
  const { problems, unproven } = isFullRun && isOurs ? checkRun(outcomes) : { problems: [], unproven: [] };
  const tests = outcomes.filter(({ isSuite }) => !isSuite);
  const skipped = outcomes.filter((outcome) => outcome.skipped).length;
  const closingList = describeUnproven(outcomes, unproven);
  const filesWithTests = new Set(outcomes.map(({ file }) => file));
  reportProblems([
    ...files
      .filter((file) => !failedFiles.has(file) && !(finished.has(file) && filesWithTests.has(file)))
      .map((file) => `${file} ended before its tests finished, or has no tests`),
    ...problems,
    ...(inCi && skipped > 0 ? [`${skipped} skipped: with CI=true every test has to run`] : []),
  ]);
  for (const line of [...closingList, ...describeFailuresInBrief(failures)]) console.log(line);
  const passed = tests.filter((test) => test.passed).length;
  const failed = tests.filter((test) => !test.passed && !test.skipped).length;
  console.log(`${files.length} files in ${formatSeconds(tookMs)}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
}

function reportQuickRun(durations: DurationLog, tookMs: number): void {
  console.log(`quick: only on SQLite; the slowest files:`);
  for (const [file, durationMs] of durations.slowest(10))
    console.log(`  ${formatSeconds(durationMs).padStart(7)}  ${file}`);
  if (tookMs > quickLimitMs)
    console.warn(`*** A quick run should take no more than ${formatSeconds(quickLimitMs)}. ***`);
}

function reportProblems(problems: string[]): void {
  for (const problem of problems) console.error(`✖ ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
