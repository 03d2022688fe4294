// Runs the tests that stand beside their sources in one process: each file as a suite of its own, one after the other.
import { describe } from 'node:test';
import { join } from 'node:path';
import { findTestFiles, isUnitTest, root } from './test-files.ts';

for (const file of findTestFiles().filter(isUnitTest))
  describe(file, async () => {
    await import(join(root, file));
  });
