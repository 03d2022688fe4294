// Runs several test files in one process, one after the other, each as a suite of its own: for most files, starting a
// process and loading the service takes longer than the tests. The runner (shared-processes.ts) writes the files that
// call this.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, describe } from 'node:test';
import { tellFileStarts } from './file-starts.ts';

const load = createRequire(import.meta.url);

/** Files are given by their paths from the folder. They declare their tests while they are loaded: neither they nor what they import await at their top. */
export function runTogether(folder: string, files: readonly string[]): void {
  for (const file of files)
    describe(file, () => {
      before(() => tellFileStarts(file));
      load(join(folder, file));
    });
}
