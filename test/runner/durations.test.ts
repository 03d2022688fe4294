// The order of test files: the longest first, as far as anybody knows.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { orderLongestFirst } from './durations.ts';
import { slowFiles } from './slow-files.ts';
import { root } from './test-files.ts';

test('in a first run the files that are known to be slow come first', () => {
  const [slowest = '', second = ''] = Object.keys(slowFiles);
  assert.deepEqual(orderLongestFirst(['a.test.ts', second, 'b.test.ts', slowest], {}), [
    slowest,
    second,
    'a.test.ts',
    'b.test.ts',
  ]);
});

test('later, what was measured decides, and files that are new come before', () => {
  const [slow = ''] = Object.keys(slowFiles);
  const measured = { 'a.test.ts': 10, [slow]: 20, 'b.test.ts': 30 };
  assert.deepEqual(orderLongestFirst(['a.test.ts', slow, 'new.test.ts', 'b.test.ts'], measured), [
    'new.test.ts',
    'b.test.ts',
    slow,
    'a.test.ts',
  ]);
});

test('the files that are known to be slow are there', () => {
  for (const file of Object.keys(slowFiles)) assert.ok(existsSync(join(root, file)), file);
});
