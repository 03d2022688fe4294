// `npm test [part of a file's name ...]`: runs the test files, each in a process of its own, with one MariaDB server for
// all of them. After a full run it checks that every claimed rule was proven (conformance.ts).
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { checkRun, TEST_FILES, type TestOutcome } from './runner/conformance.ts';
import { shareWithTestFiles, startMariaDb } from './support/mariadb-server.ts';

const ROOT = join(import.meta.dirname, '..');
const TEST_TIMEOUT_MS = 2 * 60_000;
const FILE_TIMEOUT_MS = 5 * 60_000;
const CONCURRENCY = 2;

const filters = process.argv.slice(2);
const isFullRun = filters.length === 0;
const inCi = process.env['CI'] === 'true';

const files = globSync(TEST_FILES, { cwd: ROOT })
  .filter((file) => isFullRun || filters.some((filter) => file.replaceAll('\\', '/').includes(filter)))
  .toSorted();

if (files.length === 0) {
  reportProblems([`no test file has ${filters.map((filter) => `"${filter}"`).join(' or ')} in its name`]);
} else {
  // Test files load much the same modules, as do the servers they start.
  process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules/.cache/compile');
  const mariaDb = await startMariaDb();
  if (mariaDb) shareWithTestFiles(mariaDb);
  else console.warn('\n*** There is no MariaDB server on this machine: all tests that need one are SKIPPED. ***\n');
  try {
    const { ok, skipped, outcomes, unfinishedFiles } = await runFiles();
    if (!ok) process.exitCode = 1;
    reportProblems(unfinishedFiles.map((file) => `${file} ended before its tests did, or has none`));
    if (inCi && skipped > 0) reportProblems([`${skipped} skipped: with CI=true every test has to run`]);
    if (isFullRun) reportProblems(checkRun(outcomes));
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

async function runFiles(): Promise<RunReport> {
  const outcomes: TestOutcome[] = [];
  // Only a file that came to its end gives a summary; node:test itself counts one that calls process.exit(0) as passed.
  const finishedFiles = new Set<string | undefined>();
  let ok = true;
  let skipped = 0;
  const events = run({
    files: files.map((file) => join(ROOT, file)),
    cwd: ROOT,
    isolation: 'process',
    concurrency: CONCURRENCY,
    // A test that waits for ever is reported by its name; whatever else does not end, by its file.
    timeout: TEST_TIMEOUT_MS,
    execArgv: ['--import', `${import.meta.resolve('./runner/file-deadline.ts')}?ms=${FILE_TIMEOUT_MS}`],
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
      // A suite proves nothing by itself.
      if (data.details.type === 'suite') return;
      outcomes.push({ name: data.name, passed: passed && !isSkipped && !isTodo, skipped: isSkipped || isTodo });
    });
  }
  events.on('test:summary', ({ file }) => finishedFiles.add(file));
  for await (const chunk of events.compose(spec)) process.stdout.write(chunk);
  return { ok, skipped, outcomes, unfinishedFiles: files.filter((file) => !finishedFiles.has(join(ROOT, file))) };
}

/** A mark is true or the reason that was given for it. */
function isSet(mark: string | boolean | undefined): boolean {
  return mark !== undefined && mark !== false;
}

function reportProblems(problems: string[]): void {
  for (const problem of problems) console.error(`✖ ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
