// Prints how heavy the service is: its lines of source for each operation, and its largest folders. Tests, the demo and
// generators of documents do not count, and comments and blank lines do.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const largest = 20;

const linesOf = (path: string): number => readFileSync(join(root, path), 'utf8').split('\n').length - 1;
const sources = globSync('src/**/*.ts', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, lines: linesOf(path) }));
const total = sources.reduce((sum, { lines }) => sum + lines, 0);
// Each operation has a recorded example.
const operations = globSync('src/http/openapi/examples/*.json', { cwd: root }).length;

/** `src/features/account/rules/x.ts` counts for `src/features/account` as well. */
const byFolder = new Map<string, { lines: number; own: number }>();
for (const { path, lines } of sources) {
  let folder = dirname(path);
  const isOwn = (each: string): boolean => each === dirname(path);
  for (; folder !== '.'; folder = dirname(folder)) {
    const { lines: before, own } = byFolder.get(folder) ?? { lines: 0, own: 0 };
    byFolder.set(folder, { lines: before + lines, own: own + (isOwn(folder) ? 1 : 0) });
  }
}
console.log(`${total} lines of source, ${operations} operations: ${Math.round(total / operations)} lines each\n`);
console.log('lines  files  folder');
for (const [folder, { lines, own }] of [...byFolder].toSorted(([, a], [, b]) => b.lines - a.lines).slice(0, largest))
  console.log(`${String(lines).padStart(5)}  ${String(own).padStart(5)}  ${folder}`);
