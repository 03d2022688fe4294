// Finds the test files, and selects those of a run.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** Paths from the folder, with slashes, in order; all files, or those with one of the filters in their path. */
export function findTestFiles(filters: readonly string[] = [], folder = root): string[] {
  return globSync('{src,demo,scripts,test,migrations,bench}/**/*.test.ts', { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .toSorted();
}

/** A test beside its source opens no service and no database. */
export const isUnitTest = (file: string): boolean => /^(?:src|demo|scripts)\//.test(file);

const awaitAtTop = /^(?:const .* = )?await /m;

/** A file that loads asynchronously has its own process: in a shared one its tests could not be attributed to it. */
export const isAwaiting = (file: string, folder: string): boolean =>
  awaitAtTop.test(readFileSync(join(folder, file), 'utf8'));
