// Where tests stand, and which of them a run takes.
import { globSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** Paths from the root, with slashes, in order; all files, or those with one of the filters in their path. */
export function findTestFiles(filters: readonly string[] = []): string[] {
  return globSync('{src,test,migrations,bench}/**/*.test.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .toSorted();
}

/** A test beside its source opens no service and no database. */
export const isUnitTest = (file: string): boolean => file.startsWith('src/');

/** Runs all unit tests in one process. */
export const unitTestRunner = join(import.meta.dirname, 'unit-tests.ts');
