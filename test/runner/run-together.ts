// Runs several test files in one process, one after the other, each as a suite of its own: for most files, starting a
// process and loading the service takes longer than the tests. The runner (shared-processes.ts) writes the files that
// call this.
import { before, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { tellFileStarts } from './file-starts.ts';

/** Files are given by their paths from the folder. */
export function runTogether(folder: string, files: readonly string[]): void {
  for (const file of files)
    describe(file, async () => {
      before(() => tellFileStarts(file));
      await import(pathToFileURL(join(folder, file)).href);
    });
}
